import { go } from '../store/address.ts'
import { playOrPause, step } from '../store/clock-moves.ts'
import { dialog } from '../store/dialogs.ts'
import { actOnNewest } from '../store/notices.ts'
import { mainPages, menuPages, pageTitles } from './page-names.ts'

export interface Key {
  /** As `KeyboardEvent.key` has it. */
  key: string
  /** The name of the key, where `key` is not one. */
  shown?: string
  does: string
  act: () => void
}

/** Keys that work everywhere, except where a field or a control uses them. */
export const keys: readonly Key[] = [
  { key: ' ', shown: 'Space', does: 'Run or pause the clock', act: () => void playOrPause() },
  { key: 'n', does: 'Go to the next change of any task', act: () => void step() },
  { key: '/', does: 'Search on this page', act: () => document.getElementById('search')?.focus() },
  { key: 'b', does: 'Break the next one', act: () => (dialog.value = { kind: 'break' }) },
  { key: 'u', does: 'Undo what was just deleted or reset', act: actOnNewest },
  ...[...mainPages, ...menuPages].map((name, i) => ({
    key: String(i + 1),
    does: pageTitles[name],
    act: () => go(name),
  })),
  { key: '?', does: 'Show the keys', act: () => (dialog.value = { kind: 'keys' }) },
]

/** Keys that work in the part of the page that has the focus. */
export const otherKeys: readonly { shown: string; does: string }[] = [
  { shown: 'Ctrl K', does: 'Find and do anything' },
  { shown: 'Up Down Home End', does: 'Move in a list; Enter opens' },
  { shown: 'Left Right', does: 'On the time line: choose a moment; Enter goes there' },
  { shown: '+ −', does: 'On the time line: show less or more time' },
  { shown: 'f F', does: 'On the trace: the next or the previous failure' },
  { shown: 'Esc', does: 'Close a dialog, or cancel a chosen moment' },
]

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
