import type { Digest, ImageInput, ImageRecipe, KeptRecipe, PointedPlace } from '../../media/recipe.ts'
import type { Task } from '../../tasks/task.ts'
import type { Size } from '../geometry.ts'
import type { Mode } from './rules.ts'

export type Format = 'jpeg' | 'png'

/** One picture of a decomposition: the base first, then the layers in z order. */
export interface Part {
  content: Digest
  format: Format
  size: Size
  /** Layers only. */
  box?: { absolute: Corners; normalized: Corners }
  name?: string
  description?: string
}

type Corners = readonly [left: number, top: number, right: number, bottom: number]

/** All that replies, recipes and prices of an image request depend on. Resolved once. */
export interface Job {
  modelId: string
  mode: Mode
  /** The text in the picture. */
  caption: string
  places: readonly PointedPlace[]
  size: Size
  format: Format
  response: 'url' | 'b64_json'
  transparent: boolean
  mark: boolean
  inputs: readonly ImageInput[]
  /** Layer mode only. */
  parts?: readonly Part[]
}

/** The pictures of a request, in the order of the reply. */
export interface Picture extends Omit<Part, 'content'> {
  recipe: ImageRecipe | KeptRecipe
}

/** The pictures of a task. */
export function picturesOf({ job: resolved, seed }: Pick<Task, 'job' | 'seed'>): Picture[] {
  const job = resolved as Job
  if (job.parts) {
    return job.parts.map(({ content, ...part }) => ({
      ...part,
      recipe: { kind: 'kept', content, format: part.format },
    }))
  }
  return [{ size: job.size, format: job.format, recipe: recipeOf(job, seed) }]
}

function recipeOf(
  { size: [width, height], format, transparent, mark, caption, inputs, places }: Job,
  seed: number,
): ImageRecipe {
  return { kind: 'image', width, height, format, transparent, mark, seed, prompt: caption, inputs, places }
}

/** Upstream counts a token for every 256 pixels; the sum over all pictures is rounded (I-usage). */
export function tokensOf(pictures: readonly Pick<Picture, 'size'>[]): number {
  return Math.round(pictures.reduce((sum, { size: [width, height] }) => sum + width * height, 0) / 256)
}

/** The name of a picture among the task's files. */
export function outputName(index: number): string {
  return `image_${index}`
}
