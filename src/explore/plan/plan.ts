// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.

import { beginsInside, changesFile, type SpelledMedia } from '../../emulator/gateway.ts'
import { downloadOperation, makesTask, operations, type ScenarioPlan } from '../../emulator/words.ts'
import type { RequestView, TaskView } from '../../kits/views.ts'
import { type CallName, type Case, isSameCall, nameOfCall } from './case.ts'
import { type Failure, type FailureKind, meetsFilesOf } from './catalogue.ts'

export interface ObservedCall extends CallName {
  request: RequestView
}

/** The cases to try, and the calls that are not tried, with the reason. */
export interface Plan {
  cases: Case[]
  repeated: Repeated[]
}

/** What was not tried, and why. */
export interface NotTried {
  /** Whether it is one case, or calls that are not tried with every failure. */
  kind: 'case' | 'calls'
  /** A case, or calls such as `a.get#2`. */
  what: string
  /** Why it was not tried. */
  reason: string
}

/** The reason for a case whose call the program did not make. */
export function notMade(call: CallName): string {
  return `the program did not make the call ${nameOfCall(call)} in this run`
}

/** Calls that are not tried, or only with few failures, because an earlier call made the same request. */
export interface Repeated extends NotTried {
  first: CallName
}

const known: readonly string[] = operations

/** The calls with a valid key, with their ordinals: scenario rules count only these. */
export function callsOf(requests: readonly RequestView[]): ObservedCall[] {
  const counts = new Map<string, number>()
  return requests
    .filter(({ operation, account }) => known.includes(operation) && account !== null)
    .map(request => {
      const nth = (counts.get(request.operation) ?? 0) + 1
      counts.set(request.operation, nth)
      return { operation: request.operation, nth, request }
    })
}

/** Whether the gateway refused a request by itself, and no scenario. */
export function isRefusedByItself({ status, scripted }: RequestView): boolean {
  return status >= 400 && !scripted
}

/** What is tried at the last poll, too, because it returns the result: two failures, and every restart. */
const atTheLastPoll = ['unavailable', 'reply_cut', 'killed_before', 'killed_after']

/**
 * The cases of a program, from the calls of its undisturbed run. Of calls that repeat each other (polls of one
 * task, parts of one file) only the first is tried with all failures. The last poll, which returns the result,
 * is tried with two.
 */
export function planOf(
  calls: readonly ObservedCall[],
  { catalogue, tasks, programs = new Map() }: Pick<PlanSources, 'catalogue' | 'tasks' | 'programs'>,
): Plan {
  const cases: Case[] = []
  const repeated: Repeated[] = []
  for (const group of groupsOf(calls, programs)) {
    const [first] = group
    if (!first) continue
    const last = group.at(-1)
    const middle = group.find(reachesMiddle) ?? first
    const atMiddle = (one: Case) => middle !== first && beginsHalfWay(one.failure)
    cases.push(
      ...casesAt(first, { calls, catalogue, tasks }).filter(one => !atMiddle(one)),
      ...casesAt(middle, { calls, catalogue, tasks }).filter(atMiddle),
    )
    if (last && last !== first && isPoll(last))
      cases.push(
        ...casesAt(last, { calls, catalogue, tasks }).filter(({ failure }) =>
          atTheLastPoll.includes(failure.id),
        ),
      )
    const repeats = group.slice(1, last && isPoll(last) ? -1 : undefined)
    const atLast = atTheLastPoll.filter(id => catalogue.some(failure => failure.id === id))
    if (repeats.length > 0)
      repeated.push({ kind: 'calls', what: rangeOf(repeats), reason: `repeats ${nameOfCall(first)}`, first })
    if (last && last !== first && isPoll(last) && !catalogue.every(isRestart))
      repeated.push({
        kind: 'calls',
        what: nameOfCall(last),
        reason: `tried with ${atLast.join(' and ')} only: otherwise as ${nameOfCall(first)}`,
        first,
      })
  }
  return { cases, repeated }
}

/** Whether a part of a file goes as far as its middle, where a failure such as `file_truncated` begins. */
function reachesMiddle({ request: { method, response } }: ObservedCall): boolean {
  if (method !== 'GET') return false
  const range = Object.entries(response.headers).find(([name]) => name.toLowerCase() === 'content-range')
  const [, to, size] = /-(\d+)\/(\d+)/.exec(String(range?.[1])) ?? []
  return size === undefined || Number(to) >= Math.floor(Number(size) / 2)
}

