import { isWhole } from '../requests/whole.ts'
import type { Entry, TaskLine, TaskView } from '../store/shapes.ts'
import { duration } from '../task/scenario-of.ts'
import { expectedIn, type Leaf } from './expected.ts'

/** A step of the test, and its moment: virtual ms after the task was made. */
export type Step = { afterMs: number } & (
  | Call
  | { kind: 'download'; file: string; status: number }
  | { kind: 'force'; status: string; error?: object }
)

/** A request about the task, and the expected reply. `times` equal requests followed each other. */
interface Call {
  kind: 'call'
  operation: string
  method: string
  /** With the task's id in it. */
  path: string
  status: number
  expected: readonly Leaf[]
  times: number
}

/** An effect on the nth call of an operation, so that it ends as it did in the story. */
export interface Shape {
  operation: string
  nth: number
  effect: Record<string, unknown>
}

/** How the test makes the task: by the request of its client, or, without a public endpoint, by the control API. */
export type Make =
  | { kind: 'call'; operation: string; method: string; path: string; body: unknown; status: number }
  | { kind: 'control'; body: object }

/** A test that plays the story of a task again, in no language yet. */
export interface TestPlan {
  title: string
  id: string
  account: string
  make: Make
  /** False when the journal kept only digests of files, so that the request cannot be sent as it is. */
  isWhole: boolean
  shapes: readonly Shape[]
  steps: readonly Step[]
  /** The last state that is known, in the family's word; an error's code when it failed. */
  end: { afterMs: number; status: string; code?: string }
}

/** The story of a task, from which a test is made. */
export interface Told {
  task: TaskView
  line: Pick<TaskLine, 'prompt' | 'states'>
  /** Requests about the task, oldest first. */
  entries: readonly Entry[]
  /** The operation that makes tasks of this kind. */
  maker: { id: string; method: string; path: string } | undefined
}

/** Further steps are left out, so that the test stays readable. */
const mostSteps = 20

/** The test that plays a story again. */
export function planOf(told: Told): TestPlan {
  const { task, line, entries, maker } = told
  const createdAt = Date.parse(task.created_at)
  const create = entries.find(({ request_id }) => request_id === task.request_id)
  const others = entries.filter(entry => entry !== create)
  const last = line.states.at(-1)
  const prompt = line.prompt === '' ? task.kind : line.prompt
  return {
    title: `${prompt.replace(/\s+/g, ' ').slice(0, 60)}: ${last?.word ?? task.status}`,
    id: task.id,
    account: task.account,
    make: makeOf(task, create, maker),
    isWhole: isWhole(task.request),
    shapes: [...planShape(task, line, create?.operation ?? maker?.id), ...faultShapes(others)],
    steps: stepsOf({ ...told, entries: others }, createdAt).slice(0, mostSteps),
    end: {
      afterMs: (last?.at_ms ?? createdAt) - createdAt,
      status: last?.word ?? task.status,
      ...(last?.state === 'failed' && task.view.error && { code: task.view.error.code }),
    },
  }
}

function makeOf(task: TaskView, create: Entry | undefined, maker: Told['maker']): Make {
  if (!create && (!maker || task.rule === 'POST /__emulator/tasks')) {
    const { family, kind, request } = task
    return { kind: 'control', body: { family, kind, request } }
  }
  const path = create?.path ?? maker?.path.replace('{model}', encodeURIComponent(task.model)) ?? ''
  return {
    kind: 'call',
    operation: create?.operation ?? maker?.id ?? '',
    method: create?.method ?? maker?.method ?? 'POST',
    path,
    body: task.request,
    status: create?.reply_lost ? 200 : (create?.status ?? 200),
  }
}

