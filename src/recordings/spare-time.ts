import { recordsIn } from './observed.ts'
import type { Replayed } from './replay.ts'
import type { Step } from './steps.ts'

/**
 * The offsets at which a request is made again, one after the other until the answer fits. The gateway may have seen a read
 * earlier or later than the recording tells: by as long as the read was under way, and as long as the calls that made its tasks
 * were. All other requests are made once.
 */
export function momentsFor(step: Step, steps: readonly Step[]): number[] {
  if (step.method !== 'GET' && step.method !== 'HEAD') return [step.at]
  const makers = steps.filter(({ makes }) => makes !== undefined && step.tasks.includes(makes))
  const spare = step.within + Math.max(0, ...makers.map(({ within }) => within))
  return spare === 0 ? [step.at] : [step.at - spare, step.at, step.at + spare]
}

/** Whether both replies have one status and show tasks in the same states. `known` has the emulator's ids for recorded ones. */
export function isSameState(
  step: Step,
  { status, reply }: Pick<Replayed, 'status' | 'reply'>,
  known: ReadonlyMap<string, string>,
): boolean {
  if (step.status !== status) return false
  const own = new Set(known.values())
  return (
    `${states(step, id => known.get(id))}` ===
    `${states({ ...step, reply }, id => (own.has(id) ? id : undefined))}`
  )
}

/** Tasks of the recording in a reply with their states, in the order of their ids: a list shows what else the account has. */
function states(step: Step, nameOf: (id: string) => string | undefined): string[] {
  return recordsIn(step)
    .flatMap(([id, record]) => {
      const name = nameOf(id)
      return name === undefined ? [] : [`${name} ${record.status ?? record.task_status}`]
    })
    .sort()
}
