import { FaultError } from '../faults/fault-error.ts'
import type { Call } from '../http/endpoint.ts'
import { readFixture } from '../package/files.ts'
import type { Task } from '../tasks/task.ts'
import { shown } from '../wording/shown.ts'
import type { Account } from '../worlds/world.ts'

/** The neutral id of each published name. A table, made when the module is loaded. */
const published = new Map<string, string>()
for (const [id, aliases] of Object.entries(readFixture<Record<string, string[]>>('models.json'))) {
  for (const name of [id, ...aliases]) published.set(name, id)
}

/** The neutral id of a model name. The name may be the neutral id, a published upstream id, or a name from the config file. */
export function neutralModel(name: string, added: Readonly<Record<string, string>>): string | undefined {
  return Object.hasOwn(added, name) ? added[name] : published.get(name)
}

/** Every name of a model: the published ones and the neutral id. */
export function modelNames(): string[] {
  return [...published.keys()]
}

/**
 * The row of a family's model table for the requested model. Throws `unknown_model` (A-unknown-model), then `forbidden_model`
 * (Spec, "Authentication" 4).
 */
export function chooseModel<Row extends object>(
  call: Pick<Call, 'account' | 'services'>,
  name: string,
  table: Readonly<Record<string, Row>>,
): Row & { id: string } {
  const id = neutralModel(name, call.services.options.models)
  const row = id !== undefined && Object.hasOwn(table, id) ? table[id] : undefined
  if (id === undefined || row === undefined) {
    throw new FaultError('unknown_model', {
      param: 'model',
      reason: `${shown(name)} is not one of ${Object.keys(table).join(', ')} or their published names`,
    })
  }
  checkMayUse(call.account, id, name)
  return withId(row, id)
}

/** True when the task was made with this model, under any of the model's names. */
export function isOfModel({ services }: Pick<Call, 'services'>, task: Task, name: string): boolean {
  const { models } = services.options
  const id = neutralModel(name, models)
  return task.model === name || (id !== undefined && neutralModel(task.model, models) === id)
}

/**
 * Rows with their ids, one for each row of the tables. Saves 4 µs a create: a fresh copy would have a hidden class of its own.
 */
const rowsWithIds = new WeakMap<object, { id: string }>()

/** A row with its id; the same object for every request. */
function withId<Row extends object>(row: Row, id: string): Row & { id: string } {
  const known = rowsWithIds.get(row)
  if (known?.id === id) return known as Row & { id: string }
  const made = { ...row, id }
  rowsWithIds.set(row, made)
  return made
}

function checkMayUse(account: Account, id: string, name: string): void {
  if (account.models === null || account.models.includes(id)) return
  throw new FaultError('forbidden_model', {
    param: 'model',
    reason: `this token may not use the model ${name}`,
  })
}
