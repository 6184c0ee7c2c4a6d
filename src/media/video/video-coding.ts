import { Buffer } from 'node:buffer'
import type { VideoRecipe } from '../render/recipe.ts'
import type { PictureTrack } from './movie.ts'
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

export function rawVideo({ width, height, fps }: { width: number; height: number; fps: number }): string {
  return `-f rawvideo -pix_fmt yuv420p -s ${width}x${height} -framerate ${fps}`
}

export async function* bytesOf(pictures: AsyncIterable<YuvPicture>): AsyncGenerator<Uint8Array> {
  for await (const picture of pictures) yield picture.bytes
}

export function encodedAt<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined)
    throw new Error(`the encoder gave ${items.length} pictures, number ${index + 1} is missing`)
  return item
}

/** NAL units with their lengths before them, as samples in a file are. */
export function withLengths(nals: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(nals.reduce((sum, nal) => sum + 4 + nal.length, 0))
  let at = 0
  for (const nal of nals) {
    bytes.set(nal, bytes.writeUInt32BE(nal.length, at))
    at += 4 + nal.length
  }
  return bytes
}

/** Pictures in the order of decoding, and the frame that each of them is. */
interface CodedPictures {
  pictures: readonly { bytes: Uint8Array; sync: boolean }[]
  order: readonly number[]
}

type Coding = Pick<PictureTrack, 'coding' | 'sets'> & { codec: string; description?: Uint8Array }

/** A track of pictures with the colours of BT.709. */
export function pictureTrack(
  { width, height, fps, frames }: VideoRecipe,
  { pictures, order }: CodedPictures,
  { coding, sets, ...decoder }: Coding,
): PictureTrack {
  if (pictures.length !== frames)
    throw new Error(`the encoder gave ${pictures.length} frames instead of ${frames}`)
  const colorSpace = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const
  return {
    kind: 'video',
    coding,
    fps,
    samples: pictures.map((picture, i) => ({ ...picture, at: (order[i] ?? i) / fps, duration: 1 / fps })),
    decoder: { ...decoder, codedWidth: width, codedHeight: height, colorSpace },
    ...(sets && { sets }),
  }
}

/** `profile_idc` of High 4:4:4 Predictive. ISO/IEC 14496-10, A.2.11. */
const high444 = 244

/** H.264 with its parameter sets (`avcC`). ISO/IEC 14496-15, 5.3.3.1. */
export function avc({ sps, pps }: { sps: Uint8Array; pps: Uint8Array }): Coding {
  const profile = sps.subarray(1, 4)
  // The high profiles add their chroma format and bit depths.
  const extension = profile[0] === high444 ? [0xfc | 3, 0xf8, 0xf8, 0] : []
  const counted = (set: Uint8Array) => [set.length >> 8, set.length & 255, ...set]
  return {
    coding: 'avc',
    codec: `avc1.${Buffer.from(profile).toString('hex')}`,
    description: Uint8Array.of(1, ...profile, 0xff, 0xe1, ...counted(sps), 1, ...counted(pps), ...extension),
  }
}
