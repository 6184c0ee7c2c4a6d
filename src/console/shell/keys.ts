import { go } from '../store/address.ts'
import { playOrPause, step } from '../store/clock-moves.ts'
import { dialog } from '../store/dialogs.ts'
import { pageNames, pageTitles } from './page-names.ts'

export interface Key {
  /** As `KeyboardEvent.key` has it. */
  key: string
  /** As people read it, where that differs. */
  shown?: string
  does: string
  act: () => void
}

/** Keys that work wherever nothing else wants them. */
export const keys: readonly Key[] = [
  { key: ' ', shown: 'Space', does: 'Run or pause the clock', act: () => void playOrPause() },
  { key: 'n', does: 'Go to the next change of any task', act: () => void step() },
  { key: '/', does: 'Search on this page', act: () => document.getElementById('search')?.focus() },
  { key: 'b', does: 'Break the next one', act: () => (dialog.value = { kind: 'break' }) },
  ...pageNames.map((name, i) => ({ key: String(i + 1), does: pageTitles[name], act: () => go(name) })),
  { key: '?', does: 'Show the keys', act: () => (dialog.value = { kind: 'keys' }) },
]

/** What other keys do, where the focus is on the part that they belong to. */
export const otherKeys: readonly { shown: string; does: string }[] = [
  { shown: 'Ctrl K', does: 'Find and do anything' },
  { shown: '↑ ↓ Home End', does: 'Move in a list; Enter opens' },
  { shown: '← →', does: 'On the time line: choose a moment; Enter goes there' },
  { shown: '+ −', does: 'On the time line: show less or more time' },
  { shown: 'Esc', does: 'Close a dialog, or give up a chosen moment' },
]
