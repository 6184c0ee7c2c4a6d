import type { ScenarioDocument } from '../../emulator/words.ts'
import type { Finding, RequestView, Trace, TraceCall, WallPace } from '../../kits/views.ts'
import { nameOfCall } from '../plan/case.ts'
import type { WorldObservation } from '../plan/observe.ts'
import type { Run } from '../run/run.ts'
import type { Bill, End, Level, Verdict } from './verdicts.ts'

/** The result of one case. */
export interface Row {
  /** The operation that failed. */
  operation: string
  /** The number of the call that failed, from 1. */
  nth: number
  /** The service of a system that made the call; absent when nobody knows, and for a single program. */
  service?: string
  /** The failure, such as `reply_lost`. */
  id: string
  /** The call whose reply came first, where the replies came in the other order: `a.get#2`. */
  first?: string
  /** The second failure of a pair: `a.get#1 unavailable`. */
  and?: string
  /** How the program ended. */
  end: End
  /** What it cost, in comparison with the undisturbed run. */
  bill: Bill
  /** The worst of both, in one word. */
  verdict: Verdict
  /** What it counts as. */
  level: Level
  /** One sentence with the facts. */
  evidence: string
  /** Why it is a problem or a warning; null when it is none. Cases with the same cause have equal ones, but for the messages of a generic error. */
  cause: {
    title: string
    where: string | null
    /** The class of the error that nobody caught, where the title has its name. */
    error?: string
    /** Without a stack: the place in the user's own files that made the call which failed. */
    call?: string
  } | null
  /** Findings that the undisturbed run does not have. */
  findings: Finding[]
  /** A scenario that plays the case again. */
  scenario: ScenarioDocument
  /** The end of what the program wrote. */
  log: string
  /** Wall milliseconds. */
  ms: number
  /** Wall milliseconds of them until the services of a system were ready; absent for a single program. */
  ready_ms?: number
  /** How long its time went as fast as wall time, and for which programs. Absent: it never did. */
  wall_pace?: WallPace
  /** The row is that of an earlier report: no file that its run had loaded has changed. Absent: it was played. */
  reused?: true
  /** With `program` in the report: the files that its run loaded beside those of the undisturbed run, with digests; null when that is not known. */
  loaded?: Readonly<Record<string, string>> | null
  /** Why the problem is known, where it was accepted. */
  accepted?: string
  /** The requests of the run, one line each. */
  requests?: string[]
  /** The stories of its tasks. */
  stories?: string[]
  /** The run seen whole, of a problem; report.json leaves it out. */
  trace?: Trace
  /** The lives of a program that was killed and started again. */
  lives?: readonly LifeRow[]
  /** What the processes of a system called; absent for a single program. */
  system?: SystemCalls
}

/** The calls of all processes of a system, for one line of time. */
export interface SystemCalls {
  /** In the order in which they came. */
  calls: ProcessCall[]
  /** How many calls in the middle are not here. Absent: none. */
  left_out?: number
  /** The service that was killed during the call of the row, and started again. */
  killed?: string
  /** When it was started again: virtual, ISO 8601. Absent: the run was over before. */
  started_again_at?: string
}

/** A call of one process. */
export interface ProcessCall
  extends Pick<TraceCall, 'service' | 'status' | 'broken' | 'at' | 'wall_ms' | 'ended_at' | 'ended_wall_ms'> {
  /** An operation id such as `a.create`. */
  operation: string
  /** Which call of its operation it is; absent for one that rules do not count. */
  nth?: number
}

/** What a verdict says about a run. */
export type Judgement = Pick<Row, 'end' | 'bill' | 'verdict' | 'level' | 'evidence' | 'cause' | 'findings'>

/** What cases with the same reason have in common: a title, and a place in the user's own files. */
export type Cause = NonNullable<Row['cause']>

/** One point at which the program was killed, and what it did when it was started again. */
export interface RestartRow extends Row {
  /** The call, and where in it the program was killed. */
  point: { operation: string; nth: number; moment: RestartMoment }
  /** The life that was killed, and the one after it. */
  lives: [LifeRow, LifeRow]
}

export function isRestartRow(row: Row): row is RestartRow {
  return row.lives !== undefined
}

/** Where in a call a program was killed: before the request was handled, after that and before its reply, or when half of a file was sent. */
export type RestartMoment = 'before' | 'after' | 'during'

