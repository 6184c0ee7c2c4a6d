import { distance } from 'fastest-levenshtein'
import type { Verification as Wanted } from '../../../kits/views.ts'
import { type FamilyRoute, familyRoutes } from '../../families/index.ts'
import { parseBody } from '../../http/body.ts'
import { readTraceId } from '../../http/headers.ts'
import { maskedJson, maskKey, secretHeader } from '../../http/secrets.ts'
import { isAmong } from '../../scenarios/amounts.ts'
import { checkShape } from '../../scenarios/check.ts'
import { readWhen, type SpelledWhen, whenSchema } from '../../scenarios/conditions/index.ts'
import type { Condition, When } from '../../scenarios/conditions/words.ts'
import type { RequestFacts } from '../../scenarios/matchers.ts'
import { requestFacts } from '../../scenarios/request-effects.ts'
import { ScenarioError, type Steps } from '../../scenarios/scenario-error.ts'
import { shown } from '../../wording/shown.ts'
import type { Entry } from '../../worlds/journal.ts'
import type { World } from '../../worlds/world.ts'
import { badRequest } from '../control-error.ts'
import { headersOf, traceOf } from './entry-view.ts'
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

/** The requests that a verification expects. */
export interface RequestMatcher {
  when: When
  /** The expected operation, for messages. */
  operation: unknown
  status?: number
  /** A trace id. */
  trace?: string
  text: string
}

/** Why an entry does not match, and how different it is. */
interface Misses {
  reasons: string[]
  /** 0 = all fields match. */
  distance: number
}

/** Reads a matcher: as `when` in scenario rules, and also `status` and `trace`. Throws ScenarioError. */
function readRequestMatcher(value: unknown, steps: Steps): RequestMatcher {
  const { status, trace, ...rest } = Object(value) as Record<string, unknown>
  try {
    const given = typeof value === 'object' && !Array.isArray(value) ? rest : value
    const source = checkShape<SpelledWhen>(whenSchema, given)
    for (const word of ['probability', 'since'] as const)
      if (source[word] !== undefined)
        throw new ScenarioError(`${word} cannot be used to match requests`, {
          steps: [word],
          hint: 'leave it out',
        })
    if (status !== undefined && !Number.isInteger(status))
      throw new ScenarioError(`${shown(status)} is not a status such as 200`, { steps: ['status'] })
    const traceId = readTraceId(trace)
    if (trace !== undefined && traceId === undefined)
      throw new ScenarioError(
        `${shown(trace)} is neither a trace id of 32 hexadecimal digits nor a traceparent`,
        { steps: ['trace'] },
      )
    const when = readWhen(source, [])
    const text = shown(withMaskedKeys(value))
    return {
      when,
      operation: source.operation,
      text,
      ...(status !== undefined && { status: Number(status) }),
      ...(traceId !== undefined && { trace: traceId }),
    }
  } catch (error) {
    throw error instanceof ScenarioError ? error.below(steps) : error
  }
}

/** The entries that match, in order. As in rules, `call` counts the entries that match all other fields. */
function hitsAmong(world: World, entries: readonly Entry[], matcher: RequestMatcher): Entry[] {
  let call = 0
  return entries.filter(entry => {
    if (!isHit(world, entry, matcher)) return false
    call++
    return !matcher.when.calls || isAmong(matcher.when.calls, call)
  })
}

/** Whether an entry matches, without regard to the number of its call. */
function isHit(world: World, entry: Entry, matcher: RequestMatcher): boolean {
  return matcher.when.operations.has(entry.operation) && missesOf(world, entry, matcher).distance === 0
}

/** Field by field, why an entry does not match. `call` is left out, since it is not a field of the entry. */
function missesOf(world: World, entry: Entry, matcher: RequestMatcher): Misses {
  const { when, operation, status, trace } = matcher
  const facts = entryFacts(world, entry)
  const labelOf = (id: string) => world.state.tasks.get(id)?.label
  const misses: Misses = { reasons: [], distance: 0 }
  const miss = (reason: string, distance: number) => {
    misses.reasons.push(reason)
    misses.distance += distance
  }
  // A request of another operation is more different than one with another field.
  if (!when.operations.has(entry.operation))
    miss(`operation: wanted ${shown(operation)}, was ${shown(entry.operation)}`, 2)
  for (const condition of when.conditions) {
    if (!condition.holds(facts, labelOf)) miss(conditionMiss(condition, facts), nearness(condition, facts))
  }
  if (status !== undefined && entry.status !== status)
    miss(`status: wanted ${status}, was ${entry.status}`, 1)
  if (trace !== undefined && traceOf(entry) !== trace)
    miss(`trace: wanted ${trace}, was ${traceOf(entry) ?? 'absent'}`, 1)
  const elapsedMs = entry.at - world.state.head.openedAt
  if (when.during && !(elapsedMs >= when.during.fromMs && elapsedMs < when.during.toMs))
    miss(`during: came ${elapsedMs} ms after the world opened`, 1)
  return misses
}

