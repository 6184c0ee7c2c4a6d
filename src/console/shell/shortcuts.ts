import { dialog } from '../store/dialogs.ts'
import { keys } from './keys.ts'

/** Listens to the keys, except where a field or a control uses them, and to Ctrl+K everywhere. */
export function listenToKeys(): void {
  addEventListener('keydown', event => {
    if (event.defaultPrevented) return
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      dialog.value = dialog.value?.kind === 'palette' ? undefined : { kind: 'palette' }
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.value) return
    const target = event.target as HTMLElement
    if (target.closest('input, textarea, select, [contenteditable], video, audio, dialog')) return
    if (event.key === ' ' && target.closest('button, a, summary')) return
    const found = keys.find(({ key }) => key === event.key)
    if (!found) return
    event.preventDefault()
    found.act()
  })
}
