import type { Status } from '../../worlds/task.ts'

/** How the words of all families for a state begin. */
const beginnings: readonly (readonly [RegExp, Status])[] = [
  [/^succe/i, 'succeeded'],
  [/^fail/i, 'failed'],
  [/^cancel/i, 'cancelled'],
  [/^expire/i, 'expired'],
  [/^(?:run|process)/i, 'running'],
  [/^(?:queue|pend|submit)/i, 'queued'],
]

/** The state that a family's own word means; undefined for a word that is no state of a task, such as `gone`. */
export function stateOfWord(word: string): Status | undefined {
  return beginnings.find(([beginning]) => beginning.test(word))?.[1]
}

export function isOver(state: Status): boolean {
  return state !== 'queued' && state !== 'running'
}
