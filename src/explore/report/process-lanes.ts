import { formatDuration } from '../../emulator/words.ts'
import { counted } from '../judge/counted.ts'
import type { LifeRow, ProcessCall, Row, SystemCalls } from '../judge/row.ts'
import type { Level } from '../judge/verdicts.ts'
import { nameOfCall } from '../plan/case.ts'

/** A call on the lane of its process. Places are parts of the line, 0 to 1. */
export interface LaneCall {
  /** Such as `create#1`. */
  name: string
  /** The whole name, its outcome, and when it came after the first call. */
  title: string
  from: number
  to: number
  /** Whether there is room for its name. */
  isNamed: boolean
  /** `good` when it was answered, `warning` when it was refused, `problem` when its reply was broken or did not come. */
  tone: Level
  /** Whether it is a call of the case. */
  isOfCase: boolean
}

/** The calls of one process, and where it was killed and started again. */
export interface Lane {
  process: string
  calls: LaneCall[]
  killedAt?: number
  startedAgain?: { at: number; title: string }
}

/** The processes of a system on one line of time. */
export interface Lanes {
  lanes: Lane[]
  /** Times to write below the line, from the first call on. */
  ticks: { place: number; text: string }[]
  /** Sentences about what it does not show. */
  note: string
}

/**
 * A lane for each process that called or was killed, on one line of time; undefined for a single program, and when nobody called. `services`
 * are those of the system.
 */
export function lanesOf(row: Row, services: readonly string[] = []): Lanes | undefined {
  const { calls = [], killed, started_again_at: again, left_out: left } = row.system ?? {}
  if (calls.length === 0) return undefined
  const line = lineOf(calls, again === undefined ? undefined : Date.parse(again))
  const point = calls.find(call => isOfCase(call, row))
  const shown = new Set([...calls.map(processOf), ...(killed === undefined ? [] : [killed])])
  const idle = services.filter(service => !shown.has(service))
  const lanes = [...new Set([...services.filter(service => shown.has(service)), ...shown])].map(
    (process): Lane => {
      const own = calls.filter(call => processOf(call) === process)
      return {
        process,
        calls: named(own.map(call => laneCall(call, row, line))),
        ...(process === killed && point && { killedAt: line.end(point) }),
        ...(process === killed && line.mark && { startedAgain: startedAgain(line.mark, line) }),
      }
    },
  )
  return {
    lanes,
    ticks: line.ticks,
    note: [
      'Long rests are shortened, and calls of one moment stand in their order.',
      ...(idle.length > 0 ? [`Without a call: ${idle.join(', ')}.`] : []),
      ...(left === undefined ? [] : [`${counted(left, 'call')} in the middle are left out.`]),
    ].join(' '),
  }
}

/** The calls of both lives of a program, as if each life were a process. */
export function callsOfLives(lives: readonly LifeRow[]): SystemCalls {
  const all = lives.flatMap(({ calls }, index) =>
    calls.map(call => ({ ...call, service: `life ${index + 1}`, ended_at: call.at })),
  )
  const calls = all.map((call, place) => ({ ...call, wall_ms: place, ended_wall_ms: place }))
  return { calls, ...(lives[0]?.exit === 'SIGKILL' && { killed: 'life 1' }) }
}

function startedAgain({ place, atMs }: Mark, { sinceMs }: Line): NonNullable<Lane['startedAgain']> {
  return { at: place, title: `started again after ${timeText(atMs - sinceMs)}` }
}

function processOf({ service = 'unknown' }: ProcessCall): string {
  return service
}

/** Whether it is the call of a case, the one whose reply came first, or the second one of a pair. */
function isOfCase({ operation, nth = 0 }: ProcessCall, { first, and, ...row }: Row): boolean {
  const name = nameOfCall({ operation, nth })
  return [nameOfCall(row), first, and?.split(' ', 1)[0]].includes(name)
}

/** The name of a call needs so much of the line for each of its characters. */
const roomOfSign = 0.0075