/** A reply to HEAD has no bytes of the file, nor has one that says that the program's own copy is still good (304). */
function hasNoBytes({ method, status }: RequestView): boolean {
  return method === 'HEAD' || status === 304
}

function isOfBytes({ operation, then: { media } }: Failure): boolean {
  return operation === downloadOperation && media !== undefined && changesFile(media as SpelledMedia)
}

function beginsHalfWay({ then: { media } }: Failure): boolean {
  return media !== undefined && beginsInside(media as SpelledMedia)
}

/** Whether the program is killed, instead of meeting a failure. */
export function isRestart({ kind }: Failure): boolean {
  return kind === 'restart'
}

/** Asks for one task, or for a list in which a task was. */
function isPoll({ operation, request: { task_id, task_ids = [] } }: ObservedCall): boolean {
  return (
    operation.endsWith('.get') ||
    (operation.endsWith('.list') && (task_id !== undefined || task_ids.length > 0))
  )
}

/**
 * Groups of calls with which one program makes the same request, in the order of their first calls. A create is never a repetition, and a poll never repeats a
 * call from before the first create: there a program looks whether its task exists.
 */
function groupsOf(calls: readonly ObservedCall[], programs: ReadonlyMap<string, string>): ObservedCall[][] {
  const groups = new Map<string, ObservedCall[]>()
  const firstCreate = calls.findIndex(({ operation }) => makesTask(operation))
  for (const [index, call] of calls.entries()) {
    const { operation, request } = call
    const [path] = request.path.split('?')
    const { service = '' } = request
    const place = operation === downloadOperation ? `${request.method} ${path}` : request.path
    const key = makesTask(operation)
      ? nameOfCall(call)
      : [operation, place, index < firstCreate, programs.get(service) ?? service].join('\n')
    const group = groups.get(key)
    if (group) group.push(call)
    else groups.set(key, [call])
  }
  return [...groups.values()]
}

interface PlanSources {
  calls: readonly ObservedCall[]
  catalogue: readonly Failure[]
  tasks: readonly TaskView[]
  /** Of a system: what each service runs, since a scale runs several of one. */
  programs?: ReadonlyMap<string, string>
}

function casesAt(call: ObservedCall, { calls, catalogue, tasks }: PlanSources): Case[] {
  const { operation, nth, request } = call
  const create = createOf(request, calls)
  const task = tasks.find(({ id }) => id === request.task_id)
  const plan = planGivenTo(task)
  const label = task?.label
  const isOnly = tasks.filter(other => other.label === label).length === 1
  const about = {
    ...(create && { create }),
    ...(plan && { plan }),
    ...(label !== undefined && isOnly && { label }),
    ...(task && { model: task.model }),
    ...(isToCancel(call, task, calls) && { cancels: true as const }),
  }
  const family = create?.operation.split('.')[0]
  const made = calls.find(call => call.operation === operation && !isRefusedCreate(call))
  const isFirstMade = made?.nth === nth && nth > 1 && makesTask(operation)
  return catalogue
    .filter(failure => failure.operation === operation)
    .filter(({ id }) => meetsFilesOf(family, id) && (id !== 'link_exhausted' || !isUnlimited(task)))
    .filter(failure => !isOfBytes(failure) || !hasNoBytes(request))
    .filter(({ id }) => id !== 'delete_refused' || request.status === 200)
    .filter(({ kind }) => ofAnyCall.includes(kind) || !isRefusedCreate({ operation, request }))
    .map(failure => {
      const isAlsoFirst = isFirstMade && !ofAnyCall.includes(failure.kind)
      return {
        operation,
        nth,
        failure: asTried(failure, request),
        ...about,
        ...(isAlsoFirst && { isFirstMade }),
      }
    })
}

/** Whether the links of a task may be used as often as one likes, as those of most models: such a link is never exhausted. */
function isUnlimited(task: TaskView | undefined): boolean {
  return task?.media.every(({ max_downloads }) => max_downloads === null) === true
}

