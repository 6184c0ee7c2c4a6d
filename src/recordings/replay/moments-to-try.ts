import { recordsIn } from '../read/observed.ts'
import type { Step } from '../read/steps.ts'
import type { Replayed } from './replay.ts'

/**
 * The offsets at which a request is repeated until the reply fits. The gateway may have handled a read earlier or later than the
 * recording shows: by the duration of the read, and by the duration of the calls that made its tasks. Every other request is
 * repeated once.
 */
export function momentsFor(step: Step, steps: readonly Step[]): number[] {
  if (step.method !== 'GET' && step.method !== 'HEAD') return [step.at]
  const makers = steps.filter(({ makes }) => makes !== undefined && step.tasks.includes(makes))
  const spare = step.within + Math.max(0, ...makers.map(({ within }) => within))
  return spare === 0 ? [step.at] : [step.at - spare, step.at, step.at + spare]
}

/** Whether both replies have the same status and show tasks in the same states. `known` has the emulator's ids by the recorded ones. */
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

/** The tasks of the recording in a reply, with their states, ordered by id. A list can also show other tasks of the account. */
function states(step: Step, nameOf: (id: string) => string | undefined): string[] {
  return recordsIn(step)
    .flatMap(([id, record]) => {
      const name = nameOf(id)
      return name === undefined ? [] : [`${name} ${record.status ?? record.task_status}`]
    })
    .sort()
}
