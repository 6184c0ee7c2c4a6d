import { type ImageRecipe, imageFormats, type KeptRecipe } from '../../../media/index.ts'
import {
  count,
  digest,
  flag,
  id,
  measure,
  record,
  side,
  text,
  tuple,
  type Value,
} from '../../worlds/record-values.ts'
import type { Task } from '../../worlds/task.ts'
import { modes } from './rules.ts'

export type Format = (typeof imageFormats)[number]

const corners = tuple(count, count, count, count)

/** One picture of a decomposition: the base first, then the layers in z order. */
export type LayerPart = Value<typeof partSchema>

const partSchema = record(
  { content: digest, format: { enum: imageFormats }, size: tuple(side, side) },
  {
    /** Left, top, right and bottom. Layers only, as name and description. */
    box: record({ absolute: corners, normalized: corners }),
    name: text,
    description: text,
  },
)
const inputSchema = record({ widthPx: measure, heightPx: measure, format: id }, { picture: digest })
const placeSchema = record({ input: count, left: count, top: count, right: count, bottom: count })

/** The schema of a job in data files and state documents. */
export const jobSchema = record(
  {
    modelId: id,
    mode: { enum: modes },
    /** The text in the picture. */
    caption: text,
    places: { type: 'array', maxItems: 10_000, items: placeSchema },
    size: tuple(side, side),
    format: { enum: imageFormats },
    response: { enum: ['url', 'b64_json'] },
    transparent: flag,
    mark: flag,
    inputs: { type: 'array', maxItems: 1000, items: inputSchema },
  },
  {
    /** Layer mode only. */
    parts: { type: 'array', minItems: 1, maxItems: 1000, items: partSchema },
  },
)

/** All that replies, recipes and prices of an image request depend on. Resolved once. */
export type ImageJob = Value<typeof jobSchema>

/** The pictures of a request, in the order of the reply. */
export interface Picture extends Omit<LayerPart, 'content'> {
  recipe: ImageRecipe | KeptRecipe
}

/** The pictures of a task. */
export function picturesOf({ job: resolved, seed }: Pick<Task, 'job' | 'seed'>): Picture[] {
  const job = resolved as ImageJob
  if (job.parts) {
    return job.parts.map(({ content, ...part }) => ({
      ...part,
      recipe: { kind: 'kept', content, format: part.format },
    }))
  }
  return [{ size: job.size, format: job.format, recipe: recipeOf(job, seed) }]
}

function recipeOf(
  { size: [width, height], format, transparent, mark, caption, inputs, places }: ImageJob,
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
