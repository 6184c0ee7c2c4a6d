import { createHash } from 'node:crypto'
import type { Digest } from '../../emulator/ground.ts'

export type { Digest } from '../../emulator/ground.ts'

/** The texts beside the prompt in the picture, which show a developer the task that made it. */
export interface Caption {
  title: string
  /** Short facts, one per line: model, resolution, ratio, … */
  facts: readonly string[]
}

export const containers = ['mp4', 'mov'] as const
export const codecs = ['h264', 'hevc', 'h264_444'] as const
export const imageFormats = ['jpeg', 'png'] as const

/** Everything that decides the bytes of a video file. Sides are even; `frames / fps` is its exact length in seconds. */
export interface VideoRecipe {
  kind: 'video'
  width: number
  height: number
  frames: number
  fps: number
  container: (typeof containers)[number]
  /** `h264_444` keeps the colour of each pixel and has uncompressed sound; browsers do not play it. */
  codec: (typeof codecs)[number]
  audio: 'none' | 'mono' | 'stereo'
  /** Music that fits the scene when absent. */
  sound?: VideoSound
  /** A bar beside the caption follows the loudness of the sound. */
  levelBar?: true
  /** The visible "AI generated" mark. */
  mark: boolean
  seed: number
  /** Decides the scene and the music, and is written in the caption. */
  prompt: string
  caption: Caption
  firstFrame?: Digest
  lastFrame?: Digest
  /** Caption and time code fade out before the last frame, with which another video can begin. */
  clearEnd?: true
  /** The first and last picture are those of a video that is edited: what the prompt changes is drawn over them. */
  edited?: true
  references?: readonly Digest[]
}

/** A voice without words, or the sound of a request: AAC under the digest, truncated or repeated to the video's length. */
export type VideoSound = { kind: 'voice' } | { kind: 'given'; content: Digest }

/** The last picture of a video as a PNG of the same size, without the mark. */
export interface LastFrameRecipe {
  kind: 'last_frame'
  of: VideoRecipe
}

/** A short sound like speech, for voice trials. */
export interface SoundRecipe {
  kind: 'sound'
  format: 'mp3' | 'wav'
  seconds: number
  seed: number
}

/** A picture of a request, as renderings use it. Without `picture` it was not read or cannot be decoded, and a card is drawn instead. */
export interface ImageInput {
  picture?: Digest
  widthPx: number
  heightPx: number
  format: string
}

/** A point (both corners equal) or box in one of the pictures, as a prompt gives it; 0 to 999 in both directions. */
export interface PointedPlace {
  input: number
  left: number
  top: number
  right: number
  bottom: number
}

/** Everything that decides the bytes of a picture, which is drawn without an input or made from one or more inputs. */
export interface ImageRecipe {
  kind: 'image'
  width: number
  height: number
  format: 'jpeg' | 'png'
  /** Transparent pixels of the input stay transparent. */
  transparent: boolean
  mark: boolean
  seed: number
  prompt: string
  inputs: readonly ImageInput[]
  places: readonly PointedPlace[]
}

/** A picture that was made while its request was answered and is kept in the library, such as a layer of a decomposition. */
export interface KeptRecipe {
  kind: 'kept'
  content: Digest
  format: 'jpeg' | 'png'
}

/** Left, top, right and bottom in pixels; right and bottom are not included. */
export type Box = readonly [left: number, top: number, right: number, bottom: number]

/** A file that is drawn or made, as data. */
export type DrawnRecipe = VideoRecipe | LastFrameRecipe | SoundRecipe | ImageRecipe | KeptRecipe

/** A small PNG of another file, made with that file. For a video it is the first frame. */
export interface PosterRecipe {
  kind: 'poster'
  of: Exclude<DrawnRecipe, SoundRecipe>
}

/** What to render, as data. Same recipe, same bytes. */
export type Recipe = DrawnRecipe | PosterRecipe

/** The keys of recipe objects. Saves 50 µs for each part of a file that a player asks for. */
const keys = new WeakMap<Recipe, string>()

/** The name under which the library keeps the file of a recipe. Key order does not matter. */
export function recipeKey(recipe: Recipe): string {
  const known = keys.get(recipe)
  if (known !== undefined) return known
  const key = createHash('sha256').update(canonical(recipe)).digest('hex').slice(0, 32)
  keys.set(recipe, key)
  return key
}

/** The file ending, without the dot. */
export function recipeEnding(recipe: Recipe): string {
  switch (recipe.kind) {
    case 'video':
      return recipe.container
    case 'last_frame':
    case 'poster':
      return 'png'
    case 'sound':
    case 'image':
    case 'kept':
      return recipe.format
  }
}

/** The kept files that a rendering needs. */
export function keptFilesOf(recipe: Recipe): Digest[] {
  switch (recipe.kind) {
    case 'video':
      return [recipe.firstFrame, recipe.lastFrame, ...(recipe.references ?? []), soundOf(recipe)].filter(
        digest => digest !== undefined,
      )
    case 'last_frame':
      return keptFilesOf({ ...recipe.of, audio: 'none' })
    case 'image':
      return recipe.inputs.flatMap(({ picture }) => picture ?? [])
    case 'kept':
      return [recipe.content]
    case 'sound':
    case 'poster':
      return []
  }
}

function soundOf({ audio, sound }: VideoRecipe): Digest | undefined {
  return audio !== 'none' && sound?.kind === 'given' ? sound.content : undefined
}

const mediaTypes: Record<string, string> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  png: 'image/png',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  bmp: 'image/bmp',
  tiff: 'image/tiff',
  gif: 'image/gif',
  heic: 'image/heic',
  avif: 'image/avif',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  aac: 'audio/aac',
  m4a: 'audio/mp4',
}

/** The Content-Type that belongs to a file ending. */
export function mediaType(ending: string): string {
  return mediaTypes[ending] ?? 'application/octet-stream'
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, v]) => v !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`).join(',')}}`
}

/** The recipe of a small picture of the first picture or video (its first frame); undefined when there are only sounds. */
export function posterOf(recipes: readonly Recipe[]): PosterRecipe | undefined {
  for (const recipe of recipes) {
    if (recipe.kind === 'poster') return recipe
    if (recipe.kind !== 'sound') return { kind: 'poster', of: recipe }
  }
  return undefined
}
