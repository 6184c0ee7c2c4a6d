import { effect, signal } from '@preact/signals'

/** The dialog that is open over the page. */
export type OpenDialog =
  | { kind: 'palette' }
  | { kind: 'keys' }
  /** `operation` is the operation that is chosen at first. */
  | { kind: 'break'; operation?: string }
  | { kind: 'world' }

export const dialog = signal<OpenDialog | undefined>(undefined)

export function closeDialog(): void {
  dialog.value = undefined
}

/** What had the focus before the first dialog opened; a dialog that replaces another keeps it. */
let opener: Element | null = null

effect(() => {
  if (dialog.value && !opener) opener = document.activeElement
})

/** Focuses what had the focus before, once no dialog is open. The browser cannot: a field with autofocus takes the focus before the dialog opens. */
export function giveFocusBack(): void {
  if (dialog.peek()) return
  if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
  opener = null
}
