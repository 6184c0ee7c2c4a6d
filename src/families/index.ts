import type { Recipe } from '../media/recipe.ts'
import type { Task } from '../tasks/task.ts'
import { contents } from './a-contents/endpoints.ts'
import { synthesis } from './b-synthesis/endpoints.ts'
import { c, special } from './c-generation/endpoints.ts'
import type { Family } from './family.ts'
import { images } from './images/endpoints.ts'
import { imageToVideo } from './k-image-to-video/endpoints.ts'

/** The registry: adding a family is adding its folder and one line here. */
export const families: readonly Family[] = [contents, synthesis, c, special, imageToVideo, images]

const byId = new Map(families.map(family => [family.id, family]))

/** The family of an id; throws for an id that no family has, since tasks only come from families. */
export function familyOf(id: string): Family {
  const family = byId.get(id)
  if (!family) throw new Error(`No family has the id ${id}`)
  return family
}

/**
 * The files of a task, as long as the task is kept. The same objects each time, since the library keeps the key of a recipe by the
 * object: computing a key takes 50 µs, and a player asks for many parts of a file.
 */
const described = new WeakMap<Task, Readonly<Record<string, Recipe>>>()

/** The files that a succeeded task offers, the main one first. */
export function outputsOf(task: Task): Readonly<Record<string, Recipe>> {
  const known = described.get(task)
  if (known) return known
  const outputs = familyOf(task.family).outputs(task)
  described.set(task, outputs)
  return outputs
}

/** The file of that name that a succeeded task offers; undefined for any other name, `constructor` among them. */
export function outputOf(task: Task, name: string): Recipe | undefined {
  const outputs = outputsOf(task)
  return Object.hasOwn(outputs, name) ? outputs[name] : undefined
}
