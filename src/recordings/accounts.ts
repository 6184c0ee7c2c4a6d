import { recordsIn } from './observed.ts'
import type { Step } from './steps.ts'

/** The account of the replaying world that stands for the key of a request. */
export type AccountOf = (step: Step | undefined) => string

/**
 * Which keys of a recording belong to one account: those by which a task was found that another one had made. The first key has
 * the default account, every other account is called after its first key.
 */
export function accountsOf(steps: readonly Step[]): AccountOf {
  const makers = new Map(
    steps.flatMap(step => (step.makes === undefined ? [] : [[step.makes, keyOf(step)] as const])),
  )
  const names = new Map<string, string>()
  const nameOf = (key: string): string => {
    const other = names.get(key)
    return other === undefined ? key : nameOf(other)
  }
  for (const step of steps) {
    const key = keyOf(step)
    for (const id of foundBy(step)) {
      const maker = nameOf(makers.get(id) ?? key)
      if (maker !== nameOf(key)) names.set(nameOf(key), maker)
    }
  }
  const first = nameOf('key-1')
  return step => {
    const name = nameOf(step ? keyOf(step) : 'key-1')
    return name === first ? 'default' : name
  }
}

/** Requests without a key of their own count as made with the first. */
function keyOf({ entry }: Step): string {
  return entry._gateway?.key ?? 'key-1'
}

/** Tasks that a request found, and so belong to the account of its key. */
function foundBy(step: Step): string[] {
  if (step.status >= 300 || step.makes !== undefined) return []
  const isRemoved = /\.(?:delete|cancel)$/.test(step.operation) && step.params.task_id !== undefined
  if (isRemoved) return [step.params.task_id ?? '']
  return recordsIn(step).flatMap(([id, record]) => (record.task_status === 'UNKNOWN' ? [] : [id]))
}
