import { realTime } from '../worlds/clock.ts'
import { asleepMs } from './limits.ts'
import type { Member, Wait } from './member.ts'
import type { Progress } from './port.ts'

/** A question to all processes: have you waited without a break? */
export interface Look {
  round: number
  free: string
  sent: Progress
  /** Whether something may have come to a process since it said that it waits. */
  isAsked(wait: Wait): boolean
  isSettling?: boolean
}

/** Whether a process has not answered yet. */
export function owesAnswer({ state, answered }: Member, look: Look | undefined): boolean {
  return look !== undefined && state.kind === 'wait' && look.isAsked(state) && answered !== look.round
}

/**
 * Whether a process has done nothing for half a second, although a line has come; `work` is what it had done, undefined while it runs. The line
 * wakes whoever only sleeps for a moment, however late a busy machine would end that sleep.
 */
export function isAsleep(member: Member, work: string | undefined, line: string): boolean {
  const nowMs = realTime.elapsedMs()
  if (work !== undefined && work === member.asleep?.work) return nowMs - member.asleep.sinceMs >= asleepMs
  member.asleep = { work: work ?? '', sinceMs: nowMs }
  if (work !== undefined) member.say(line)
  return false
}
