import { isLoopback } from '../http/loopback.ts'
import { asleepMs, momentsMs, nearMs } from './limits.ts'
import type { Member, Wait } from './member.ts'
import type { Progress, RunPort, Which } from './port.ts'

/** A question to all processes: have you waited without a break? */
export interface Look {
  round: number
  free: string
  sent: Progress
  /** Those to which something may have come since they said that they wait. */
  asked: ReadonlySet<Member>
  isSettling?: boolean
}

/**
 * Which processes that are not tied keep time as fast as wall time: any while nobody waits for a moment, and those that may be the program
 * as long as no tied process has made a call.
 */
export function actorsOf(next: number, isTaken: boolean): Which | undefined {
  if (next === Number.POSITIVE_INFINITY) return 'all'
  return isTaken ? undefined : 'without those beside'
}

/**
 * Whether a call of a process has not come to whom it was sent, or its reply not back. One to a process of this run lies with that one. TCP may
 * hold the body of a call back until its head is acknowledged.
 */
export function isInTransit(waits: readonly Wait[], { ports, run, silentMs }: Traffic): boolean {
  const isOfRun = (host: string, at: number) => isLoopback(host) && ports.has(at)
  const calls = waits.flatMap(one => one.calls).filter(one => !isOfRun(one.host, one.port))
  const count = (found: typeof calls) => found.reduce((sum, one) => sum + one.count, 0)
  const near = calls.filter(one => isLoopback(one.host) && one.port !== run.port())
  const { unanswered, incomplete } = run.requests()
  if (count(calls) - count(near) > unanswered) return true
  return (near.length > 0 || (calls.length > 0 && incomplete > 0)) && silentMs < nearMs
}

interface Traffic {
  /** Those of this machine at which processes of the run answer. */
  ports: ReadonlySet<number>
  run: Pick<RunPort, 'port' | 'requests'>
  /** Since when nothing of an answer has come, wall ms. */
  silentMs: number
}

/** Whether nothing comes to a process before its moment, save its end. */
export function onlySleeps({ state }: Member): boolean {
  return state.kind === 'wait' && state.wakers === 'none'
}

/** Those that a look asks: another process may have killed even one that only sleeps, unless `sleeps` shows that it does so still. */
function askedOf(members: readonly Member[], sleeps: (pid: number) => boolean): Set<Member> {
  const isAlone = members.length === 1
  const isAsked = ({ state, hello }: Member) => {
    if (state.kind !== 'wait') return false
    if (state.wakers === 'none') return !(isAlone || sleeps(hello.pid))
    return !(isAlone && state.wakers === 'signal')
  }
  return new Set(members.filter(isAsked))
}

/** The processes that are blocked. What threads of one do that say so themselves cannot be told from what the blocked one does. */
export function blockedOf(tied: readonly Member[]): number[] {
  const isBlocked = (pid: number) =>
    tied.every(({ state, hello }) => hello.pid !== pid || state.kind === 'blocked')
  return [...new Set(tied.map(({ hello }) => hello.pid))].filter(isBlocked)
}

/** Whether a process has not answered yet. */
export function owesAnswer(member: Member, look: Look | undefined): boolean {
  const { state, answered } = member
  return look !== undefined && state.kind === 'wait' && look.asked.has(member) && answered !== look.round
}

/** Asks the processes; `free` is what those had done that are not tied. */
export function begun(
  members: readonly Member[],
  { round, free, run }: { round: number; free: string; run: Pick<RunPort, 'free' | 'progress'> },
): Look {
  const asked = askedOf(members, run.free.sleeps)
  for (const { say } of asked) say(`look ${round}`)
  return { round, free, sent: run.progress(), asked }
}

/** What has come of the answers that a process waits for. */
export function noteTraffic(member: Member, traffic: string, nowMs: number): void {
  if (traffic !== member.traffic) member.silentSinceMs = nowMs
  member.traffic = traffic
}

/**
 * Whether a process has done nothing for half a second, although a line has come; `work` is what it had done, undefined while it runs. The line
 * wakes whoever only sleeps for a moment, however late a busy machine would end that sleep.
 */
export function isAsleep(
  member: Member,
  { work, line, nowMs }: { work: string | undefined; line: string; nowMs: number },
): boolean {
  if (work !== undefined && work === member.asleep?.work) return nowMs - member.asleep.sinceMs >= asleepMs
  member.asleep = { work: work ?? '', sinceMs: nowMs }
  if (work !== undefined) member.say(line)
  return false
}

interface Moments {
  work: string | undefined
  nowMs: number
  others: readonly Member[]
  run: Pick<RunPort, 'free' | 'isWorking' | 'progress'>
}

/**
 * Whether a process that says that it works has only done so in moments for five seconds, such as one that looks around each tenth of a second
 * in a wait that nobody sees: it would hold time up for ever. `work` is as above.
 */
export function isInMoments(member: Member, { work, nowMs, others, run }: Moments): boolean {
  const { free } = run
  // It may wait for what another one, or the emulator, works on.
  const runs = ({ hello: { pid } }: Member) => pid !== member.hello.pid && free.workOf(pid) === undefined
  const isOthersTurn = () =>
    others.some(runs) || free.busyMs(free.look([])) > 0 || run.isWorking(run.progress())
  if (work === undefined || member.state.kind !== 'work' || isOthersTurn()) delete member.momentsSinceMs
  else member.momentsSinceMs ??= nowMs
  return member.momentsSinceMs !== undefined && nowMs - member.momentsSinceMs >= momentsMs
}

/**
 * Whether processes that wait for no moment may be woken by what is not seen. `isAnswered`: some wait for an answer, and none answers.
 * Outside of an exploration, somebody else may call a process that listens, or wake one that has called nobody.
 */
export function mayBeWoken(members: readonly Member[], isAnswered: boolean): boolean {
  const isClosed = isAnswered || members.every(({ hello }) => hello.isExplored)
  const tied = members.filter(({ hello }) => !hello.isHost)
  const isUnknown = tied.some(({ state }) => state.kind === 'blocked' && state.before)
  // The host of a system comes when all parts beside are ready.
  const isEarly = tied.length === members.length && tied.some(({ hello }) => hello.service)
  return !isClosed || isUnknown || isEarly
}
