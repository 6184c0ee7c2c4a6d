// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.

import { type Fault, formatDuration, headerOf, parseDuration } from '../../emulator/words.ts'
import type { TraceTask } from '../../kits/views.ts'
import { awaitedBy, type CopiedCall, type Part } from './part.ts'

/** What a rule must do on the nth call of an operation, so that it goes as it went then. */
export interface Rule {
  operation: string
  nth: number
  then: Record<string, unknown>
}

/** How the copy brings about what a person did by hand: by calls of the control API, or by rules alone. */
export type Means = 'control' | 'rules'

/** What each fault comes from: the request, or the state of the account or of the machine. */
const causes: Readonly<Partial<Record<string, 'request' | 'state'>>> = {
  invalid_parameter: 'request',
  missing_parameter: 'request',
  invalid_json: 'request',
  invalid_content_type: 'request',
  unknown_model: 'request',
  unauthenticated: 'request',
  forbidden_model: 'state',
  moderated: 'request',
  insufficient_balance: 'state',
  not_found: 'request',
  method_not_allowed: 'request',
  not_operable: 'request',
  not_implemented: 'request',
  too_large: 'request',
  rate_limited: 'state',
  unavailable: 'state',
  internal: 'state',
} satisfies Record<Fault, 'request' | 'state'>

/** A rule for each call that does not go by itself as it went, in the order of the calls. */
export function rulesOf(part: Part, means: Means): Rule[] {
  const counts = new Map<string, number>()
  const moved = means === 'rules' ? movedBefore(part) : new Map<number, number>()
  let carried = 0
  return part.calls.flatMap((call): Rule[] => {
    carried += moved.get(call.id) ?? 0
    if (call.counted === false) return []
    const nth = (counts.get(call.operation) ?? 0) + 1
    counts.set(call.operation, nth)
    const made = part.tasks.find(({ request_id }) => request_id === call.request_id)
    const advanceMs = carried + movedByRule(call)
    carried = 0
    const then = {
      ...(advanceMs > 0 && { clock: { advance: duration(advanceMs) } }),
      ...connectionOf(call, part),
      ...refusalOf(call, part),
      ...(made && taskOf(made, part, means)),
      ...fileFault(call, part),
    }
    return Object.keys(then).length > 0 ? [{ operation: call.operation, nth, then }] : []
  })
}

/** What happens to the connection. The call that a reply waits for has another number in the copy, which may have fewer calls. */
function connectionOf(call: CopiedCall, { trace, calls }: Part): { connection?: unknown } {
  const connection = call.effect?.connection
  if (typeof connection !== 'object' || !connection.after) return connection ? { connection } : {}
  const { after, ...rest } = connection
  const other = awaitedBy(trace, call)
  const same = calls.filter(({ operation, counted }) => operation === after.operation && counted !== false)
  const nth = 1 + same.findIndex(({ id }) => id === other?.id)
  // No call waits for itself.
  const isKept = nth > 0 && other?.id !== call.id
  const own = { ...rest, ...(isKept && { after: { operation: after.operation, call: nth } }) }
  return Object.keys(own).length > 0 ? { connection: own } : {}
}

function movedByRule({ effect }: CopiedCall): number {
  return parseDuration(effect?.clock?.advance) ?? 0
}

/** How far a person moved the clock before each call, by the call's number, ms. A forced change adds 1 ms, so that the call sees it. */
function movedBefore({ trace, calls, tasks }: Part): Map<number, number> {
  const moved = new Map<number, number>()
  for (const { action, task_id } of trace.events) {
    if (!action || action.slept) continue
    const isForce = action.call === 'POST /tasks/:id/force' && tasks.some(({ id }) => id === task_id)
    if (action.moved_ms <= 0 && !isForce) continue
    const next = calls.find(({ id, counted }) => id > action.after && counted !== false)
    if (next) moved.set(next.id, (moved.get(next.id) ?? 0) + action.moved_ms + (isForce ? 1 : 0))
  }
  return moved
}

function refusalOf(call: CopiedCall, { trace }: Part): { refuse?: unknown } {
  if (call.effect?.refuse) return { refuse: call.effect.refuse }
  if (call.operation === 'media.download' || call.status < 400 || call.fault === undefined) return {}
  const isChanged = trace.events.some(({ action }) => action?.call === 'PATCH /accounts/:id')
  const isOfAccount = isChanged && call.status < 500 && call.param === 'resolution'
  if (causes[call.fault] !== 'state' && !isOfAccount) return {}
  const wait = Number(headerOf(call.response.headers, 'retry-after') ?? Number.NaN)
  return {
    refuse: {
      fault: call.fault,
      ...(call.param !== undefined && { param: call.param }),
      ...(wait > 0 && { retry_after: `${wait}s` }),
    },
  }
}

