import type { RequestView } from '../../kits/views.ts'
import { type Case, isSameCall, nameOfCall } from './case.ts'
import type { ObservedCall } from './plan.ts'

/** The id of the failure in which the reply to a call comes after that to a later one. */
export const answeredAfter = 'answered_after'

/** Calls of two services that come so close together may overlap, virtual ms. */
const closeMs = 1000

/**
 * For each call that is tried, the case in which its reply comes only when the next call that overlaps it was answered: the next one of another
 * service within a second, or of the same one at the same moment. A case whose later call does not come while the first reply is held is not
 * tried.
 */
export function ordersOf(cases: readonly Case[], calls: readonly ObservedCall[]): Case[] {
  const firsts = cases.filter((one, index) => cases.findIndex(other => isSameCall(one, other)) === index)
  return firsts.flatMap((one): Case[] => {
    const place = calls.findIndex(call => isSameCall(call, one))
    const call = calls[place]
    const later = call && calls.slice(place + 1).find(other => mayOverlap(call.request, other.request))
    if (!later) return []
    const { cancels: _, ...about } = one
    const { operation, nth } = later
    const by = later.request.service === undefined ? '' : `, which ${later.request.service} makes`
    return [
      {
        ...about,
        first: { operation, nth },
        failure: {
          id: answeredAfter,
          operation: one.operation,
          title: `the reply comes after that to ${nameOfCall(later)}${by}`,
          kind: 'timing',
          transient: true,
          source: 'network',
          // biome-ignore lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
          then: { connection: { after: { operation, call: nth } } },
        },
      },
    ]
  })
}

function mayOverlap(one: RequestView, later: RequestView): boolean {
  const ms = later.at_ms - one.at_ms
  return one.service === later.service ? ms === 0 : ms <= closeMs
}

/** Why the replies of a case did not come in the other order; undefined when they did, and for every other case. */
export function whyInOrder({ first, ...one }: Case, calls: readonly ObservedCall[]): string | undefined {
  if (!first) return undefined
  const effects = calls.find(call => isSameCall(call, one))?.request.effects ?? []
  const isTurned = effects.some(effect => effect.kind === 'after' && effect.order === 'after')
  return isTurned ? undefined : `${nameOfCall(first)} was not answered while the reply was held`
}
