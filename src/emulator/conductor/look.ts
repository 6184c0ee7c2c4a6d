import { asleepMs } from './limits.ts'
import type { Member } from './member.ts'
import type { Progress, Which } from './port.ts'

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

/** Whether nothing comes to a process before its moment, save its end. */
export function onlySleeps({ state }: Member): boolean {
  return state.kind === 'wait' && state.wakers === 'none'
}

/** Those that a look asks: another process may have killed even one that only sleeps, unless `sleeps` shows that it does so still. */
export function askedOf(members: readonly Member[], sleeps: (pid: number) => boolean): Set<Member> {
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
