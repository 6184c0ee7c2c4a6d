import { Empty } from '../parts/empty.tsx'
import { to } from '../store/address.ts'

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
