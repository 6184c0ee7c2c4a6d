import type { Verification as Wanted } from '../../../kits/views.ts'
import { ScenarioError } from '../../scenarios/scenario-error.ts'
import type { Entry } from '../../worlds/journal.ts'
import type { World } from '../../worlds/world.ts'
import { badRequest } from '../control-error.ts'
import { hitsAmong, isHit, missesOf, type RequestMatcher, readRequestMatcher } from './request-matcher.ts'
import { droppedEntries } from './select-entries.ts'

type Count = NonNullable<Wanted['count']>

/** A checked body of `POST /requests/verify`. */
export interface VerifyBody {
  match?: unknown
  count?: Count
  order?: unknown[]
}

/** What a verification found. */
interface Verification {
  ok: boolean
  found: number
  /** Whether dropped entries could change `ok`. */
  isUncertain?: boolean
  /** What is wrong, in one sentence. */
  message?: string
  hits: readonly Entry[]
  misses: readonly { entry: Entry; reasons: string[] }[]
}

const mostMisses = 5

/** Whether the journal of a world holds the expected requests. Throws 400 and ScenarioError for a body that makes no sense. */
export function verify(world: World, body: VerifyBody): Verification {
  return certain(verdictOf(world, body), droppedEntries(world))
}

/** When entries were dropped: a verdict that they could change is not `ok`, and a failure's message mentions the dropped entries. */
function certain(verdict: Verification, incomplete: string | undefined): Verification {
  if (!incomplete || !verdict.isUncertain) return verdict
  const message = verdict.message ?? `Found ${verdict.found}, as expected, but there may have been more`
  return { ...verdict, ok: false, message: `${message}; this is not certain, since ${incomplete}` }
}

function verdictOf(world: World, { match, count: expectedCount, order }: VerifyBody): Verification {
  if (match === undefined && order === undefined)
    throw badRequest('match or order is needed', { hint: 'such as {"match":{"operation":"a.create"}}' })
  if (match === undefined && expectedCount) throw badRequest('count goes only with match', { path: 'count' })
  if (expectedCount) checkCount(expectedCount)
  const matcher = match === undefined ? undefined : readRequestMatcher(match, ['match'])
  const steps = (order ?? []).map((step, index) => readStep(step, index))
  const entries = world.journal.entries()
  const counted =
    matcher && countVerdict(world, entries, { matcher, count: expectedCount ?? { at_least: 1 } })
  const ordered = order && orderVerdict(world, entries, steps)
  if (!counted || (counted.ok && ordered)) {
    const isUncertain = counted?.isUncertain || ordered?.isUncertain || false
    return {
      ...(ordered as Verification),
      ...(counted && { found: counted.found, hits: counted.hits }),
      isUncertain,
    }
  }
  return counted
}

/** A count that no number can satisfy is a mistake. Throws 400. */
function checkCount({ exactly, at_least: least = 0, at_most: most = Number.POSITIVE_INFINITY }: Count): void {
  const isPossible = least <= most && (exactly === undefined || (least <= exactly && exactly <= most))
  if (!isPossible) throw badRequest('No number satisfies count', { path: 'count' })
}

/** Call numbers have no meaning in an order. */
function readStep(step: unknown, index: number): RequestMatcher {
  const matcher = readRequestMatcher(step, ['order', index])
  if (matcher.when.calls)
    throw new ScenarioError('call has no meaning in an order', { steps: ['order', index, 'call'] })
  return matcher
}

function countVerdict(
  world: World,
  entries: readonly Entry[],
  { matcher, count }: { matcher: RequestMatcher; count: Count },
): Verification {
  const hits = hitsAmong(world, entries, matcher)
  const found = hits.length
  const most = count.exactly ?? count.at_most ?? Number.POSITIVE_INFINITY
  const least = count.exactly ?? count.at_least ?? 0
  // Dropped entries can only add to the number found. With call numbers they also shift the numbers.
  const couldBeMore = Number.isFinite(most) && found <= most
  const isUncertain = matcher.when.calls !== undefined || couldBeMore || found < least
  if (found >= least && found <= most) return { ok: true, found, isUncertain, hits, misses: [] }
  const message = `Wanted ${countText(count)} like ${matcher.text}, found ${found}`
  const misses = found < least ? nearest(world, without(entries, hits), matcher) : []
  return { ok: false, found, isUncertain, message, hits, misses }
}

function orderVerdict(
  world: World,
  entries: readonly Entry[],
  steps: readonly RequestMatcher[],
): Verification {
  const hits: Entry[] = []
  for (const [index, step] of steps.entries()) {
    const rest = entries.slice(after(entries, hits.at(-1)))
    const hit = rest.find(entry => isHit(world, entry, step))
    if (hit) {
      hits.push(hit)
      continue
    }
    const message = `Step ${index + 1} of the order, ${step.text}, did not come${index > 0 ? ` after step ${index}` : ''}`
    return {
      ok: false,
      found: hits.length,
      isUncertain: true,
      message,
      hits,
      misses: stepMisses(world, entries, { step, hits }),
    }
  }
  return { ok: true, found: hits.length, hits, misses: [] }
}

/** First an entry that would match the step but came too early, then the entries nearest to it. */
function stepMisses(
  world: World,
  entries: readonly Entry[],
  { step, hits }: { step: RequestMatcher; hits: readonly Entry[] },
): Verification['misses'] {
  const start = after(entries, hits.at(-1))
  const early = hitsAmong(world, without(entries.slice(0, start), hits), step).map(entry => ({
    entry,
    reasons: [`order: came as request ${entry.id}, before request ${hits.at(-1)?.id} of the step before`],
  }))
  return [...early, ...nearest(world, entries.slice(start), step)].slice(0, mostMisses)
}

function after(entries: readonly Entry[], last: Entry | undefined): number {
  return last ? entries.indexOf(last) + 1 : 0
}

/** The entries that match best, nearest first, then newest first. When all other fields match, only `call` can be wrong. */
function nearest(world: World, entries: readonly Entry[], matcher: RequestMatcher): Verification['misses'] {
  return entries
    .map(entry => ({ entry, ...missesOf(world, entry, matcher) }))
    .sort((a, b) => a.distance - b.distance || b.entry.id - a.entry.id)
    .slice(0, mostMisses)
    .map(({ entry, reasons }) => ({
      entry,
      reasons: reasons.length > 0 ? reasons : ['call: all fields match except the number of the call'],
    }))
}

function without(entries: readonly Entry[], hits: readonly Entry[]): Entry[] {
  const taken = new Set(hits)
  return entries.filter(entry => !taken.has(entry))
}

function countText({ exactly, at_least, at_most }: Count): string {
  if (exactly !== undefined) return `exactly ${requests(exactly)}`
  if (at_least === undefined) return `at most ${requests(at_most ?? 0)}`
  if (at_most === undefined) return `at least ${requests(at_least)}`
  return `${at_least} to ${requests(at_most)}`
}

function requests(number: number): string {
  return `${number} request${number === 1 ? '' : 's'}`
}
