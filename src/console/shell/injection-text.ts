import type { InjectionView } from '../../client/types.ts'
import { type Breakage, breakageText } from '../breaking/breakage.ts'

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
  const groups = new Map<string, Waiting[]>()
  for (const one of injections) {
    const key = `${one.operation} ${JSON.stringify(one.then)}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()].map(group => ({
    ids: group.map(({ id }) => id),
    text: textOf(group, catalogue),
  }))
}

function textOf(group: readonly Waiting[], catalogue: readonly Breakage[]): string {
  const [{ operation, then }] = group as [Waiting]
  const own = JSON.stringify(then)
  const known = catalogue.find(one => one.operation === operation && JSON.stringify(one.then) === own)
  const calls = group.map(({ calls_left }) => calls_left).sort((a, b) => a - b)
  const isNext = calls.every((call, i) => call === i + 1)
  const which = isNext
    ? `next ${calls.length === 1 ? '' : `${calls.length} `}${operation}`
    : `${operation}, ${calls.join(', ')} calls from now`
  return `${which}: ${known ? breakageText(known) : effectText(then)}`
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