/** The calls of a lane with names that do not lie above each other; those of the case always have theirs. */
function named(calls: readonly Omit<LaneCall, 'isNamed'>[]): LaneCall[] {
  let free = 0
  return calls.map((call, index) => {
    const end = call.from + call.name.length * roomOfSign
    const isNamed = call.isOfCase || (call.from >= free && end <= (calls[index + 1]?.from ?? 1))
    if (isNamed) free = end
    return { ...call, isNamed }
  })
}

function laneCall(call: ProcessCall, row: Row, line: Line): Omit<LaneCall, 'isNamed'> {
  const { operation, nth, status, broken } = call
  const ordinal = nth === undefined ? '' : `#${nth}`
  const name = `${operation.split('.').at(-1)}${ordinal}`
  const outcome = [status === 0 ? 'no reply' : String(status), broken].filter(Boolean).join(', ')
  return {
    name,
    title: `${operation}${ordinal} -> ${outcome}, after ${timeText(Date.parse(call.at) - line.sinceMs)}`,
    from: line.start(call),
    to: line.end(call),
    tone: broken || status === 0 || status >= 500 ? 'problem' : status >= 400 ? 'warning' : 'good',
    isOfCase: isOfCase(call, row),
  }
}

interface Line {
  /** The virtual moment of the first call, epoch ms. */
  sinceMs: number
  start(call: ProcessCall): number
  end(call: ProcessCall): number
  ticks: Lanes['ticks']
  mark?: Mark
}

/** A virtual moment, epoch ms, at which nobody called. */
interface Mark {
  place: number
  atMs: number
}

/** A rest of this length takes one unit of the line more than a step of order, virtual ms; one ten times as long takes three and a half. */
const unitMs = 100
/** The part of the line between two ticks, and behind the last one. */
const tickRoom = 0.09

/**
 * A line on which each beginning and end of a call has its place, in the order in which they came: in virtual time many calls have one
 * moment. A rest between two moments takes more the longer it is, but not in proportion. `markedMs` is one more moment.
 */
function lineOf(calls: readonly ProcessCall[], markedMs?: number): Line {
  const called = calls.flatMap(call => [
    { call, isEnd: false, atMs: Date.parse(call.at), wallMs: call.wall_ms },
    ...(call.ended_at === null
      ? []
      : [{ call, isEnd: true, atMs: Date.parse(call.ended_at), wallMs: call.ended_wall_ms ?? call.wall_ms }]),
  ])
  called.sort((one, other) => one.wallMs - other.wallMs)
  const moments: { atMs: number; call?: ProcessCall; isEnd?: boolean }[] = called
  const marked = markedMs === undefined ? -1 : moments.findLastIndex(({ atMs }) => atMs <= markedMs) + 1
  if (markedMs !== undefined) moments.splice(marked, 0, { atMs: markedMs })
  const places: number[] = []
  for (const [index, { atMs }] of moments.entries()) {
    const before = moments[index - 1]
    const restMs = before ? Math.max(0, atMs - before.atMs) : 0
    places.push(before ? (places[index - 1] ?? 0) + 1 + Math.log2(1 + restMs / unitMs) : 0)
  }
  // The name of the last call needs some room.
  const whole = (places.at(-1) ?? 0) + 2
  const placeOf = (call: ProcessCall, isEnd: boolean) => {
    const index = moments.findIndex(moment => moment.call === call && moment.isEnd === isEnd)
    return index < 0 ? 1 : (places[index] ?? 0) / whole
  }
  const sinceMs = Math.min(...moments.map(({ atMs }) => atMs))
  const ticks: Lanes['ticks'] = []
  for (const [index, { atMs }] of moments.entries()) {
    const place = (places[index] ?? 0) / whole
    const last = ticks.at(-1)
    const text = timeText(atMs - sinceMs)
    const isRoom = !last || (place - last.place >= tickRoom && place <= 1 - tickRoom)
    if (isRoom && text !== last?.text) ticks.push({ place, text })
  }
  const place = places[marked]
  return {
    ...{ sinceMs, ticks, start: call => placeOf(call, false), end: call => placeOf(call, true) },
    ...(place !== undefined && markedMs !== undefined && { mark: { place: place / whole, atMs: markedMs } }),
  }
}

/** `12.4 s`, or `1h30m` for a time of a minute and more. */
function timeText(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : formatDuration(Math.round(ms / 1000) * 1000)
}
