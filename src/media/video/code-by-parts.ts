import { Buffer } from 'node:buffer'
import { layoutOf } from '../drawing/frame-layout.ts'
import { runFfmpeg } from '../ffmpeg.ts'
import type { VideoRecipe } from '../recipe.ts'
import { type IntraStream, readIntraStream } from './h264-read.ts'
import { macroblocks, type SlicePlace, writeIntraSlice, writeSkipSlice, writeSps } from './h264-write.ts'
import type { Sample, Track } from './mp4.ts'
import { avcDescription } from './mp4-codecs.ts'
import type { Step } from './storyboard.ts'
import { at, bytesOf, type CodingOrder, once, rawVideo, sample, videoTrack } from './video-coding.ts'
import { strips, upperParts } from './video-script.ts'
import type { YuvPicture } from './yuv.ts'

/**
 * H.264 in which only what changes is coded: ffmpeg codes the still upper part once and the strip with the time code
 * once a step; the frames between repeat the picture before them in about ten bytes, written here.
 * @throws UnexpectedStreamError when the encoder's pictures cannot be taken apart
 */
export async function codeByParts({ recipe, script, ffmpeg, signal }: CodingOrder): Promise<Track> {
  const code = async (pictures: AsyncIterable<YuvPicture>, height: number): Promise<IntraStream> =>
    readIntraStream(await encodeAlone(pictures, { recipe, height, ffmpeg, signal }))
  const { stripTop, height } = layoutOf(recipe)
  const [upper, lower] = await Promise.all([
    code(once(script, upperParts), stripTop),
    code(
      once(script, ready => strips(ready, recipe)),
      height - stripTop,
    ),
  ])
  if (!Buffer.from(upper.pps).equals(lower.pps))
    throw new Error('two runs of the encoder gave two parameter sets')
  const sps = writeSps(recipe)
  const samples = layFrames({ upper, lower, steps: (await script).steps, recipe, upperRows: stripTop / 16 })
  return videoTrack(recipe, samples, avcDescription(recipe.container, recipe, { sps, pps: upper.pps }))
}

interface PartOrder {
  recipe: VideoRecipe
  height: number
  ffmpeg: string
  signal: AbortSignal | undefined
}

/** Every picture by itself, as a stream of IDR pictures of one slice each. */
function encodeAlone(
  pictures: AsyncIterable<YuvPicture>,
  { recipe, height, ffmpeg, signal }: PartOrder,
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
    inputOptions: rawVideo({ ...recipe, height }),
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
  steps: readonly Step[]
  recipe: VideoRecipe
  upperRows: number
}

function layFrames({ upper, lower, steps, recipe, upperRows }: Parts): Sample[] {
  const { mbWidth, mbHeight } = macroblocks(recipe)
  const upperCount = mbWidth * upperRows
  const place: SlicePlace = { idr: true, sinceIdr: -1, idrNumber: -1, firstMb: 0 }
  const samples: Sample[] = []
  let stage = -1
  steps.forEach((step, i) => {
    if (step.way !== steps[i - 1]?.way) stage++
    place.idr = step.key
    place.sinceIdr = step.key ? 0 : place.sinceIdr + 1
    if (step.key) place.idrNumber++
    const still = step.key
      ? writeIntraSlice(at(upper.slices, stage), place)
      : writeSkipSlice(place, upperCount)
    const moving = writeIntraSlice(at(lower.slices, i), { ...place, firstMb: upperCount })
    samples.push(sample([still, moving], step.key))
    for (let frame = 1; frame < step.frames; frame++) {
      place.sinceIdr++
      samples.push(sample([writeSkipSlice(place, mbWidth * mbHeight)], false))
    }
  })
  return samples
}
