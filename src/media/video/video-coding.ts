import { Buffer } from 'node:buffer'
import type { VideoRecipe } from '../recipe.ts'
import type { Sample, Track } from './mp4.ts'
import { u32 } from './mp4-boxes.ts'
import type { Sources, VideoScript } from './video-script.ts'
import type { YuvPicture } from './yuv.ts'

/** The input of both ways to code a video. */
export interface CodingOrder {
  recipe: VideoRecipe
  script: Promise<VideoScript>
  ffmpeg: string
  run?: Sources['run'] | undefined
  signal?: AbortSignal | undefined
}

/** Units of time in a frame, so that every frame lasts a whole number of them. */
export const unitsPerFrame = 512

export function rawVideo({ width, height, fps }: { width: number; height: number; fps: number }): string[] {
  return ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-framerate', String(fps)]
}

export async function* bytesOf(pictures: AsyncIterable<YuvPicture>): AsyncGenerator<Uint8Array> {
  for await (const picture of pictures) yield picture.bytes
}

export function at<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined)
    throw new Error(`the encoder gave ${items.length} pictures, number ${index + 1} is missing`)
  return item
}

export function sample(nals: readonly Uint8Array[], sync: boolean): Sample {
  return { bytes: Buffer.concat(nals.flatMap(nal => [u32(nal.length), nal])), duration: unitsPerFrame, sync }
}

/** A track of pictures in the order of decoding. The delay of the first one is not played. */
export function videoTrack(recipe: VideoRecipe, samples: Sample[], description: Buffer): Track {
  if (samples.length !== recipe.frames) {
    throw new Error(`the encoder gave ${samples.length} frames instead of ${recipe.frames}`)
  }
  const { width, height, fps } = recipe
  const skip = samples[0]?.delay ?? 0
  return { kind: 'video', timescale: fps * unitsPerFrame, samples, description, skip, width, height }
}
