import { downloadOperation, factsOfFamily, formatDuration, makesTask } from '../../emulator/words.ts'
import type { RequestView, TaskView, Trace, TraceCall } from '../../kits/views.ts'
import type { Case } from '../plan/case.ts'
import { hasGap, type WorldNow, type WorldObservation } from '../plan/observe.ts'
import { isLasting, ruleNames, rulesOfFailures } from '../plan/scenario.ts'
import type { Exit } from '../run/run.ts'
import { arrivalsOf } from './fetched-parts.ts'
import { isAbout, pathOf } from './results.ts'
import type { Facts } from './verdicts.ts'

/** What a program did until it was ended. */
export interface Waiting {
  /** One sentence with the facts. */
  sentence: string
  /** The kind of it in a few words, the same for all cases with the same cause. */
  title: string
  /** Whether it is shown that it never ends by itself. */
  isEndless: boolean
  /** Whether it repeated calls whose answers cannot change. */
  isVain: boolean
}

/** Fewer repetitions may be those of a program that gives up after so many attempts. */
const manyTimes = 100
/** A program whose rests between calls are at least so long, ms, often gives up after some minutes: it is judged after `veryManyTimes`. */
const restMs = 500
const veryManyTimes = 200
/** Calls in vain over so long a time, ms, need only `someTimes` repetitions. */
const longMs = 3_600_000
const someTimes = 10

/** What a program did until explore ended it at its limit, or after seven virtual days. `failed` is the call that failed, where there is one. */
export function waitingOf({ observed, one, run, heldToEnd = [] }: Facts, failed?: RequestView): Waiting {
  const { requests } = observed
  const wallMs = run.exit.kind === 'limit' ? run.exit.ms : run.ms
  const isSevenDays = run.exit.kind === 'endless'
  const ended = { heldToEnd, failed, wallText: wallTextOf(run.exit, wallMs), wallMs, isSevenDays }
  const vain = vainCalls({ ...observed, lasting: rulesOfFailures(one, isLasting) })
  if (vain) {
    const virtualMs = spanOf(vain.calls, 'at_ms')
    const time =
      isSevenDays && run.exit.kind === 'endless' ? formatDuration(run.exit.ms) : timeText(wallMs, virtualMs)
    const isEndless = isSevenDays || isShown(vain.calls, observed)
    return {
      sentence: `asked ${timesOf(vain.calls, requests)} in ${time} ${vain.while}${isEndless ? '' : `, until it was ended after ${ended.wallText}; it may give up later`}`,
      title: vain.title,
      isEndless,
      isVain: true,
    }
  }
  return { ...pauseOf(requests, ended), isEndless: isSevenDays, isVain: false }
}

/**
 * Whether a run whose own sleeps move its clock is on its way to the moment that shows whether it ever ends: it asks in vain, for less than an
 * hour of its time, or for a task whose end is still to come, or it asks nothing for less than an hour, such as a driver that waits for its
 * services up to a limit of its own. One that waits for a reply which never comes, or whose time stands still since the look before, is not.
 */
export function isOnItsWay(now: WorldNow, one: Case, before?: WorldNow): boolean {
  const { requests, tasks, isDriven } = now
  const last = requests.at(-1)
  if (!isDriven || !last || isSilent(last)) return false
  const isQuiet = !before || last.id === before.requests.at(-1)?.id
  if (before && now.nowMs === before.nowMs && isQuiet) return false
  const vain = vainCalls({ requests, tasks, lasting: rulesOfFailures(one, isLasting) })
  if (vain) return !isShown(vain.calls, { isDriven })
  if (isQuery(last) && tasks.some(task => isAsked(task, last) && last.at_ms < lastChangeOf(task))) return true
  const quietMs = now.nowMs - last.at_ms
  return isQuiet && quietMs > 0 && quietMs < longMs
}

/** Whether a run may go on past its limit; it is asked again and again, and compares each look with the one before. */
export function goesOnFor(one: Case): (now: WorldNow) => boolean {
  let before: WorldNow | undefined
  return now => {
    const isOn = isOnItsWay(now, one, before)
    before = now
    return isOn
  }
}

/**
 * `20m of its time passed without a call, and 47s of that of postgres`, of a system that at last skipped much more time than passed for a part
 * beside, which therefore may have done nothing that it does in time; undefined of another.
 */
