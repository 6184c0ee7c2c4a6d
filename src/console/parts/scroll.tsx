import type { ComponentChildren } from 'preact'

interface Props {
  label: string
  look?: string
  children: ComponentChildren
}

/** A part that scrolls in itself: sideways on narrow pages, unless its look says otherwise. */
export function Scroll({ label, look = 'scroll-x', children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <section class={look} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
