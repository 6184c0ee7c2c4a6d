import { signal } from '@preact/signals'

/** The dialog that is open over the page. */
export type OpenDialog =
  | { kind: 'palette' }
  | { kind: 'keys' }
  /** With the operation that is chosen at first. */
  | { kind: 'break'; operation?: string }
  | { kind: 'world' }

export const dialog = signal<OpenDialog | undefined>(undefined)

export function closeDialog(): void {
  dialog.value = undefined
}
