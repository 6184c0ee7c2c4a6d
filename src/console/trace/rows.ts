import type { Trace, TraceAttempt, TraceOpen, TraceTask } from '../../kits/views.ts'
import { counted, shortId } from '../parts/format.ts'
import { groupsOf } from '../parts/lists.ts'
import { firstFrom, type Lane, type Moment, outcomeOf, type Tone, toneOf } from './moments.ts'

/** A part of a row's line. Times are virtual (epoch ms) or wall, as the page shows. */
export interface Span {
  from: number
  to: number
  tone: Tone
  kind: 'call' | 'wait' | 'state' | 'planned' | 'link' | 'mark'
  title: string
}

/** A line of the run. */
export interface TraceRow {
  key: string
  lane: Lane
  /** The service of a system whose calls these are. */
  service?: string
  label: string
  note: string
  tone: Tone
  spans: Span[]
  /** Its moments; the row leads to the first. */
  moments: readonly string[]
}

/** The rows of a run, in lanes. `inWall`: whether spans are in wall time. */
export function rowsOf(trace: Trace, moments: readonly Moment[], inWall: boolean): TraceRow[] {
  const timeOf = (at: string, wall: number) => (inWall ? wall : Date.parse(at))
  const around: Around = {
    timeOf,
    place: at => (inWall ? wallAt(moments, Date.parse(at)) : Date.parse(at)),
    now: timeOf(trace.now, trace.wall_ms),
    own: groupsOf(moments, ({ task }) => task),
  }
  return [
    ...callRows(trace, around),
    ...trace.open.map(open => openRow(open, around)),
    ...trace.tasks.map(task => taskRow(task, around)),
    ...trace.tasks.flatMap(task => linkRow(task, around)),
    ...(['Money', 'By hand', 'The program', 'Explore', 'Findings'] as const).flatMap(lane =>
      markRow(
        lane,
        moments.filter(one => one.lane === lane),
        inWall,
      ),
    ),
  ]
}

/** The attempts; of a system below the services that made them, each of which has a line of all its calls. */
function callRows({ attempts }: Trace, around: Around): TraceRow[] {
  const services = groupsOf(attempts, ({ calls }) => calls[0]?.service)
  if ([...services.keys()].every(service => service === undefined)) {
    return attempts.map(attempt => attemptRow(attempt, around))
  }
  return [...services].flatMap(([service = 'nobody known', own]) => [
    serviceRow(service, own, around),
    ...own.map(attempt => ({ ...attemptRow(attempt, around), service })),
  ])
}

/** All calls of a service on one line. */
function serviceRow(service: string, attempts: readonly TraceAttempt[], around: Around): TraceRow {
  const rows = attempts.map(attempt => attemptRow(attempt, around))
  const spans = rows.flatMap(row => row.spans).filter(({ kind }) => kind === 'call')
  spans.sort((one, other) => one.from - other.from)
  const failed = spans.filter(({ tone }) => tone === 'failed').length
  return {
    key: `service-${service}`,
    lane: 'Calls',
    service,
    label: service,
    note: [counted(spans.length, 'call'), failed > 0 ? `${failed} failed` : ''].filter(Boolean).join(' · '),
    tone: failed > 0 ? 'failed' : 'succeeded',
    spans,
    moments: rows[0]?.moments.slice(0, 1) ?? [],
  }
}

interface Around {
  /** The shown time of what has both. */
  timeOf: (at: string, wall: number) => number
  place: (at: string) => number
  now: number
  /** The moments of each task. */
  own: ReadonlyMap<string | undefined, readonly Moment[]>
}

/** Spans that would lie within this part of the line are one. */
export const finest = 1 / 700

