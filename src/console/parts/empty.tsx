import type { ComponentChildren } from 'preact'

/** The content of an empty page: the reason, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
