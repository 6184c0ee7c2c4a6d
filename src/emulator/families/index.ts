import type { Recipe } from '../../media/index.ts'
import { routesOver } from '../http/routes.ts'
import type { Options } from '../options/table.ts'
import { late } from '../package/files.ts'
import type { Endpoint } from '../pipeline/endpoint.ts'
import { downloadOperation } from '../scenarios/operations.ts'
import type { OperationFacts } from '../scenarios/shadows.ts'
import type { Task } from '../worlds/task.ts'
import { contents } from './a-contents/endpoints.ts'
import { synthesis } from './b-synthesis/endpoints.ts'
import { c, special } from './c-generation/endpoints.ts'
import type { Family } from './family.ts'
import { images } from './images/endpoints.ts'
import { k } from './k-image-to-video/endpoints.ts'
import { modelNames, neutralModel } from './models.ts'

export { readPrompt } from './a-contents/task-type.ts'

/** The registry of families. A new family needs its folder and one line here. */
export const families: readonly Family[] = [contents, synthesis, c, special, k, images]

const byId = new Map(families.map(family => [family.id, family]))

/** The family with an id. Throws for an unknown id, because only families make tasks. */
export function familyOf(id: string): Family {
  const family = byId.get(id)
  if (!family) throw new Error(`No family has the id ${id}`)
  return family
}

/**
 * The recipes of a task's files, kept as long as the task. Saves 50 µs for each part of a file that a player asks for: the
 * library finds the key of a recipe by the recipe object.
 */
const described = new WeakMap<Task, Readonly<Record<string, Recipe>>>()

/** The files of a succeeded task, the main file first. */
export function outputsOf(task: Task): Readonly<Record<string, Recipe>> {
  const known = described.get(task)
  if (known) return known
  const outputs = familyOf(task.family).outputs(task)
  described.set(task, outputs)
  return outputs
}

/** The file of a succeeded task with that name; undefined for other names, also for `constructor`. */
export function outputOf(task: Task, name: string): Recipe | undefined {
  const outputs = outputsOf(task)
  return Object.hasOwn(outputs, name) ? outputs[name] : undefined
}

/** A row of the routing table: an endpoint and the family that writes its errors. */
export interface FamilyRoute {
  endpoint: Endpoint
  family: Family
}

/** The routing table over the endpoints of all families. Kept because making it takes 2 ms. It depends on the code alone, so all emulators of a process share it. */
export const familyRoutes = late(() =>
  routesOver<FamilyRoute>(
    families.flatMap(family => family.endpoints.map(endpoint => ({ endpoint, family }))),
  ),
)

/** What requests of each operation can hold, by which rules that can never act are found. `added`: the names of models in a config. */
export function operationFacts(added: Options['models'] = {}): OperationFacts[] {
  const names = [...new Set([...modelNames(), ...Object.keys(added).filter(name => name !== '*')])]
  const calls = families.flatMap(({ id, endpoints }) =>
    endpoints.map(endpoint => factsOf(endpoint, id, { names, added })),
  )
  const download: OperationFacts = {
    operation: downloadOperation,
    families: families.map(({ id }) => id),
    models: names,
    hasMode: false,
    hasPrompt: false,
    hasBody: false,
    namesTask: true,
  }
  return [...calls, download]
}

function factsOf(
  { operation, paths, reads, body, tasksIn }: Endpoint,
  family: string,
  { names, added }: { names: readonly string[]; added: Options['models'] },
): OperationFacts {
  const models = reads?.models ?? []
  return {
    operation,
    families: [family],
    models: names.filter(name => models.includes(neutralModel(name, added) ?? '')),
    ...(models.includes(added['*'] ?? '') && { takesAnyModel: true }),
    hasMode: reads?.mode !== undefined,
    hasPrompt: (reads?.prompts.length ?? 0) > 0,
    hasBody: body !== undefined,
    namesTask: tasksIn !== undefined || paths[0].includes(':task_id'),
  }
}
