import type { Rgb } from '../drawing/colour.ts'
import type { KeptFile } from '../files/kept-files.ts'
import type { Examination, Examined } from '../inputs/examine.ts'
import type { Box, DrawnRecipe, ImageInput } from '../render/recipe.ts'
import type { Tool } from '../render/tools.ts'

/** Work for a worker process, as data. All paths are absolute; `kept` is the folder of kept files (pictures and sounds), each named by its digest. */
export type WorkerJob = RenderJob | ShrinkJob | TakeApartJob | ExamineJob

/** Renders a recipe into `file`, which appears only when it is complete. */
export interface RenderJob {
  kind: 'render'
  recipe: DrawnRecipe
  file: string
  /** Where a small picture of a video is put. */
  poster?: string
  kept: string
  /** For videos and MP3 sounds. */
  ffmpeg?: Tool
}

/** Makes a small picture of the picture `from`, in `file`. */
export interface ShrinkJob {
  kind: 'shrink'
  from: string
  file: string
}

/** Splits a picture into layers, and puts base and layers into `kept`. */
export interface TakeApartJob {
  kind: 'take_apart'
  input: ImageInput
  order: DecomposeOrder
  kept: string
}

/** Measures a file, and puts what represents it in renderings into `kept`: pictures, and its sound if that is wanted. */
export interface ExamineJob extends Omit<Examination, 'bytes'> {
  kind: 'examine'
  kept: string
}

export interface DecomposeOrder {
  width: number
  height: number
  /** Of the base; layers are always PNG. */
  format: 'jpeg' | 'png'
  mark: boolean
}

/** The properties of a layer that replies need. */
export interface Layer {
  box: Box
  /** The number of its pixels. */
  area: number
  /** Its most frequent colour. */
  colour: Rgb
}

/** The result of each job, which must survive JSON. */
export interface Results {
  render: null
  shrink: null
  take_apart: { base: KeptFile; layers: (Layer & { file: KeptFile })[] }
  examine: Examined<KeptFile>
}

/** A worker's answer to a job. After a failure it may be spent: it still does work that only its end stops. */
export type WorkerAnswer =
  | { kind: 'done'; result: Results[WorkerJob['kind']] }
  | {
      kind: 'failed'
      name: string
      message: string
      stack?: string
      reason?: string
      code?: string
      isSpent: boolean
    }
