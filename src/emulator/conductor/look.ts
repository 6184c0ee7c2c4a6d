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
