import type { Path } from '../parts/path.ts'
import { awaitedBy, type CopiedCall, type Part } from './part.ts'

/** A step of a copied test, and its moment: virtual ms after the first. */
export type Step = { afterMs: number } & Doing

type Doing =
  | SentCall
  | { kind: 'force'; task: string; status: string; error?: object }
  | { kind: 'expire'; task: string }
  | { kind: 'account'; account: string; change: unknown }
  | { kind: 'make'; task: string; body: unknown }

/** A value of a reply, and the keys and indexes that lead to it. */
export interface Leaf {
  path: Path
  value: string | number | boolean
}

/** A request, and what is expected of its reply. `times` equal requests followed each other. */
export interface SentCall {
  kind: 'call'
  method: string
  /** With the ids of tasks as they were. */
  path: string
  body: unknown
  /** The account; null for a key that was refused. */
  account: string | null
  /** Which key of it; absent for its first one. */
  key_label?: string
  /** For a download: the task and the name of its file. */
  file?: { task: string; output: string; range?: string }
  made?: string
  status: number
  broken?: NonNullable<CopiedCall['broken']>
  /** False when not even the head of a reply came. */
  hasHead: boolean
  /** The Retry-After of the reply; undefined when it has none. */
  retryAfter?: string
  expected: readonly Leaf[]
  times: number
  /** Where its reply comes only after that to a later request: the numbers of both in the journal. */
  held?: { id: number; until: number }
  /** Its number in the journal, where another reply comes only after its own. */
  awaited?: number
  /** Of a held call, which is two steps: it is sent, and then so many replies are held; later its reply is read. */
  phase?: { kind: 'sent'; held: number } | { kind: 'read' }
}

/** When a run began, virtual, epoch ms. */
export function startOf({ calls, tasks }: Part): number {
  return Math.min(
    ...calls.map(({ at }) => Date.parse(at)),
    ...tasks.map(({ states }) => Date.parse(states[0]?.at ?? '')),
  )
}

/** The steps of a run: calls and what a person did, in order. */
export function stepsOf(part: Part): Step[] {
  const { trace, calls, tasks } = part
  const start = startOf(part)
  const placed: { place: number; step: Step }[] = []
  const add = (place: number, at = '', doing: Doing) => {
    const afterMs = Math.max(0, Date.parse(at) - start)
    placed.push({ place, step: { afterMs, ...doing } })
  }
  const others = new Map(calls.map(call => [call.id, awaitedBy(trace, call)?.id ?? 0]))
  for (const call of calls) {
    if (call.operation === 'media.download' && call.counted === false) continue
    const until = others.get(call.id) ?? 0
    add(call.id, call.at, {
      ...sentCall(call, tasks),
      ...(until > call.id && { held: { id: call.id, until } }),
      ...([...others.values()].includes(call.id) && { awaited: call.id }),
    })
  }
  for (const { at, action, task_id } of trace.events) {
    if (!action) continue
    const place = action.after + 0.5
    const task = tasks.find(({ id }) => id === task_id)?.id
    const { status = '', error } = (action.body ?? {}) as { status?: string; error?: object }
    if (action.call === 'POST /tasks/:id/force' && task !== undefined)
      add(place, at, { kind: 'force', task, status, ...(error && { error }) })
    if (action.call === 'POST /tasks/:id/expire-link' && task !== undefined)
      add(place, at, { kind: 'expire', task })
    if (action.call === 'PATCH /accounts/:id')
      add(place, at, { kind: 'account', account: action.params?.id ?? 'default', change: action.body })
  }
  for (const { id, family, kind, account, request, made_by_hand, states } of tasks) {
    if (!made_by_hand) continue
    const first = calls.find(call => call.task === id)?.id ?? Number.POSITIVE_INFINITY
    const body = { family, kind, ...(account !== 'default' && { account }), request }
    add(first - 0.7, states[0]?.at, { kind: 'make', task: id, body })
  }
  return withHeld(folded(placed.sort((a, b) => a.place - b.place).map(({ step }) => step)))
}

/** A call whose reply is held becomes two steps: it is sent, and its reply is read when that to the other call has come. */
function withHeld(steps: readonly Step[]): Step[] {
  const list: Step[] = []
  let open: Extract<Step, SentCall>[] = []
  const readAfter = (id: number, afterMs: number) => {
    const released = open.filter(({ held }) => held?.until === id)
    open = open.filter(one => !released.includes(one))
    for (const one of released) {
      list.push({ ...one, afterMs, phase: { kind: 'read' } })
      if (one.awaited !== undefined) readAfter(one.awaited, afterMs)
    }
  }
  for (const step of steps) {
    if (step.kind === 'call' && step.held) {
      open.push(step)
      list.push({ ...step, phase: { kind: 'sent', held: open.length } })
    } else {
      list.push(step)
      if (step.kind === 'call' && step.awaited !== undefined) readAfter(step.awaited, step.afterMs)
    }
  }
  return list
}

function sentCall(call: CopiedCall, tasks: Part['tasks']): SentCall {
  const made = tasks.find(({ request_id, made_by_hand }) => request_id === call.request_id && !made_by_hand)
  const { range } = call.request.headers
  const retryAfter = call.response.headers['retry-after']
  return {
    kind: 'call',
    method: call.method,
    path: call.path,
    body: made ? made.request : (call.request.body ?? undefined),
    account: call.account,
    ...(call.key_label !== undefined && { key_label: call.key_label }),
    ...(call.operation === 'media.download' &&
      call.task !== undefined && {
        file: { task: call.task, output: outputIn(call.path), ...(range !== undefined && { range }) },
      }),
    ...(made && { made: made.id }),
    status: call.status,
    ...(call.broken && { broken: call.broken }),
    hasHead: call.first_byte_at !== undefined,
    ...(retryAfter !== undefined && !call.broken && { retryAfter: String(retryAfter) }),
    expected: call.broken || call.operation === 'media.download' ? [] : expectedIn(call.response.body),
    times: 1,
  }
}

function outputIn(path: string): string {
  const file = path.split('?', 1)[0]?.split('/').at(-1) ?? ''
  return file.replace(/\.[^.]*$/, '')
}

/** Equal calls in a row of one moment are one step. */
function folded(steps: readonly Step[]): Step[] {
  const list: Step[] = []
  for (const step of steps) {
    const before = list.at(-1)
    if (
      before?.kind === 'call' &&
      step.kind === 'call' &&
      step.made === undefined &&
      contentOf(before) === contentOf(step)
    )
      list[list.length - 1] = { ...before, times: before.times + 1 }
    else list.push(step)
  }
  return list
}

/** A call as a text, without how often it was sent. */
function contentOf({ times: _, ...step }: Extract<Step, SentCall>): string {
  return JSON.stringify(step)
}

/** Fields that follow from the request and the plan alone. Ids, moments, links, amounts, messages and random values are left out. */
const stable = /^(?:status|task_status|task_type|modality|code|type|resolution|output_format)$/

/** What a test can expect of a reply in another world: a few fields, in their order. */
export function expectedIn(body: unknown): Leaf[] {
  return leavesOf(body, []).filter(({ path }) => stable.test(String(path.at(-1))))
}

function leavesOf(value: unknown, path: Path): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...path, index]))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]))
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? [{ path, value }]
    : []
}
