import { isUnknownWord } from '../../../emulator/words.ts'
import { recordsIn } from './observed.ts'
import type { Step } from './steps.ts'

/** The account of the replay world that is used for the key of a request. */
export type AccountOf = (step: Step | undefined) => string

/**
 * Finds the keys of a recording that belong to one account: with one of them a task was made, and with another it was found. The
 * first key has the default account. Every other account has the name of its first key.
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

/** A request without a key counts as made with the first key. */
function keyOf({ entry }: Step): string {
  return entry._gateway?.key ?? 'key-1'
}

/** The tasks that a request found. They belong to the account of its key. */
function foundBy(step: Step): string[] {
  if (step.status >= 300 || step.makes !== undefined) return []
  const isRemoved = /\.(?:delete|cancel)$/.test(step.operation) && step.params.task_id !== undefined
  if (isRemoved) return [step.params.task_id ?? '']
  return recordsIn(step).flatMap(([id, record]) => (isUnknownWord(record.task_status) ? [] : [id]))
}
