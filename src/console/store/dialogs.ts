import { effect, signal } from '@preact/signals'

/** The dialog that is open over the page. */
export type OpenDialog =
  | { kind: 'palette' | 'keys' | 'world' }
  /** What is chosen at first: an operation, and which of its calls from now. */
  | { kind: 'break'; operation?: string; nth?: number }

export const dialog = signal<OpenDialog | undefined>(undefined)

export function closeDialog(): void {
  dialog.value = undefined
}

/** What had the focus before the first dialog opened; a dialog that replaces another keeps it. */
let opener: Element | null = null

/** The browser cannot give the focus back by itself: a field with autofocus takes it before the dialog opens. */
effect(() => {
  if (dialog.value) {
    opener ??= document.activeElement
    return
  }
  // While a dialog is open, nothing outside it takes the focus.
  for (const box of document.querySelectorAll('dialog')) box.close()
  if (opener instanceof HTMLElement) opener.focus()
  opener = null
})