/** One life of a program. */
export interface LifeRow {
  /** Its exit code, the signal that ended it, or `limit` when explore ended it. */
  exit: number | string
  /** Its calls; ordinals go on over both lives. */
  calls: { operation: string; nth: number; status: number; at: string }[]
  /** The end of what it wrote. */
  log: string
}

/** Shorter waits are not worth a sentence, wall ms. */
const worthSayingMs = 1000

/** `time went as fast as wall time for 45.0 s, for sleep, which did not follow the clock`; empty when it did so for less than a second. */
export function wallPaceText(pace: WallPace | undefined): string {
  if (!pace || pace.ms < worthSayingMs) return ''
  const { ms, programs } = pace
  const names = programs.length > 0 ? programs.join(', ') : 'programs that cannot be seen'
  return `time went as fast as wall time for ${(ms / 1000).toFixed(1)} s, for ${names}, which did not follow the clock`
}

/** How long a run took, as its row says it. */
export function wallOf(
  { ms, system }: Pick<Run, 'ms' | 'system'>,
  { wallPace }: Pick<WorldObservation, 'wallPace'>,
): Pick<Row, 'ms' | 'ready_ms' | 'wall_pace'> {
  return {
    ms,
    ...(system?.readyMs !== undefined && { ready_ms: system.readyMs }),
    ...(wallPace && { wall_pace: wallPace }),
  }
}

/** `a.create#1 task_expired`, the call whose reply came first, and the second failure of a pair. */
export function nameOfRow({
  id,
  first,
  and,
  ...call
}: Pick<Row, 'operation' | 'nth' | 'id' | 'first' | 'and'>): string {
  return `${nameOfCall(call)} ${id}${first ? ` ${first}` : ''}${and ? ` + ${and}` : ''}`
}

/** ` (worker)`: the service that made the call of a row; empty when nobody knows, and for a single program. */
export function callerOf({ service }: Pick<Row, 'service'>): string {
  return service === undefined ? '' : ` (${service})`
}

/** ` (reused)`: the row is that of an earlier report; empty for one that was played. */
export function reusedText({ reused }: Pick<Row, 'reused'>): string {
  return reused ? ' (reused)' : ''
}

/** The rows of a level that were not accepted. */
export function openRows(cases: readonly Row[], level: Level): Row[] {
  return cases.filter(row => row.level === level && row.accepted === undefined)
}

/** Problems first, then warnings, then the others and what is accepted, each in the order in which they were played. */
export function worstFirst(cases: readonly Row[]): Row[] {
  return [
    ...openRows(cases, 'problem'),
    ...openRows(cases, 'warning'),
    ...cases.filter(row => row.level === 'good' || row.accepted !== undefined),
  ]
}

/** The requests of a run, one line each, with the service of a system that sent it and the faults that acted on it. Equal requests in a row share a line. */
export function requestLines(requests: readonly RequestView[]): string[] {
  const lines: { text: string; times: number }[] = []
  for (const text of requests.map(lineOf)) {
    const last = lines.at(-1)
    if (last?.text === text) last.times++
    else lines.push({ text, times: 1 })
  }
  return lines.map(({ text, times }) => (times === 1 ? text : `${text} (${times} times)`))
}

function lineOf({ method, operation, path, status, connection, media, rule, service }: RequestView): string {
  const [place] = path.split('?')
  const done = [connection, media, rule].filter(Boolean).join(', ')
  const by = service === undefined ? '' : `${service}: `
  return `${by}${method} ${place} (${operation}) -> ${status}${done ? `: ${done}` : ''}`
}

/** Calls that are kept at either end of a run: a program that never ends polls thousands of times. */
const kept = 100

/** The calls of all processes of a system, in the order in which they came. */
export function systemCallsOf(trace: Trace, requests: readonly RequestView[]): SystemCalls {
  const calls = trace.attempts
    .flatMap(({ operation, calls }) =>
      calls.map(({ nth, service, status, broken, at, wall_ms, ended_at, ended_wall_ms }): ProcessCall => {
        return {
          operation,
          ...(nth !== undefined && { nth }),
          ...(service !== undefined && { service }),
          status,
          ...(broken && { broken }),
          at,
          wall_ms,
          ended_at,
          ended_wall_ms,
        }
      }),
    )
    .sort((one, other) => one.wall_ms - other.wall_ms)
  if (calls.length <= 2 * kept) return { calls }
  return {
    calls: [...calls.slice(0, kept), ...calls.slice(-kept)],
    left_out: Math.max(requests.length, calls.length) - 2 * kept,
  }
}