function conditionMiss({ field, asked, found }: Condition, facts: RequestFacts): string {
  const value = found(facts)
  // Keys are masked everywhere the journal is shown; the wanted one may be the key of a request, too.
  const isSecret = isSecretField(field)
  const was = value === undefined ? 'absent' : isSecret ? 'another one' : shown(value)
  return `${field}: wanted ${expectedText(isSecret ? masked(asked) : asked)}, was ${was}`
}

function isSecretField(name: string): boolean {
  return name === 'key' || secretHeader.test(name)
}

/** A matcher as messages show it. */
function withMaskedKeys(value: unknown): unknown {
  const text = JSON.stringify(value, (name, entry) => (isSecretField(name) ? masked(entry) : entry))
  return text === undefined ? value : maskedJson(JSON.parse(text))
}

/** Keys in a matcher's value. Short texts are parts of keys, as `contains` asks for. */
function masked(asked: unknown): unknown {
  if (typeof asked === 'string') return asked.length > 10 ? maskKey(asked) : asked
  if (typeof asked !== 'object' || asked === null) return asked
  return Object.fromEntries(Object.entries(asked).map(([test, value]) => [test, masked(value)]))
}

function expectedText(asked: unknown): string {
  if (typeof asked !== 'object' || asked === null) return shown(asked)
  return Object.entries(asked)
    .map(([test, value]) => `${test} ${shown(value)}`)
    .join(' and ')
}

/** Above 0 and at most 1: texts that are nearly equal have a smaller difference. */
function nearness({ asked, found }: Condition, facts: RequestFacts): number {
  const value = found(facts)
  if (value === undefined) return 1
  const [expected] = typeof asked === 'object' && asked !== null ? Object.values(asked) : [asked]
  if (typeof expected !== 'string' || typeof value !== 'string') return 0.9
  const [one, other] = [expected.slice(0, 200), value.slice(0, 200)]
  return 0.1 + 0.8 * (distance(one, other) / Math.max(one.length, other.length, 1))
}

/** A journal entry as scenario rules see a request, for verifications: the same conditions match as when it came. */
function entryFacts(world: World, entry: Entry): RequestFacts {
  const row = rowOf(entry)
  const [asked] = (entry.taskIds ?? []).flatMap(id => world.state.tasks.get(id) ?? [])
  const facts = requestFacts(
    {
      endpoint: row?.endpoint ?? { operation: entry.operation },
      family: row?.family.id ?? asked?.family ?? '',
      account: entry.account ?? '',
      headers: headersOf(entry),
      params: row?.params ?? {},
      query: entry.url.split('?')[1] ?? '',
      body: bodyOf(entry),
      // Tags that acted are in the rule's name; other tags are part of the prompt.
      mayHaveTags: entry.rule?.includes('prompt/') ?? false,
    },
    entry.at,
  )
  return {
    ...facts,
    operation: entry.operation,
    ...(row === undefined && asked && { model: asked.model }),
    ...(entry.taskIds && { taskIds: entry.taskIds }),
  }
}

/** The endpoint that answered an entry, its family, and the parameters of its path. */
function rowOf({ method, url }: Entry): (FamilyRoute & { params: Record<string, string> }) | undefined {
  const match = familyRoutes().find(method, url.split('?', 1)[0] ?? '')
  return match && { ...match.row, params: match.params as Record<string, string> }
}

/** The body as rules saw it, nulls counted as absent; undefined when it was not JSON. */
function bodyOf({ requestBody }: Entry): unknown {
  if (requestBody === undefined) return undefined
  try {
    return parseBody(requestBody, undefined)
  } catch {
    return undefined
  }
}