/** The plan that a rule gave a task, as rules write it; undefined for a task that no rule has shaped. */
export function planGivenTo(task: TaskView | undefined): ScenarioPlan | undefined {
  if (task?.rule === undefined) return undefined
  const { created_at, label, plan } = task
  const { starts_at, ends_at, expires_at, gone_at, outcome } = plan
  const given = {
    ...(label !== undefined && { label }),
    queued: lengthBetween(created_at, starts_at),
    ...(ends_at !== null && { running: lengthBetween(starts_at, ends_at) }),
    ...(gone_at !== undefined && { gone: lengthBetween(starts_at, gone_at) }),
  }
  switch (outcome.kind) {
    case 'succeeded':
      return given
    case 'cancelled':
      return { ...given, outcome: 'cancelled' }
    case 'never':
      return { ...given, ...neverEnding(starts_at, expires_at) }
    case 'failed':
      return { ...given, outcome: 'failed', error: { code: outcome.code, message: outcome.message } }
  }
}

/** A task that never ends by itself may expire, and that may be before it runs: then it does so when every task does. */
function neverEnding(startsAt: string, expiresAt: string | null): ScenarioPlan {
  if (expiresAt === null) return { outcome: 'stuck' }
  if (Date.parse(expiresAt) <= Date.parse(startsAt)) return { outcome: 'never' }
  return { running: lengthBetween(startsAt, expiresAt), outcome: 'expired' }
}

function lengthBetween(from: string, to: string): string {
  return `${Date.parse(to) - Date.parse(from)}ms`
}

/**
 * A failure as it is tried. A task expires after two days, which few programs wait for: it does so after an hour, the least that family A
 * allows, where the program has not chosen the time itself.
 */
function asTried(failure: Failure, { request }: RequestView): Failure {
  const isChosen = JSON.stringify(request.body ?? '').includes('"execution_expires_after":')
  if (failure.id !== 'task_expired' || isChosen) return failure
  return { ...failure, then: { task: { running: '1h', outcome: 'expired' } } }
}

/** Whether a DELETE is to cancel a task: no reply of the undisturbed run has said before that the task has ended by itself. */
function isToCancel(
  { operation, nth }: ObservedCall,
  task: TaskView | undefined,
  calls: readonly ObservedCall[],
): boolean {
  if (!task || !operation.endsWith('.delete')) return false
  const endMs = Date.parse(task.plan.ends_at ?? '')
  const earlier = calls.slice(
    0,
    calls.findIndex(call => isSameCall(call, { operation, nth })),
  )
  return !earlier.some(call => isPoll(call) && isAbout(call, task.id) && call.request.at_ms >= endMs)
}

function isAbout({ request: { task_id, task_ids = [] } }: ObservedCall, id: string): boolean {
  return task_id === id || task_ids.includes(id)
}

/** The failures that a create can have which makes no task, such as a probe of the connection: all others are of the task. */
const ofAnyCall: readonly FailureKind[] = ['refusal', 'connection', 'restart']

/** Whether a create made no task although nothing failed. */
function isRefusedCreate({ operation, request }: Pick<ObservedCall, 'operation' | 'request'>): boolean {
  return makesTask(operation) && request.task_id === undefined
}

function createOf({ task_id }: RequestView, calls: readonly ObservedCall[]): CallName | undefined {
  const create = calls.find(
    ({ operation, request }) => task_id !== undefined && makesTask(operation) && request.task_id === task_id,
  )
  return create && { operation: create.operation, nth: create.nth }
}

function rangeOf(calls: readonly CallName[]): string {
  const [first] = calls
  const last = calls.at(-1)
  if (!first || !last) return ''
  return first === last ? nameOfCall(first) : `${nameOfCall(first)} to #${last.nth}`
}

/** All pairs of cases that can happen in one run. Pairs of transient failures come first. */
export function pairsOf(cases: readonly Case[]): Case[] {
  const pairs = cases.flatMap((one, index) =>
    cases.slice(index + 1).flatMap((and): Case[] => (canJoin(one, and) ? [{ ...one, and }] : [])),
  )
  const lasting = ({ failure, and }: Case) => Number(!failure.transient) + Number(!and?.failure.transient)
  return pairs.sort((one, other) => lasting(one) - lasting(other))
}

/** Two outcomes of one task, and two states of one file, exclude each other. */
function canJoin(one: Case, other: Case): boolean {
  if (!isSameCall(one, other)) return true
  const isState = ({ failure: { kind, id } }: Case) =>
    kind === 'outcome' || kind === 'media' || id.startsWith('task_')
  return !isState(one) && !isState(other) && one.failure.transient
}
