import { Buffer } from 'node:buffer'
import { splitNals } from './bits.ts'
import { runFfmpeg } from './ffmpeg.ts'
import { layoutOf } from './frame-layout.ts'
import { type IntraStream, nalType, readIntraStream } from './h264-read.ts'
import { macroblocks, type SlicePlace, writeIntraSlice, writeSkipSlice, writeSps } from './h264-write.ts'
import { type Sample, type Track, u32 } from './mp4.ts'
import { avcDescription, hevcDescription, hevcNalType } from './mp4-codecs.ts'
import type { VideoRecipe } from './recipe.ts'
import type { Step } from './storyboard.ts'
import { strips, upperParts, type VideoScript, wholePictures } from './video-script.ts'
import type { YuvPicture } from './yuv.ts'

export interface CodingOrder {
  recipe: VideoRecipe
  /** May still be under way: the encoders start meanwhile. */
  script: VideoScript | Promise<VideoScript>
  ffmpeg: string
  signal?: AbortSignal | undefined
}

/** Units a second for each frame a second, so that every frame lasts a whole number of them. */
const unitsPerFrame = 512

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

/** The pictures of a script as soon as it is written. */
async function* once(
  script: CodingOrder['script'],
  draw: (script: VideoScript) => Iterable<YuvPicture>,
): AsyncGenerator<YuvPicture> {
  yield* draw(await script)
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

function rawVideo({ width, height, fps }: { width: number; height: number; fps: number }): string[] {
  return ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-framerate', String(fps)]
}

async function* bytesOf(pictures: AsyncIterable<YuvPicture>): AsyncGenerator<Uint8Array> {
  for await (const picture of pictures) yield picture.bytes
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

function at<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined)
    throw new Error(`the encoder gave ${items.length} pictures, number ${index + 1} is missing`)
  return item
}

function sample(nals: readonly Uint8Array[], sync: boolean): Sample {
  return { bytes: Buffer.concat(nals.flatMap(nal => [u32(nal.length), nal])), duration: unitsPerFrame, sync }
}

function videoTrack(recipe: VideoRecipe, samples: Sample[], description: Buffer): Track {
  if (samples.length !== recipe.frames) {
    throw new Error(`the encoder gave ${samples.length} frames instead of ${recipe.frames}`)
  }
  const { width, height, fps } = recipe
  return { kind: 'video', timescale: fps * unitsPerFrame, samples, description, skip: 0, width, height }
}

const plainCodecs = {
  h264: ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '24', '-bf', '0', '-g', '48'],
  hevc: [
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-x265-params',
    'qp=26:bframes=0:keyint=48:log-level=error',
  ],
} as const
const colours = [
  '-colorspace',
  'bt709',
  '-color_primaries',
  'bt709',
  '-color_trc',
  'bt709',
  '-color_range',
  'tv',
]

/** Every frame through the encoder: slow, but works with any of its settings, and for HEVC. */
export async function codePlainly(order: CodingOrder, codec: VideoRecipe['codec']): Promise<Track> {
  const { recipe, script, ffmpeg, signal } = order
  const stream = await runFfmpeg({
    ffmpeg,
    input: bytesOf(once(script, ready => wholePictures(ready, recipe))),
    inputOptions: rawVideo(recipe),
    outputOptions: [...plainCodecs[codec], '-pix_fmt', 'yuv420p', ...colours, '-f', codec],
    signal,
  })
  const nals = splitNals(stream)
  return codec === 'hevc' ? hevcTrack(recipe, nals) : avcTrack(recipe, nals)
}

function avcTrack(recipe: VideoRecipe, nals: readonly Uint8Array[]): Track {
  const ofType = (type: number): Uint8Array =>
    at(
      nals.filter(nal => nalType(nal) === type),
      0,
    )
  const isPicture = (nal: Uint8Array): boolean => nalType(nal) === 1 || nalType(nal) === 5
  const frames = group(nals.filter(isPicture), nal => ((nal[1] ?? 0) & 0x80) !== 0)
  const samples = frames.map(frame => sample(frame, nalType(at(frame, 0)) === 5))
  return videoTrack(
    recipe,
    samples,
    avcDescription(recipe.container, recipe, { sps: ofType(7), pps: ofType(8) }),
  )
}

function hevcTrack(recipe: VideoRecipe, nals: readonly Uint8Array[]): Track {
  const sets = [32, 33, 34].map(type =>
    at(
      nals.filter(nal => hevcNalType(nal) === type),
      0,
    ),
  )
  const frames = group(
    nals.filter(nal => hevcNalType(nal) < 32),
    nal => ((nal[2] ?? 0) & 0x80) !== 0,
  )
  const isKey = (nal: Uint8Array): boolean => hevcNalType(nal) >= 16 && hevcNalType(nal) <= 21
  const samples = frames.map(frame => sample(frame, isKey(at(frame, 0))))
  return videoTrack(recipe, samples, hevcDescription(recipe.container, recipe, sets))
}

/** Puts the slices of one picture together. */
function group(slices: readonly Uint8Array[], startsPicture: (nal: Uint8Array) => boolean): Uint8Array[][] {
  const frames: Uint8Array[][] = []
  for (const slice of slices) {
    if (startsPicture(slice) || frames.length === 0) frames.push([])
    frames.at(-1)?.push(slice)
  }
  return frames
}
