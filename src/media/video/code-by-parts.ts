import { runFfmpeg } from '../ffmpeg.ts'
import type { VideoRecipe } from '../recipe.ts'
import { codedRows, geometryOf } from './coded-picture.ts'
import { type IntraSlice, readIntraStream } from './h264-read.ts'
import { type PictureOrder, writeIntraSlice, writeRefreshSlice, writeSps } from './h264-write.ts'
import { createMotionWriter, type MotionWriter } from './motion-write.ts'
import type { Track } from './mp4.ts'
import { avcDescription } from './mp4-codecs.ts'
import { leaveMemory } from './picture-memory.ts'
import { bytesOfTiles, type LowerTile, passingTiles, type Stretch, tilesOf } from './tiles.ts'
import type { Key } from './timeline.ts'
import { at, type CodingOrder, rawVideo, sample, videoTrack } from './video-coding.ts'
import type { VideoScript } from './video-script.ts'

/**
 * H.264 in which ffmpeg codes only key pictures, in tiles that become their slices: the first tile, with the time code, for each
 * key picture, the others once for each ground. All frames between are copied from their key picture piece by piece, in some
 * hundred bytes written here.
 * @throws UnexpectedStreamError when the encoder's pictures cannot be taken apart
 */
export async function codeByParts({ recipe, script: written, ffmpeg, signal }: CodingOrder): Promise<Track> {
  const script = await written
  const { picture, tileRows } = script.stage
  const motion = createMotionWriter(picture.columns)
  const copies: Uint8Array[][] = []
  const tiles = async function* () {
    // This runs while the encoder starts and the pictures are drawn.
    for (let frame = 0; frame < recipe.frames; frame++) copies.push(copiedPart(script, motion, frame))
    yield* bytesOfTiles(script, await script.grounds)
  }
  const size = { width: picture.columns * 16, height: tileRows * 16 }
  const stream = await encodeAlone(tiles(), { recipe, size, ffmpeg, signal, coarse: passingTiles(script) })
  const { pps, slices } = readIntraStream(stream)
  const keys = createKeyWriter(script, slices)
  const samples = copies.map((copied, frame) => {
    const key = script.timeline.keys.find(each => each.frame === frame)
    return sample([...(key ? keys(key) : []), ...copied], key?.coded === 'whole')
  })
  for (const { picture } of await script.grounds) leaveMemory(picture.bytes)
  const sps = writeSps(geometryOf(picture, recipe.fps))
  return videoTrack(recipe, samples, avcDescription(recipe.container, recipe, { sps, pps }))
}

/** The slices of a frame that are copied from earlier frames. A key picture that is coded as a whole has none. */
function copiedPart({ stage, fieldAt }: VideoScript, motion: MotionWriter, frame: number): Uint8Array[] {
  const { field, key } = fieldAt(frame)
  if (key.frame < frame) return motion.moved(field, orderOf(key, frame, key.sinceStart + 1))
  if (key.coded === 'whole') return []
  const rows = { fromRow: stage.tileRows, count: codedRows(stage.picture) - stage.tileRows }
  return [motion.kept(rows, orderOf(key, frame, key.sinceStart))]
}

function orderOf({ start }: Key, frame: number, referencesBefore: number): PictureOrder {
  return { sinceStart: frame - start, referencesBefore }
}

/** Writes the slices of a key from the coded tiles. Those that several keys share are written once for each of their two headers. */
function createKeyWriter(script: VideoScript, slices: readonly IntraSlice[]): (key: Key) => Uint8Array[] {
  const tiles = tilesOf(script)
  const { stage, timeline } = script
  const starts = timeline.keys.filter(({ coded }) => coded === 'whole')
  const written = new Map<string, Uint8Array>()
  const lowerSlice = (i: number, { number }: LowerTile, keyNumber: number) => {
    const name = `${i} ${keyNumber % 2}`
    const firstMb = number * stage.tileRows * stage.picture.columns
    const slice = written.get(name) ?? writeIntraSlice(at(slices, i), { keyNumber, firstMb })
    written.set(name, slice)
    return slice
  }
  return key => {
    const upper = at(
      slices,
      tiles.findIndex(tile => tile.kind === 'upper' && tile.key === key),
    )
    if (key.coded === 'upper part') return [writeRefreshSlice(upper, orderOf(key, key.frame, key.sinceStart))]
    const keyNumber = starts.indexOf(key)
    const others = tiles.flatMap((tile, i) =>
      tile.kind === 'lower' && tile.way === key.way ? [lowerSlice(i, tile, keyNumber)] : [],
    )
    return [writeIntraSlice(upper, { keyNumber, firstMb: 0 }), ...others]
  }
}

interface PartOrder {
  recipe: VideoRecipe
  size: { width: number; height: number }
  ffmpeg: string
  signal: AbortSignal | undefined
  /** The pictures that are coded more coarsely. */
  coarse: readonly Stretch[]
}

/** Every picture by itself, as a stream of IDR pictures of one slice each. */
function encodeAlone(
  tiles: AsyncIterable<Uint8Array>,
  { recipe, size, ffmpeg, signal, coarse }: PartOrder,
): Promise<Buffer> {
  const codec = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-qp',
    String(quantiser(recipe)),
    '-x264-params',
    [lean, ...zonesOf(coarse, quantiser(recipe) + 8)].join(':'),
  ]
  return runFfmpeg({
    ffmpeg,
    input: tiles,
    inputOptions: rawVideo({ ...size, fps: recipe.fps }),
    outputOptions: [...codec, '-threads', threadsFor(size), '-pix_fmt', 'yuv420p', '-f', 'h264'],
    signal,
  })
}

/** For small pictures a second thread costs more processor time than it saves. The bytes are the same. */
function threadsFor({ width, height }: { width: number; height: number }): string {
  return width * height < 300_000 ? '1' : '2'
}

const lean =
  'keyint=1:scenecut=0:bframes=0:cabac=0:8x8dct=0:weightp=0:no-deblock=1:aq-mode=0:mbtree=0:rc-lookahead=0:sync-lookahead=0:subme=0:trellis=0'

/** The stretches as an option of x264. */
function zonesOf(stretches: readonly Stretch[], quantiser: number): string[] {
  const zones = stretches.map(({ from, to }) => `${from},${to},q=${quantiser}`)
  return zones.length > 0 ? [`zones=${zones.join('/')}`] : []
}

/** The quantiser. Coarse steps are seen less in photographs than in flat colours and type. */
function quantiser(recipe: VideoRecipe): number {
  return recipe.firstFrame || recipe.lastFrame ? 25 : 21
}
