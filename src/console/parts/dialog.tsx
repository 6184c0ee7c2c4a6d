import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from './button.tsx'

interface Props {
  title: string
  /** Called when the dialog closes: by Escape, by its button, or by a click beside it. */
  close: () => void
  children: ComponentChildren
}

/** A dialog over the page. The browser keeps the focus in it; afterwards the focus is where it was before. */
export function Dialog({ title, close, children }: Props) {
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    element.showModal()
    return () => element.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself.
    <dialog
      ref={box}
      class="dialog card"
      aria-label={title}
      onClose={event => {
        // The browser closes it on Escape. A dialog that another replaced is no longer in the page.
        if (event.currentTarget.isConnected) close()
      }}
      onClick={event => {
        if (event.target === box.current) close()
      }}
    >
      <header>
        <h2>{title}</h2>
        <Button look="plain" icon="cross" label="Close" act={close} />
      </header>
      {children}
    </dialog>
  )
}
