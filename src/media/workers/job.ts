import type { Measured } from '../inputs/measure.ts'
import type { Layer } from '../layers/measure-layers.ts'
import type { MediaKind } from '../media-facts.ts'
import type { Digest, ImageInput, Recipe } from '../recipe.ts'
import type { Tool } from '../tools.ts'

/** Work for a worker process, as data. All paths are absolute; `pictures` is the folder of kept pictures, each named by its digest. */
export type Job = RenderJob | TakeApartJob | ExamineJob

/** Renders a recipe into `file`, which appears only when it is complete. */
export interface RenderJob {
  kind: 'render'
  recipe: Recipe
  file: string
  pictures: string
  /** For videos and MP3 sounds. */
  ffmpeg?: Tool
}

/** Takes a picture apart and puts base and layers into `pictures`. */
export interface TakeApartJob {
  kind: 'take_apart'
  input: ImageInput
  order: DecomposeOrder
  pictures: string
}

/** Measures a file, and puts the pictures that stand for it in renderings into `pictures`. */
export interface ExamineJob {
  kind: 'examine'
  file: string
  digest: Digest
  want: MediaKind
  pictures: string
  /** Its sound is put there, too. */
  keepSound?: boolean
  /** Path of the program. Without it videos and BMP pictures get no poster. */
  ffmpeg?: string
}

export interface DecomposeOrder {
  width: number
  height: number
  /** Of the base; layers are always PNG. */
  format: 'jpeg' | 'png'
  mark: boolean
}

/** A picture that a worker has put into the folder of kept pictures. */
export interface KeptFile {
  digest: Digest
  bytes: number
}

/** What each job gives. JSON carries it. */
export interface Results {
  render: null
  take_apart: { base: KeptFile; layers: (Layer & { file: KeptFile })[] }
  examine: { measured: Measured; poster?: KeptFile; lastPoster?: KeptFile; sound?: KeptFile }
}

/** What a worker answers to a job. */
export type Answer =
  | { kind: 'done'; result: Results[Job['kind']] }
  | { kind: 'failed'; name: string; message: string; stack?: string; reason?: string }
