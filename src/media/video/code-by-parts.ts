import { runFfmpeg } from '../ffmpeg.ts'
import type { VideoRecipe } from '../recipe.ts'
import { codedRows, geometryOf } from './coded-picture.ts'
import { type IntraSlice, readIntraStream } from './h264-read.ts'
import { writeIntraSlice, writeSps } from './h264-write.ts'
import { writeMotion } from './motion-write.ts'
import type { Track } from './mp4.ts'
import { avcDescription } from './mp4-codecs.ts'
import { at, bytesOf, type CodingOrder, rawVideo, sample, videoTrack } from './video-coding.ts'
import { firstTile, groundAt, type VideoScript } from './video-script.ts'
import { rows, type YuvPicture } from './yuv.ts'

/**
 * H.264 in which only key pictures are coded by ffmpeg, in tiles that become their slices: the first tile with the time code for each
 * key picture, the others once for each ground. All frames between are copied from their key picture piece by piece, in some hundred
 * bytes written here.
 * @throws UnexpectedStreamError when the encoder's pictures cannot be taken apart
 */
export async function codeByParts({ recipe, script: written, ffmpeg, signal }: CodingOrder): Promise<Track> {
  const script = await written
  const { picture, tileRows } = script.stage
  const order: Order = { script, fps: recipe.fps, ways: waysOf(script) }
  const between: Uint8Array[][] = []
  const tiles = async function* () {
    // The encoder starts and the pictures are drawn meanwhile.
    for (let frame = 0; frame < recipe.frames; frame++) between.push(motionAt(script, frame))
    yield* tilesOf(order, await script.grounds)
  }
  const size = { width: picture.columns * 16, height: tileRows * 16 }
  const { pps, slices } = readIntraStream(await encodeAlone(tiles(), { recipe, size, ffmpeg, signal }))
  const samples = between.map((slicesAt, frame) => {
    if (slicesAt.length > 0) return sample(slicesAt, false)
    return sample(keyPicture(order, slices, frame), true)
  })
  const sps = writeSps(geometryOf(picture, recipe.fps))
  return videoTrack(recipe, samples, avcDescription(recipe.container, recipe, { sps, pps }))
}

interface Order {
  script: VideoScript
  fps: number
  /** The grounds, and the pictures on the way between them, that are coded. */
  ways: readonly number[]
}

function waysOf({ timeline }: VideoScript): number[] {
  return [...new Set(timeline.keys.map(key => key.way))]
}

/** The slices of a frame; none for a key picture. */
function motionAt({ stage, fieldAt }: VideoScript, frame: number): Uint8Array[] {
  const { field, moment } = fieldAt(frame)
  const since = frame - moment.key.frame
  return since === 0 ? [] : writeMotion(field, stage.picture.columns, since)
}

/** For each ground its first tile for each of its key pictures, then its other tiles. */
function* tilesOf({ script, fps, ways }: Order, grounds: readonly YuvPicture[]): Generator<YuvPicture> {
  const { stage, timeline } = script
  const height = stage.tileRows * 16
  for (const way of ways) {
    const ground = groundAt(grounds, way)
    for (const key of timeline.keys.filter(each => each.way === way))
      yield firstTile(script, ground, { key, fps })
    for (let top = height; top < ground.height; top += height) yield rows(ground, top, top + height)
  }
}

/** The slices of a key picture, from the tiles in the order in which they were coded. */
function keyPicture({ script, ways }: Order, tiles: readonly IntraSlice[], frame: number): Uint8Array[] {
  const { stage, timeline } = script
  const { key, keyNumber } = timeline.momentAt(frame)
  const others = codedRows(stage.picture) / stage.tileRows - 1
  const keysOf = (way: number) => timeline.keys.filter(each => each.way === way)
  const before = ways.slice(0, ways.indexOf(key.way))
  const start = before.reduce((sum, way) => sum + keysOf(way).length + others, 0)
  const own = keysOf(key.way)
  const numbers = [
    start + own.indexOf(key),
    ...Array.from({ length: others }, (_, i) => start + own.length + i),
  ]
  return numbers.map((number, i) =>
    writeIntraSlice(at(tiles, number), { keyNumber, firstMb: i * stage.tileRows * stage.picture.columns }),
  )
}

interface PartOrder {
  recipe: VideoRecipe
  size: { width: number; height: number }
  ffmpeg: string
  signal: AbortSignal | undefined
}

/** Every picture by itself, as a stream of IDR pictures of one slice each. */
function encodeAlone(
  pictures: AsyncIterable<YuvPicture>,
  { recipe, size, ffmpeg, signal }: PartOrder,
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
    inputOptions: rawVideo({ ...size, fps: recipe.fps }),
    outputOptions: [...codec, '-threads', '2', '-pix_fmt', 'yuv420p', '-f', 'h264'],
    signal,
  })
}

/** Photographs hide coarser steps than flat colours and type do. */
function quantiser(recipe: VideoRecipe): number {
  return recipe.firstFrame || recipe.lastFrame ? 25 : 21
}