/** The plan of a task and the fault of its files. A task that was finished when it was made needs no plan. */
function taskOf(task: TraceTask, part: Part, means: Means): { task?: unknown; media?: unknown } {
  const media = task.media_rule === undefined ? {} : { media: task.media_rule }
  const isForced = means === 'rules' && task.states.some(({ forced }) => forced)
  if (!isForced && task.states.every(({ at, forced }) => at === task.states[0]?.at && !forced)) return media
  const plan = isForced ? lived(task, part) : planned(task)
  return { task: { ...plan, ...(task.label !== undefined && { label: task.label }) }, ...media }
}

/** The plan that the task had when it was made. */
function planned({ plan, states }: TraceTask): Record<string, unknown> {
  const createdAt = Date.parse(states[0]?.at ?? '')
  const startsAt = Date.parse(plan.starts_at)
  const { outcome } = plan
  return {
    queued: duration(startsAt - createdAt),
    ...(plan.ends_at !== null && { running: duration(Date.parse(plan.ends_at) - startsAt) }),
    outcome: outcome.kind === 'never' ? (plan.expires_at === null ? 'stuck' : 'never') : outcome.kind,
    ...(outcome.kind === 'failed' && { error: { code: outcome.code, message: outcome.message } }),
    ...(plan.gone_at !== undefined && { gone: duration(Date.parse(plan.gone_at) - startsAt) }),
  }
}

/** The plan that gives a task the life which a person gave it by force. Earlier calls of the same moment still see the earlier state. */
function lived(task: TraceTask, { trace, calls }: Part): Record<string, unknown> {
  const createdAt = Date.parse(task.states[0]?.at ?? '')
  const own = task.states.filter(({ state }) => state !== 'deleted')
  const end = own.findLast(({ planned }) => !planned)
  const start = own.slice(1).find(({ state }) => state === 'running')
  const forces = trace.events.filter(
    ({ action, task_id }) => action?.call === 'POST /tasks/:id/force' && task_id === task.id,
  )
  // The clock of the copy is 1 ms later for each forced change.
  const later = forces.filter(({ action }) => calls.some(({ id }) => id > (action?.after ?? 0))).length
  const startsAt = start ? Date.parse(start.at) : undefined
  const isStartForced = start?.forced === true
  const endsAt = end && end !== start && end !== own[0] ? Date.parse(end.at) + later : undefined
  const began = startsAt === undefined ? undefined : startsAt + (isStartForced ? 1 : 0)
  const outcome = own.at(-1)?.planned && endsAt === undefined ? outcomeOf(own.at(-1)) : outcomeOf(end)
  return {
    queued: duration((began ?? endsAt ?? createdAt) - createdAt),
    ...(endsAt !== undefined && { running: duration(began === undefined ? 0 : endsAt - began) }),
    outcome,
    ...(outcome === 'failed' && task.error && { error: task.error }),
    ...(task.plan.gone_at !== undefined &&
      began !== undefined && { gone: duration(Date.parse(task.plan.gone_at) - began) }),
  }
}

/** What became of a task, in the words of scenarios; a task that is not over never ends. */
function outcomeOf({ state }: Partial<TraceTask['states'][number]> = {}): string {
  return state === undefined || state === 'queued' || state === 'running' ? 'never' : state
}

function fileFault(call: CopiedCall, { tasks }: Part): { media?: unknown } {
  if (call.operation !== 'media.download') return {}
  if (call.effect?.media) return { media: call.effect.media }
  const task = tasks.find(({ id }) => id === call.task)
  const isEnded = task?.links.some(
    ({ ended_by_hand, expires_at }) => ended_by_hand && Date.parse(expires_at) <= Date.parse(call.at),
  )
  return isEnded && call.status === 403 ? { media: { link: 'expired' } } : {}
}

/** A length in the words of the scenario language: `1m31s`, `250ms`. */
export function duration(ms: number): string {
  const whole = Math.round(ms)
  return whole <= 0 ? '0s' : formatDuration(whole)
}
