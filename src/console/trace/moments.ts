import type { Trace, TraceCall, TraceEvent, TraceTask } from '../../kits/views.ts'
import { firstWhere } from '../parts/lists.ts'

/** How a moment is coloured, in the words of the stylesheet. */
export type Tone = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired'

/** The parts of the page of a run. */
export type Lane =
  | 'Calls'
  | 'Tasks'
  | 'Links'
  | 'Money'
  | 'Findings'
  | 'By hand'
  | 'The program'
  | 'Explore'
  | 'Open'

/** One moment of a run, which the cursor can stand on. */
export interface Moment {
  key: string
  lane: Lane
  /** Virtual time, epoch ms. */
  at: number
  /** Wall time, ms since the emulator started; between two calls it is estimated. */
  wall: number
  title: string
  tone: Tone
  call?: TraceCall
  operation?: string
  /** What is shown besides calls. */
  text?: string
  task?: string
}

/** Every moment of a run, in order: calls, events, findings, and what is still open. */
export function momentsOf(trace: Trace): Moment[] {
  const wallOf = wallTimes(trace)
  const makers = new Map(trace.tasks.map(({ id, request_id }) => [id, request_id]))
  const moments: Moment[] = [
    ...trace.attempts.flatMap(({ operation, calls, task_id }) =>
      calls.map(call => callMoment(call, operation, task_id)),
    ),
    ...trace.events.map((event, i) => {
      const { lane, tone } = events[event.kind]
      const wall = event.wall_ms ?? wallOf(event.at, [event.request_id, makers.get(event.task_id ?? '')])
      const title = `${lane === 'Tasks' ? 'Task' : lane}: ${event.text}`
      return momentOf(event, { key: `event-${i}`, lane, wall, title, tone })
    }),
    ...trace.findings.map((finding, i) => {
      const title = `Finding: ${finding.kind.replaceAll('_', ' ')}`
      const wall = wallOf(finding.at, finding.request_ids)
      return momentOf(finding, { key: `finding-${i}`, lane: 'Findings', wall, title, tone: 'failed' })
    }),
    ...trace.open.map(open => {
      const { request_id, wall_ms: wall, operation, for_ms } = open
      const text = `${open.text}, for ${(for_ms / 1000).toFixed(1)} s`
      const about = { key: `open-${request_id}`, title: `Open: ${operation}` }
      return momentOf({ ...open, text }, { ...about, lane: 'Open', wall, tone: 'running' })
    }),
  ]
  return moments.sort((a, b) => a.at - b.at || a.wall - b.wall)
}

function callMoment(call: TraceCall, operation: string, task: string | undefined): Moment {
  return {
    key: `call-${call.id}`,
    lane: 'Calls',
    at: Date.parse(call.at),
    wall: call.wall_ms,
    title: `${operation} ${outcomeOf(call)}`,
    tone: toneOf(call),
    call,
    operation,
    ...(task !== undefined && { task }),
  }
}

/** The outcome of a call in a few words: `200`, `429`, `200, cut`, `no reply`. */
export function outcomeOf({ status, broken, client_left, ended_at }: TraceCall): string {
  const reply = status === 0 ? 'no reply' : String(status)
  if (broken) return `${reply}, ${broken.replace('_', ' ')}`
  if (client_left) return `${reply}, the client left`
  return ended_at === null ? `${reply}, still open` : reply
}

/** Whatever refused or broke a call, it has failed: one colour, and one word for it. */
export function toneOf({ status, broken, client_left, ended_at }: TraceCall): Tone {
  if (broken || client_left || status === 0 || status >= 400) return 'failed'
  return ended_at === null ? 'running' : 'succeeded'
}

const events: Readonly<Record<TraceEvent['kind'], { lane: Lane; tone: Tone }>> = {
  state: { lane: 'Tasks', tone: 'running' },
  links_open: { lane: 'Links', tone: 'succeeded' },
  links_end: { lane: 'Links', tone: 'expired' },
  money: { lane: 'Money', tone: 'queued' },
  by_hand: { lane: 'By hand', tone: 'cancelled' },
  by_program: { lane: 'The program', tone: 'queued' },
  by_explore: { lane: 'Explore', tone: 'cancelled' },
}

/** A moment that is no call, from its record in the trace. */
function momentOf(
  { at, text, task_id }: { at: string; text: string; task_id?: string },
  rest: Pick<Moment, 'key' | 'lane' | 'wall' | 'title' | 'tone'>,
): Moment {
  return { ...rest, at: Date.parse(at), text, ...(task_id !== undefined && { task: task_id }) }
}

/**
 * Wall time at a virtual moment: known at calls and at what was done through the control API, between them in proportion. It is not
 * before the calls of that moment which caused it: under a manual clock many calls have one moment.
 */
function wallTimes({
  attempts,
  events,
  now,
  wall_ms,
}: Trace): (moment: string, causes: readonly (string | undefined)[]) => number {
  const calls = attempts.flatMap(attempt => attempt.calls)
  const known = [
    ...calls.map(({ at, wall_ms }) => ({ at: Date.parse(at), wall: wall_ms })),
    ...events.flatMap(({ at, wall_ms }) =>
      wall_ms === undefined ? [] : [{ at: Date.parse(at), wall: wall_ms }],
    ),
    { at: Date.parse(now), wall: wall_ms },
  ].sort((a, b) => a.at - b.at || a.wall - b.wall)
  const estimated = (at: number) => {
    const next = firstFrom(known, at)
    const after = known[next]
    const before = known[next - 1]
    if (!after) return wall_ms
    if (!before || after.at === before.at) return after.wall
    return before.wall + ((after.wall - before.wall) * (at - before.at)) / (after.at - before.at)
  }
  const byId = new Map(calls.map(call => [call.request_id, call]))
  return (moment, causes) => {
    const own = causes.flatMap(id => byId.get(id ?? '') ?? []).filter(({ at }) => at === moment)
    return Math.max(estimated(Date.parse(moment)), ...own.map(call => call.wall_ms))
  }
}

/** The state of a task at a moment, epoch ms; undefined before it was made. */
export function stateAt({ states }: TraceTask, at: number): TraceTask['states'][number] | undefined {
  return states.findLast(state => Date.parse(state.at) <= at)
}

/** What was reserved and settled up to a moment, in credits. Of several creates at one virtual time, later ones have not happened yet. */
export function moneyAt(
  { attempts, tasks }: Trace,
  { at, wall }: Pick<Moment, 'at' | 'wall'>,
): { reserved: number; settled: number } {
  const madeAt = new Map(
    attempts.flatMap(({ calls }) => calls.map(call => [call.request_id, call.wall_ms] as const)),
  )
  const isMade = ({ request_id }: TraceTask) => (madeAt.get(request_id) ?? 0) <= wall
  let [reserved, settled] = [0, 0]
  for (const [task, entry] of tasks.flatMap(one => one.money.map(entry => [one, entry] as const))) {
    const entryAt = Date.parse(entry.at)
    if (entryAt > at || (entryAt === at && !isMade(task))) continue
    if (entry.kind === 'reserved') reserved += entry.amount
    else reserved -= entry.amount + (entry.released ?? 0)
    if (entry.kind === 'settled') settled += entry.amount
  }
  return { reserved: Math.max(0, Math.round(reserved * 1e6) / 1e6), settled: Math.round(settled * 1e6) / 1e6 }
}

/** The index of the first item at this moment or later; the length when there is none. Items are in order. */
export function firstFrom(items: readonly { at: number }[], at: number): number {
  return firstWhere(items.length, i => (items[i]?.at ?? 0) >= at)
}