export function skippedFor({ run, observed }: Pick<Facts, 'run' | 'observed'>): string | undefined {
  const { onTheWall = [], readyMs = 0 } = run.system ?? {}
  const quietMs = observed.endedAt - (observed.requests.at(-1)?.at_ms ?? observed.endedAt)
  const wallMs = Math.max(0, run.ms - readyMs)
  if (onTheWall.length === 0 || quietMs < 60_000 || quietMs < 2 * wallMs) return undefined
  const [quiet, wall] = [quietMs, wallMs].map(ms => formatDuration(Math.round(ms / 1000) * 1000))
  return `${quiet} of its time passed without a call, and ${wall} of that of ${onTheWall.join(', ')}`
}

/** `20s`, or `1m40s, 5 times its limit,` of a run that was on its way to an hour of its own time. */
function wallTextOf(exit: Exit, wallMs: number): string {
  const text = formatDuration(Math.round(wallMs))
  return exit.kind === 'limit' && exit.limits !== undefined ? `${text}, ${exit.limits} times its limit` : text
}

/** How often a call was made. The journal keeps the newest entries only. */
function timesOf(calls: readonly RequestView[], requests: readonly RequestView[]): string {
  return `${hasGap(requests) ? 'at least ' : ''}${calls.length} times`
}

interface Ended {
  heldToEnd: readonly number[]
  failed: RequestView | undefined
  wallText: string
  wallMs: number
  isSevenDays: boolean
}

/** What a program did last whose calls may still have had another answer. A part of it may wait for a reply while others go on. */
function pauseOf(
  requests: readonly RequestView[],
  { wallText, wallMs, isSevenDays, heldToEnd, failed }: Ended,
): Pick<Waiting, 'sentence' | 'title'> {
  const last = requests.findLast(({ id }) => heldToEnd.includes(id)) ?? requests.at(-1)
  const time = isSevenDays ? 'seven virtual days' : wallText
  const end = isSevenDays ? `and still ran after ${time}` : `until it was ended after ${time}`
  if (!last) return { sentence: `made no request in ${time}`, title: 'makes no request' }
  if (arrivalsOf(last).some(({ end }) => end === 'open'))
    return { sentence: `waited for the rest of a file ${end}`, title: 'waits for the rest of a file' }
  if (isSilent(last))
    return {
      sentence: `waited for a reply to ${last.operation}, which never came, ${end}`,
      title: `waits for a reply to ${last.operation} that never comes`,
    }
  const { operation, path, status } = last
  const alike = requests.filter(one => one.operation === operation && one.path === path)
  const often =
    alike.length < 3
      ? ''
      : `, made ${timesOf(alike, requests)} in ${timeText(wallMs, spanOf(alike, 'at_ms'))}`
  const other = failed && failed.operation !== operation ? failed : undefined
  const about = other ? `, and its last one about what failed ${other.operation} -> ${other.status}` : ''
  return {
    sentence: `${isSevenDays ? 'still ran' : 'was ended'} after ${time}; its last call was ${operation} -> ${status}${often}${about}`,
    title: isSevenDays ? 'never ends' : `had not ended after its last ${(other ?? last).operation}`,
  }
}

/** Whether the emulator keeps the answer open: all of it, or the rest of a file. */
export function isSilent(request: RequestView): boolean {
  return arrivalsOf(request).some(({ end }) => end === 'open' || end === 'silent')
}

/** The requests whose replies were kept open until after the end of every other call, by number. */
export function heldToEndIn(trace: Trace, requests: readonly RequestView[]): number[] {
  const silent = new Set(requests.filter(isSilent).map(({ id }) => id))
  const calls = trace.attempts.flatMap(attempt => attempt.calls)
  const endMs = ({ ended_wall_ms }: TraceCall) => ended_wall_ms ?? Number.POSITIVE_INFINITY
  const others = Math.max(...calls.filter(({ id }) => !silent.has(id)).map(endMs))
  return calls.filter(call => silent.has(call.id) && endMs(call) >= others).map(({ id }) => id)
}

interface RunSoFar {
  requests: readonly RequestView[]
  tasks: readonly TaskView[]
  /** The names of the rules of the failures that happen again each time. */
  lasting: readonly string[]
}

interface Vain {
  calls: RequestView[]
  while: string
  title: string
}

/** The calls that a program repeats although nothing can change any more, up to its end; undefined when there are fewer than three. */
function vainCalls({ requests, tasks, lasting }: RunSoFar): Vain | undefined {
  const byCall = new Map<string, RequestView[]>()
  for (const request of requests) {
    if (whyInVain(request, { requests, tasks, lasting }) === undefined) continue
    // The last poll of each of several tasks is no repetition. A link may be signed anew.
    const call = `${request.operation} ${request.operation === downloadOperation ? pathOf(request) : request.path}`
    const calls = byCall.get(call)
    if (calls) calls.push(request)
    else byCall.set(call, [request])
  }
  const calls = [...byCall.values()].sort((one, other) => other.length - one.length)[0]
  const last = calls?.at(-1)
  if (!calls || !last || calls.length < 3 || requests.indexOf(last) < requests.length * 0.75) return undefined
  const why = whyInVain(last, { requests, tasks, lasting })
  return why && { calls, ...why }
}

