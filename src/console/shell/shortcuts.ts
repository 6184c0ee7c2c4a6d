import { go } from '../store/address.ts'
import { playOrPause, step } from './clock-bar.tsx'

const keys: Readonly<Record<string, () => void>> = {
  ' ': () => void playOrPause(),
  n: () => void step(),
  '/': () => document.getElementById('search')?.focus(),
  '1': () => go('tasks'),
  '2': () => go('requests'),
  '3': () => go('scenarios'),
  '4': () => go('playground'),
  '5': () => go('world'),
}

/** Keys that work wherever nothing else wants them. */
export function listenToKeys(): void {
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const target = event.target as HTMLElement
    if (target.closest('input, textarea, select, [contenteditable], video, audio')) return
    if (event.key === ' ' && target.closest('button, a, summary')) return
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  })
}
