import type { ComponentChildren } from 'preact'

interface Props {
  title: string
  /** The name of the part, where the title says something else. */
  label?: string
  /** Beside the title. */
  aside?: ComponentChildren
  children: ComponentChildren
}

/** A part of a page with a title. */
export function Panel({ title, label = title, aside, children }: Props) {
  return (
    <section class="panel" aria-label={label}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