function attemptRow({ operation, calls, task_id }: TraceAttempt, { timeOf, now }: Around): TraceRow {
  const spans: Span[] = []
  let last: number | undefined
  for (const call of calls) {
    const from = timeOf(call.at, call.wall_ms)
    const to = call.ended_at === null ? now : timeOf(call.ended_at, call.ended_wall_ms ?? 0)
    if (last !== undefined && call.wait && from > last)
      spans.push({
        from: last,
        to: from,
        tone: call.wait.kept_s >= call.wait.asked_s ? 'queued' : 'failed',
        kind: 'wait',
        title: `waited ${call.wait.kept_s} s, asked for ${call.wait.asked_s} s`,
      })
    spans.push({ from, to, tone: toneOf(call), kind: 'call', title: `${operation} ${outcomeOf(call)}` })
    last = to
  }
  const end = calls.at(-1)
  const bad = calls.filter(call => toneOf(call) === 'failed').length
  return {
    key: `attempt-${calls[0]?.id}`,
    lane: 'Calls',
    label: operation,
    note: [
      calls.length > 1 ? `${calls.length} calls` : '',
      bad > 0 ? `${bad} failed` : '',
      end ? outcomeOf(end) : '',
      task_id === undefined ? '' : shortId(task_id),
    ]
      .filter(Boolean)
      .join(' · '),
    tone: end ? toneOf(end) : 'queued',
    spans,
    moments: calls.map(({ id }) => `call-${id}`),
  }
}

function openRow({ request_id, operation, at, wall_ms, text }: TraceOpen, { timeOf, now }: Around): TraceRow {
  return {
    key: `open-${request_id}`,
    lane: 'Open',
    label: operation,
    note: text,
    tone: 'running',
    moments: [`open-${request_id}`],
    spans: [{ from: timeOf(at, wall_ms), to: now, tone: 'running', kind: 'call', title: text }],
  }
}

function markRow(lane: Lane, moments: readonly Moment[], inWall: boolean): TraceRow[] {
  const [first] = moments
  if (!first) return []
  return [
    {
      key: lane,
      lane,
      label: lane,
      note: String(moments.length),
      tone: first.tone,
      moments: moments.map(({ key }) => key),
      spans: moments.map(({ at, wall, tone, title, text }) => {
        const time = inWall ? wall : at
        return { from: time, to: time, tone, kind: 'mark', title: text ?? title }
      }),
    },
  ]
}

/** The colour of a state. Traces of earlier versions have only the family's word. */
export function stateTone(state: TraceTask['states'][number]['state'] = 'deleted'): Tone {
  return state === 'deleted' ? 'expired' : state
}

function taskRow(task: TraceTask, { place, now, own }: Around): TraceRow {
  const spans = task.states.map((state, i): Span => {
    const next = task.states[i + 1]
    const from = place(state.at)
    return {
      from,
      to: next ? place(next.at) : Math.max(now, from),
      tone: stateTone(state.state),
      kind: state.planned ? 'planned' : 'state',
      title: `${state.status}${state.planned ? ', planned' : ''}${state.forced ? ', forced' : ''}`,
    }
  })
  return {
    key: `task-${task.id}`,
    lane: 'Tasks',
    label: shortId(task.id),
    note: [task.status, task.prompt].filter(Boolean).join(' · '),
    tone: stateTone(task.state),
    spans,
    moments: keysOf(own.get(task.id), 'Tasks'),
  }
}

function linkRow(task: TraceTask, { place, now, own }: Around): TraceRow[] {
  const [link] = task.links
  if (!link || link.planned) return []
  const isOver = place(link.expires_at) <= now
  const downloads = task.links.reduce((sum, one) => sum + one.downloads, 0)
  return [
    {
      key: `links-${task.id}`,
      lane: 'Links',
      label: `${task.links.map(({ output }) => output).join(', ')}`,
      note: `${shortId(task.id)} · opened ${downloads} ${downloads === 1 ? 'time' : 'times'}${isOver ? ' · ended' : ''}`,
      tone: isOver ? 'expired' : 'succeeded',
      spans: [
        {
          from: place(link.opens_at),
          to: Math.min(place(link.expires_at), Math.max(now, place(link.opens_at))),
          tone: isOver ? 'expired' : 'succeeded',
          kind: 'link',
          title: `works from ${link.opens_at} to ${link.expires_at}`,
        },
      ],
      moments: keysOf(own.get(task.id), 'Links'),
    },
  ]
}

/** Wall time at a virtual moment, from the moment that follows it. */
function wallAt(moments: readonly Moment[], at: number): number {
  return (moments[firstFrom(moments, at)] ?? moments.at(-1))?.wall ?? 0
}

function keysOf(moments: readonly Moment[] = [], lane: Lane): string[] {
  return moments.filter(one => one.lane === lane).map(({ key }) => key)
}
