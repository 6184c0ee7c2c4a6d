import type { Trace, TraceAttempt, TraceTask } from '../../client/types.ts'
import { shortId } from '../parts/format.ts'
import { groupsOf } from '../parts/lists.ts'
import { stateOfWord } from '../parts/states.ts'
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
  label: string
  note: string
  tone: Tone
  spans: Span[]
  /** Its moments; the row leads to the first. */
  moments: readonly string[]
}

/** The rows of a run, in lanes. `inWall`: whether spans are in wall time. */
export function rowsOf(trace: Trace, moments: readonly Moment[], inWall: boolean): TraceRow[] {
  const time = new Map(moments.map(({ key, at, wall }) => [key, inWall ? wall : at]))
  const wallOf = wallLookup(moments)
  const place = (at: string) => (inWall ? wallOf(Date.parse(at)) : Date.parse(at))
  const now = inWall ? trace.wall_ms : Date.parse(trace.now)
  const own = groupsOf(moments, ({ task }) => task)
  const marks = (lane: Lane): TraceRow[] => {
    const meant = moments.filter(one => one.lane === lane)
    const [first] = meant
    if (!first) return []
    return [
      {
        key: lane,
        lane,
        label: lane,
        note: String(meant.length),
        tone: first.tone,
        moments: meant.map(({ key }) => key),
        spans: meant.map(({ key, tone, title, text }) => {
          const at = time.get(key) ?? 0
          return { from: at, to: at, tone, kind: 'mark', title: text ?? title }
        }),
      },
    ]
  }
  return [
    ...trace.attempts.map(attempt => attemptRow(attempt, { inWall, now })),
    ...trace.open.map(
      (open): TraceRow => ({
        key: `open-${open.request_id}`,
        lane: 'Open',
        label: open.operation,
        note: open.text,
        tone: 'running',
        moments: [`open-${open.request_id}`],
        spans: [
          {
            from: inWall ? open.wall_ms : Date.parse(open.at),
            to: now,
            tone: 'running',
            kind: 'call',
            title: open.text,
          },
        ],
      }),
    ),
    ...trace.tasks.map(task => taskRow(task, { place, now, own })),
    ...trace.tasks.flatMap(task => linkRow(task, { place, now, own })),
    ...(['Money', 'By hand', 'The program', 'Explore', 'Findings'] as const).flatMap(marks),
  ]
}

/** Spans that would lie within this part of the line are one. */
export const finest = 1 / 700

function attemptRow(
  { operation, calls, task_id }: TraceAttempt,
  { inWall, now }: { inWall: boolean; now: number },
): TraceRow {
  const spans: Span[] = []
  let last: number | undefined
  for (const call of calls) {
    const from = inWall ? call.wall_ms : Date.parse(call.at)
    const ended = inWall ? call.ended_wall_ms : call.ended_at === null ? null : Date.parse(call.ended_at)
    const to = ended ?? now
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

interface Around {
  place: (at: string) => number
  now: number
  /** The moments of each task. */
  own: ReadonlyMap<string | undefined, readonly Moment[]>
}

/** The colour of a state in any family's word. */
export function stateTone(word: string): Tone {
  return stateOfWord(word) ?? 'expired'
}

function taskRow(task: TraceTask, { place, now, own }: Around): TraceRow {
  const spans = task.states.map((state, i): Span => {
    const next = task.states[i + 1]
    const from = place(state.at)
    return {
      from,
      to: next ? place(next.at) : Math.max(now, from),
      tone: stateTone(state.status),
      kind: state.planned ? 'planned' : 'state',
      title: `${state.status}${state.planned ? ', planned' : ''}${state.forced ? ', forced' : ''}`,
    }
  })
  return {
    key: `task-${task.id}`,
    lane: 'Tasks',
    label: shortId(task.id),
    note: [task.status, task.prompt].filter(Boolean).join(' · '),
    tone: stateTone(task.status),
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
function wallLookup(moments: readonly Moment[]): (at: number) => number {
  return at => (moments[firstFrom(moments, at)] ?? moments.at(-1))?.wall ?? 0
}

/** The keys of the moments in a lane. */
function keysOf(moments: readonly Moment[] = [], lane: Lane): string[] {
  return moments.filter(one => one.lane === lane).map(({ key }) => key)
}
