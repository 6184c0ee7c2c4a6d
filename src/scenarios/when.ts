import { nearest } from '../wording/nearest.ts'
import { type Calls, readCalls, readDuration } from './amounts.ts'
import { type Matcher, readMatcher, valueAt } from './matchers.ts'
import { knownGlobs, operations, operationsMatching } from './operations.ts'
import type { RequestFacts } from './request-facts.ts'
import { didYouMean, ScenarioError, type Steps } from './scenario-error.ts'

/** One condition on a request, with the words it was asked for in. */
export interface Condition {
  /** The key in `when`: `prompt`, `header`, … */
  field: string
  asked: unknown
  /** What the request has there. */
  found(request: RequestFacts): unknown
  holds(request: RequestFacts, labelOf: LabelOf): boolean
}

/** The label that a rule gave to a task. */
export type LabelOf = (taskId: string) => string | undefined

/** The conditions of a rule, read. */
export interface When {
  /** Operations that the rule speaks about. */
  operations: ReadonlySet<string>
  /** Conditions on the request itself, the operation aside. */
  conditions: readonly Condition[]
  calls?: Calls
  /** Virtual ms since the scenario became active; `to` is not part of it. */
  during?: { fromMs: number; toMs: number }
  probability?: number
}

type Source = Readonly<Record<string, unknown>>

const fields: Record<string, (request: RequestFacts) => unknown> = {
  family: request => request.family,
  model: request => request.model,
  account: request => request.account,
  key: request => request.key,
  mode: request => request.mode,
  prompt: request => request.prompt,
}

/** Reads the conditions of a rule whose shape has been checked. Throws ScenarioError. */
export function readWhen(source: Source, steps: Steps): When {
  const when: When = {
    operations: readOperations(source.operation, [...steps, 'operation']),
    conditions: [...readFields(source, steps), ...readNamed(source, steps), ...readTask(source)],
  }
  if (source.call !== undefined) when.calls = readCall(source.call, [...steps, 'call'])
  if (source.during !== undefined) when.during = readDuring(source.during as Source, [...steps, 'during'])
  if (source.probability !== undefined) when.probability = Number(source.probability)
  return when
}

function readOperations(spelled: unknown, steps: Steps): Set<string> {
  if (spelled === undefined) return new Set(operations)
  const globs = [spelled].flat().map(String)
  return new Set(
    globs.flatMap((glob, i) => {
      const found = operationsMatching(glob)
      if (found.length > 0) return found
      const hint = didYouMean(nearest(glob, knownGlobs()), operations)
      const place = { steps: Array.isArray(spelled) ? [...steps, i] : steps, hint }
      throw new ScenarioError(`no operation is named "${glob}"`, place)
    }),
  )
}

function readFields(source: Source, steps: Steps): Condition[] {
  return Object.entries(fields).flatMap(([field, read]) => {
    const asked = source[field]
    if (asked === undefined) return []
    const matches = readMatcher(asked, [...steps, field])
    return [{ field, asked, found: read, holds: request => matches(read(request)) }]
  })
}

const named: Record<string, (request: RequestFacts, name: string) => unknown> = {
  header: (request, name) => {
    const value = request.headers[name.toLowerCase()]
    return Array.isArray(value) ? value.join(', ') : value
  },
  body: (request, pointer) => valueAt(request.body, pointer),
}

function readNamed(source: Source, steps: Steps): Condition[] {
  return Object.entries(named).flatMap(([field, read]) =>
    Object.entries((source[field] ?? {}) as Source).map(([name, asked]) => {
      const matches: Matcher = readMatcher(asked, [...steps, field, name])
      return {
        field: `${field} ${name}`,
        asked,
        found: (request: RequestFacts) => read(request, name),
        holds: (request: RequestFacts) => matches(read(request, name)),
      }
    }),
  )
}

function readTask({ task: asked }: Source): Condition[] {
  if (asked === undefined) return []
  const isMeant: (id: string, labelOf: LabelOf) => boolean =
    typeof asked === 'string'
      ? id => id === asked
      : (id, labelOf) => labelOf(id) === (asked as { of: string }).of
  return [
    {
      field: 'task',
      asked,
      found: request => request.taskIds?.join(', '),
      holds: (request, labelOf) => (request.taskIds ?? []).some(id => isMeant(id, labelOf)),
    },
  ]
}

function readCall(spelled: unknown, steps: Steps): Calls {
  const calls = readCalls(spelled)
  if (calls) return calls
  throw new ScenarioError(`"${spelled}" names no calls`, { steps, hint: 'write 3, 1..2, every 4 or from 3' })
}

function readDuring(spelled: Source, steps: Steps): { fromMs: number; toMs: number } {
  const fromMs = spelled.from === undefined ? 0 : needDuration(spelled.from, [...steps, 'from'])
  const toMs =
    spelled.to === undefined ? Number.POSITIVE_INFINITY : needDuration(spelled.to, [...steps, 'to'])
  if (toMs > fromMs) return { fromMs, toMs }
  throw new ScenarioError(`"to" (${spelled.to}) must be later than "from" (${spelled.from ?? 0})`, {
    steps,
    hint: 'write such as {from: 0s, to: 10m}',
  })
}

/** A duration in ms. Throws ScenarioError when it is none or longer than ten years. */
export function needDuration(spelled: unknown, steps: Steps): number {
  const ms = readDuration(spelled)
  if (ms !== undefined) return ms
  const hint = 'write 250ms, 90s, 5m, 2h, 7d or 1h30m, at most 3650d'
  throw new ScenarioError(`"${spelled}" is no duration`, { steps, hint })
}