/** Why a call cannot have another answer at any later time; undefined when it may have one. */
function whyInVain(
  request: RequestView,
  { tasks, lasting }: RunSoFar,
): Pick<Vain, 'while' | 'title'> | undefined {
  const { operation, at_ms, status, media } = request
  if (ruleNames(request).some(name => lasting.includes(name))) {
    if (media !== undefined && status < 400)
      return {
        while: `for a file that is broken each time`,
        title: 'downloads a broken file again and again',
      }
    if (status < 400 && makesTask(operation))
      return {
        while: `with ${operation}, whose task fails each time`,
        title: `repeats ${operation}, whose task fails each time`,
      }
    if (status >= 400)
      return {
        while: `with ${operation} while the reply was ${status}`,
        title: `repeats ${operation}, which is refused each time`,
      }
  }
  if (!isQuery(request)) return undefined
  const asked = tasks.filter(task => isAsked(task, request))
  if (asked.length === 0 && operation.endsWith('.get') && isOfNoTask(request))
    return {
      while: `with ${operation} for a task that does not exist`,
      title: 'polls for a task that does not exist',
    }
  if (asked.length === 0 || !asked.every(task => at_ms >= lastChangeOf(task))) return undefined
  const open = asked.find(task => isOpen(task) && task.plan?.gone_at === undefined)
  if (open)
    return {
      while: `with ${operation} while the task never ended`,
      title: 'waits for a task that never ends',
    }
  if (asked[0]?.plan?.gone_at !== undefined)
    return {
      while: `after the record of the task was lost`,
      title: 'polls on for a task whose record is lost',
    }
  return {
    while: `after the task had become ${String(asked[0]?.timeline.at(-1)?.to)}`,
    title: 'polls on after the end of the task',
  }
}

function isQuery({ operation }: RequestView): boolean {
  return /\.(?:get|list)$/.test(operation)
}

/** Whether the gateway itself says that it has no task with this id. It gives the ids, so that there will be none; a client gives external ids. */
function isOfNoTask({ operation, fault, rule, status }: RequestView): boolean {
  const { findsBy, unknownWord } = factsOfFamily(operation.split('.')[0] ?? '') ?? {}
  if (rule !== undefined || findsBy === 'external_id') return false
  return fault === 'not_found' || (unknownWord !== undefined && status === 200)
}

function isAsked({ id }: TaskView, request: RequestView): boolean {
  return request.operation.endsWith('.list') || isAbout(request, id)
}

/**
 * When what a query says of a task changed for the last time, virtual ms. All worlds have come to rest when they are read; what becomes of a
 * task after its record was lost is never told.
 */
function lastChangeOf({ timeline, plan }: TaskView): number {
  if (plan?.gone_at !== undefined) return Date.parse(plan.gone_at)
  return Math.max(...timeline.map(({ at }) => Date.parse(at)))
}

function isOpen({ timeline }: TaskView): boolean {
  const state = timeline.at(-1)?.state
  return state === 'queued' || state === 'running'
}

/**
 * Whether these calls show that a program never gives up. They show nothing when its own sleeps drive virtual time and they took less
 * than `longMs`: hundreds of polls are a short time there.
 */
function isShown(calls: readonly RequestView[], { isDriven }: Pick<WorldObservation, 'isDriven'>): boolean {
  const spanMs = Math.max(spanOf(calls, 'at_ms'), spanOf(calls, 'started_ms'))
  if (spanMs >= longMs) return calls.length >= someTimes
  const rests = spanMs / (calls.length - 1) >= restMs
  return !(rests && isDriven) && calls.length >= (rests ? veryManyTimes : manyTimes)
}

/** The time between the first and the last call, by the clock of the world or of the wall, ms. */
function spanOf(calls: readonly RequestView[], clock: 'at_ms' | 'started_ms'): number {
  return (calls.at(-1)?.[clock] ?? 0) - (calls[0]?.[clock] ?? 0)
}

/** The longer of wall and virtual time. */
function timeText(wallMs: number, virtualMs: number): string {
  return virtualMs > wallMs * 2
    ? `${formatDuration(Math.round(virtualMs / 1000) * 1000)} of virtual time`
    : formatDuration(Math.round(wallMs))
}
