import type { InjectionView } from '../../client/types.ts'
import type { Failure } from '../../explore/catalogue/failure.ts'

/** A rule that acts once, in a few words: the title of its failure in the catalogue, or its effect. */
export function injectionText(
  { operation, calls_left, then }: Pick<InjectionView, 'operation' | 'calls_left' | 'then'>,
  catalogue: readonly Failure[],
): string {
  const own = JSON.stringify(then)
  const known = catalogue.find(one => one.operation === operation && JSON.stringify(one.then) === own)
  const which = calls_left === 1 ? `next ${operation}` : `${operation}, ${calls_left} calls from now`
  return `${which}: ${known?.title ?? effectText(then)}`
}

/** `refuse rate_limited`, `connection hang`, `task failed`. */
function effectText(then: object): string {
  return Object.entries(then)
    .map(([kind, how]) => `${kind} ${firstWord(how)}`.trim())
    .join(', ')
}

function firstWord(how: unknown): string {
  if (typeof how === 'string' || typeof how === 'number') return String(how)
  if (typeof how !== 'object' || how === null) return ''
  const { fault, outcome, status } = how as { fault?: unknown; outcome?: unknown; status?: unknown }
  const named = fault ?? outcome ?? status
  return named === undefined ? Object.keys(how).join(', ') : String(named)
}
