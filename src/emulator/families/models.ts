import { FaultError } from '../faults/fault.ts'
import { readFixture } from '../package/files.ts'
import type { Call } from '../pipeline/endpoint.ts'
import { shown } from '../wording/shown.ts'
import type { Task } from '../worlds/task.ts'
import type { Account } from '../worlds/world.ts'

/** The neutral id of each published name, and the names of each neutral id. Tables, made when the module is loaded. */
const published = new Map<string, string>()
const namesById = readFixture<Record<string, string[]>>('models.json')
for (const [id, aliases] of Object.entries(namesById)) {
  for (const name of [id, ...aliases]) published.set(name, id)
}

/** All names of a model, by any of them; only itself for an unknown one. */
export function namesOfModel(name: string): readonly string[] {
  const id = published.get(name)
  return id === undefined ? [name] : [id, ...(namesById[id] ?? [])]
}

/**
 * The neutral id of a model name. The name may be the neutral id, a published upstream id, or a name from the config file; in the latter
 * `*` stands for every other name.
 */
export function neutralModel(name: string, added: Readonly<Record<string, string>>): string | undefined {
  return Object.hasOwn(added, name) ? added[name] : (published.get(name) ?? added['*'])
}

/** The field `model` of a request, for these neutral ids. */
export function modelField(ids: readonly string[]) {
  const description = `Model identifier: ${ids.join(', ')} or a published name.`
  return { type: 'string', minLength: 1, description, 'x-models': ids } as const
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
    const { unknownModel } = call.services.options
    throw new FaultError('unknown_model', {
      param: 'model',
      ...(unknownModel !== 'invalid' && { answer: unknownModel }),
      reason: `${shown(name)} is not ${namesOf(Object.keys(table))}`,
    })
  }
  checkMayUse(call.account, id, name)
  return withId(row, id)
}

function namesOf(ids: readonly string[]): string {
  return ids.length === 1
    ? `${ids[0]} or one of its published names`
    : `one of ${ids.join(', ')} or their published names`
}

/** True when the task was made with this model, under any of the model's names. */
export function isOfModel({ services }: Pick<Call, 'services'>, task: Task, name: string): boolean {
  const { models } = services.options
  const id = neutralModel(name, models)
  return task.model === name || (id !== undefined && neutralModel(task.model, models) === id)
}

/** Rows with their ids, one for each row: a copy for each request would have a hidden class of its own, 3 % of the time of a create. */
const rowsWithIds = new WeakMap<object, { id: string }>()

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

const shipped = readFixture<Record<string, number>>('prices.json')

/**
 * A price in credits, from the config file or `fixtures/prices.json`. Throws a plain error for an unknown key: that is a mistake
 * in a family's code.
 */
export function priceOf({ services }: Pick<Call, 'services'>, key: string): number {
  const price = services.options.prices[key] ?? shipped[key]
  if (price === undefined) throw new Error(`No price is named ${key}`)
  return price
}
