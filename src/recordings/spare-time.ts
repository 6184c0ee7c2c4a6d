import { recordsIn } from './observed.ts'
import type { Replayed } from './replay.ts'
import type { Step } from './steps.ts'

/**
 * By how much a read may have been seen later than it is made again, in milliseconds: as long as the read was under way, and as
 * long as the calls that made its tasks were. 0 for all other requests, which must not be made twice.
 */
export function spareOf(step: Step, steps: readonly Step[]): number {
  if (step.method !== 'GET' && step.method !== 'HEAD') return 0
  const makers = steps.filter(({ makes }) => makes !== undefined && step.tasks.includes(makes))
  return step.within + Math.max(0, ...makers.map(({ within }) => within))
}

/** Whether both replies have one status and show tasks in the same states. */
export function isSameState(step: Step, { status, reply }: Pick<Replayed, 'status' | 'reply'>): boolean {
  if (step.status !== status) return false
  const shown = (one: Step) => recordsIn(one).map(([, record]) => record.status ?? record.task_status)
  // A list shows what else the account has.
  return step.operation.endsWith('.list') || `${shown(step)}` === `${shown({ ...step, reply })}`
}
