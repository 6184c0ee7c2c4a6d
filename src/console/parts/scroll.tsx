import type { ComponentChildren } from 'preact'

/** A part that scrolls sideways in itself on narrow pages. */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <section class="scroll-x" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
