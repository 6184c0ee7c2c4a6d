import { distance } from 'fastest-levenshtein'
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
import { headersOf, traceOf } from './entry-view.ts'

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
export interface Misses {
  reasons: string[]
  /** 0 = all fields match. */
  distance: number
}

/** Reads a matcher: as `when` in scenario rules, and also `status` and `trace`. Throws ScenarioError. */
export function readRequestMatcher(value: unknown, steps: Steps): RequestMatcher {
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
export function hitsAmong(world: World, entries: readonly Entry[], matcher: RequestMatcher): Entry[] {
  let call = 0
  return entries.filter(entry => {
    if (!isHit(world, entry, matcher)) return false
    call++
    return !matcher.when.calls || isAmong(matcher.when.calls, call)
  })
}

/** Whether an entry matches, without regard to the number of its call. */
export function isHit(world: World, entry: Entry, matcher: RequestMatcher): boolean {
  return matcher.when.operations.has(entry.operation) && missesOf(world, entry, matcher).distance === 0
}

/** Field by field, why an entry does not match. `call` is left out, since it is not a field of the entry. */
export function missesOf(world: World, entry: Entry, matcher: RequestMatcher): Misses {
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