/** Waiting, running and outcome as they were planned. What is done at birth needs none. */
function planShape(task: TaskView, line: Told['line'], operation: string | undefined): Shape[] {
  const { starts_at, ends_at, outcome } = task.plan
  const createdAt = Date.parse(task.created_at)
  const isAtOnce = line.states.every(({ at_ms }) => at_ms === createdAt)
  if (operation === undefined || isAtOnce) return []
  const startsAt = Date.parse(starts_at)
  const isExpiry = outcome.kind === 'never' && line.states.at(-1)?.state === 'expired'
  const shape = {
    queued: duration(startsAt - createdAt),
    ...(ends_at !== null && { running: duration(Date.parse(ends_at) - startsAt) }),
    outcome: isExpiry ? 'expired' : outcome.kind,
    ...(outcome.kind === 'failed' && { error: { code: outcome.code, message: outcome.message } }),
  }
  const media = task.media_rule === undefined ? {} : { media: task.media_rule }
  return [{ operation, nth: 1, effect: { task: shape, ...media } }]
}

/** Faults that a rule of the scenario language can play again. */
const playable = new Set([
  'invalid_parameter',
  'unauthenticated',
  'forbidden_model',
  'moderated',
  'not_found',
  'too_large',
  'rate_limited',
  'unavailable',
  'internal',
])

/** Refusals that a rule made: in the test a rule makes them too. */
function faultShapes(entries: readonly Entry[]): Shape[] {
  const counts = new Map<string, number>()
  return entries.flatMap(({ operation, rule, fault, status, response }): Shape[] => {
    const nth = (counts.get(operation) ?? 0) + 1
    counts.set(operation, nth)
    if (rule === undefined || fault === undefined || status < 400 || !playable.has(fault)) return []
    const wait = Number(headerOf(response.headers, 'retry-after') ?? Number.NaN)
    return [{ operation, nth, effect: { refuse: { fault, ...(wait > 0 && { retry_after: `${wait}s` }) } } }]
  })
}

function headerOf(headers: object, name: string): unknown {
  return Object.entries(headers).find(([known]) => known.toLowerCase() === name)?.[1]
}

function stepsOf({ task, line, entries }: Told, createdAt: number): Step[] {
  const steps = folded(entries.filter(isPlayable).map(entry => stepOf(entry, createdAt)))
  for (const fact of task.facts) {
    if (fact.kind !== 'forced') continue
    const afterMs = Date.parse(fact.at) - createdAt
    const word = line.states.find(({ state }) => state === fact.status)?.word ?? fact.status
    const place = steps.findIndex(
      step => step.afterMs > afterMs || (step.afterMs === afterMs && tells(step, word)),
    )
    const forced: Step = {
      kind: 'force',
      afterMs,
      status: fact.status,
      ...(fact.error && { error: fact.error }),
    }
    steps.splice(place < 0 ? steps.length : place, 0, forced)
  }
  return steps
}

/** At one moment, a reply with the forced state came after the force. */
function tells(step: Step, word: string): boolean {
  return step.kind === 'call' && step.expected.some(({ value }) => value === word)
}

/** Whole replies of the task's own requests; a broken connection has no reply to expect. */
function isPlayable({ status, reply_lost, connection, operation, rule, fault }: Entry): boolean {
  if (status === 0 || reply_lost || connection !== undefined) return false
  if (rule !== undefined && status >= 400 && (fault === undefined || !playable.has(fault))) return false
  return operation !== 'media.download' || status === 200
}

function stepOf({ at_ms, operation, method, path, status, response }: Entry, createdAt: number): Step {
  const afterMs = at_ms - createdAt
  if (operation === 'media.download')
    return { kind: 'download', afterMs, file: path.split('?', 1)[0]?.split('/').at(-1) ?? '', status }
  return {
    kind: 'call',
    afterMs,
    operation,
    method,
    path,
    status,
    expected: expectedIn(response.body),
    times: 1,
  }
}

/** Equal calls in a row are one step, at the moment of the first. */
function folded(steps: readonly Step[]): Step[] {
  const list: Step[] = []
  for (const step of steps) {
    const before = list.at(-1)
    if (before?.kind === 'call' && step.kind === 'call' && isSame(before, step))
      list[list.length - 1] = { ...before, times: before.times + 1 }
    else list.push(step)
  }
  return list
}

function isSame(one: Call, other: Call): boolean {
  const told = ({ path, status, expected }: Call) => JSON.stringify([path, status, expected])
  return told(one) === told(other)
}
