import type { ComponentChildren } from 'preact'
import { to } from '../store/address.ts'
import { isStale } from '../store/connection.ts'

/** The content of an empty page: the reason, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** Shown until the first contents have come. While nothing can be read, the banner says why. */
export function Reading({ what }: { what: string }) {
  return <Empty title={isStale.value ? 'Nothing to show yet' : `Reading ${what} …`} />
}

/** The page for an unknown address, with links to pages that exist. */
export function NoSuchPage({
  what,
  children = 'All tasks',
  page = 'tasks',
}: {
  /** The missing thing, as in `There is no page “x”`. */
  what: string
  children?: string
  page?: string
}) {
  return (
    <Empty title={`There is no ${what}`}>
      <p>The address may be misspelt, or come from another version or world.</p>
      <a class="button" href={to(page)}>
        {children}
      </a>
    </Empty>
  )
}
