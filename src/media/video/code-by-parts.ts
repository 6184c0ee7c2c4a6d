import { Buffer } from 'node:buffer'
import { runFfmpeg } from '../ffmpeg.ts'
import type { VideoRecipe } from '../recipe.ts'
import { geometryOf } from './coded-picture.ts'
import { type IntraStream, readIntraStream } from './h264-read.ts'
import { writeIntraSlice, writeSps } from './h264-write.ts'
import { writeMotion } from './motion-write.ts'
import type { Sample, Track } from './mp4.ts'
import { avcDescription } from './mp4-codecs.ts'
import { at, bytesOf, type CodingOrder, rawVideo, sample, videoTrack } from './video-coding.ts'
import { lowerOf, upperOf, type VideoScript } from './video-script.ts'
import type { YuvPicture } from './yuv.ts'

/**
 * H.264 in which only key pictures are coded by ffmpeg: their upper part with the time code each time, their lower part once for
 * each ground. All frames between are copied from their key picture piece by piece, in some hundred bytes written here.
 * @throws UnexpectedStreamError when the encoder's pictures cannot be taken apart
 */
export async function codeByParts({ recipe, script: written, ffmpeg, signal }: CodingOrder): Promise<Track> {
  const script = await written
  const code = async (pictures: Iterable<YuvPicture>, height: number): Promise<IntraStream> =>
    readIntraStream(
      await encodeAlone(pictures, {
        recipe,
        width: script.stage.picture.columns * 16,
        height,
        ffmpeg,
        signal,
      }),
    )
  const { keys } = script.timeline
  const ways = [...new Set(keys.map(key => key.way))]
  const geometry = geometryOf(script.stage.picture, recipe.fps)
  const upperHeight = script.stage.upperRows * 16
  const [lower, upper] = await Promise.all([
    code(
      each(ways, way => lowerOf(script, way)),
      geometry.codedHeight - upperHeight,
    ),
    code(
      each(keys, key => upperOf(script, key, recipe.fps)),
      upperHeight,
    ),
  ])
  if (!Buffer.from(upper.pps).equals(lower.pps))
    throw new Error('two runs of the encoder gave two parameter sets')
  const sps = writeSps(geometry)
  const samples = layFrames({ upper, lower, ways, script, frames: recipe.frames })
  return videoTrack(recipe, samples, avcDescription(recipe.container, recipe, { sps, pps: upper.pps }))
}

function* each<T, U>(items: readonly T[], draw: (item: T) => U): Generator<U> {
  for (const item of items) yield draw(item)
}

interface PartOrder {
  recipe: VideoRecipe
  width: number
  height: number
  ffmpeg: string
  signal: AbortSignal | undefined
}

/** Every picture by itself, as a stream of IDR pictures of one slice each. */
function encodeAlone(
  pictures: Iterable<YuvPicture>,
  { recipe, width, height, ffmpeg, signal }: PartOrder,
): Promise<Buffer> {
  const lean =
    'keyint=1:scenecut=0:bframes=0:cabac=0:8x8dct=0:weightp=0:no-deblock=1:aq-mode=0:mbtree=0:rc-lookahead=0:sync-lookahead=0:subme=0:trellis=0'
  const codec = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-qp',
    String(quantiser(recipe)),
    '-x264-params',
    lean,
  ]
  return runFfmpeg({
    ffmpeg,
    input: bytesOf(pictures),
    inputOptions: rawVideo({ width, height, fps: recipe.fps }),
    outputOptions: [...codec, '-threads', '2', '-pix_fmt', 'yuv420p', '-f', 'h264'],
    signal,
  })
}

/** Photographs hide coarser steps than flat colours and type do. */
function quantiser(recipe: VideoRecipe): number {
  return recipe.firstFrame || recipe.lastFrame ? 25 : 21
}

interface Parts {
  upper: IntraStream
  lower: IntraStream
  /** The grounds of the lower parts, in their order. */
  ways: readonly number[]
  script: VideoScript
  frames: number
}

function layFrames({ upper, lower, ways, script, frames }: Parts): Sample[] {
  const { picture, upperRows } = script.stage
  return Array.from({ length: frames }, (_, frame) => {
    const { field, moment } = script.fieldAt(frame)
    const { key, keyNumber } = moment
    if (frame > key.frame) return sample(writeMotion(field, picture.columns, frame - key.frame), false)
    const first = writeIntraSlice(at(upper.slices, keyNumber), { keyNumber, firstMb: 0 })
    const firstMb = upperRows * picture.columns
    const second = writeIntraSlice(at(lower.slices, ways.indexOf(key.way)), { keyNumber, firstMb })
    return sample([first, second], true)
  })
}
