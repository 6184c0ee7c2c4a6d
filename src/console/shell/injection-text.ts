import type { InjectionView } from '../../client/types.ts'
import { type Breakage, breakageText, callsText, retryAfterOf, withRetryAfter } from '../breaking/breakage.ts'
import { groupsOf } from '../parts/lists.ts'

/** Rules that act once each, on calls that follow each other. */
export interface InjectionChip {
  ids: readonly string[]
  text: string
}

type Waiting = Pick<InjectionView, 'id' | 'operation' | 'calls_left' | 'then'>

/** One chip for equal rules of one operation, in a few words. */
export function injectionChips(
  injections: readonly Waiting[],
  catalogue: readonly Breakage[],
): InjectionChip[] {
  const groups = groupsOf(injections, one => `${one.operation} ${JSON.stringify(one.then)}`)
  return [...groups.values()].map(group => ({
    ids: group.map(({ id }) => id),
    text: textOf(group, catalogue),
  }))
}

function textOf(group: readonly Waiting[], catalogue: readonly Breakage[]): string {
  const [{ operation, then }] = group as [Waiting]
  const own = catalogue.filter(one => one.operation === operation)
  const isSame = (known: object) => JSON.stringify(known) === JSON.stringify(then)
  const known = own.find(one => isSame(one.then))
  const wait = retryAfterOf(then)
  const alike = own.find(one => isSame(withRetryAfter(one, wait)))
  const words = known ? breakageText(known) : alike ? breakageText(alike, wait) : effectText(then)
  const calls = group.map(({ calls_left }) => calls_left).sort((a, b) => a - b)
  return `${callsText(operation, calls)}: ${words}`
}

/** `refuse rate_limited, retry_after 30s`, `connection hang`, `task failed`. */
function effectText(then: object): string {
  return Object.entries(then)
    .map(([kind, how]) => `${kind} ${wordsOf(how)}`.trim())
    .join(', ')
}

function wordsOf(how: unknown): string {
  if (typeof how !== 'object' || how === null) return String(how)
  return Object.entries(how)
    .map(([key, value]) =>
      /^(?:fault|outcome|status)$/.test(key)
        ? String(value)
        : `${key} ${JSON.stringify(value).replaceAll('"', '')}`,
    )
    .join(', ')
}
