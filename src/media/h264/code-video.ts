import { runFfmpeg } from '../render/ffmpeg.ts'
import type { VideoRecipe } from '../render/recipe.ts'
import type { Tool } from '../render/tools.ts'
import { nalType, splitNals } from '../video/bits.ts'
import { codedRows } from '../video/coded-picture.ts'
import { dividedAt } from '../video/field.ts'
import type { DrawnGround } from '../video/ground.ts'
import {
  avc,
  bytesOf,
  type CodingOrder,
  encodedAt,
  type PictureTrack,
  pictureTrack,
  rawVideo,
  withLengths,
} from '../video/movie.ts'
import type { Key, Timeline } from '../video/timeline.ts'
import { groundOf, keyPicture, type VideoScript, wholePictures } from '../video/video-script.ts'
import { leaveMemory, rowsOf, type YuvPicture } from '../video/yuv.ts'
import { type IntraSlice, readIntraStream, UnexpectedStreamError } from './read-stream.ts'
import { CopyWriter } from './write-copies.ts'
import {
  type PictureOrder,
  withWeights,
  writeIntraSlice,
  writeRefreshSlice,
  writeSps,
} from './write-pictures.ts'

/**
 * Codes the pictures of a video. H.264 for browsers is put together from parts; README.md in this folder explains how. Other codecs, and
 * an encoder whose stream cannot be taken apart, code every frame.
 */
export async function codeVideo(order: CodingOrder, tool: Tool): Promise<PictureTrack> {
  const { codec } = order.recipe
  if (codec === 'h264_444' || (codec === 'hevc' && tool.can.libx265)) return await codePlainly(order, codec)
  try {
    return await codeByParts(order)
  } catch (error) {
    if (!(error instanceof UnexpectedStreamError)) throw error
    return await codePlainly(order, 'h264')
  }
}

/**
 * H.264 in which ffmpeg codes only key pictures, in tiles that become their slices: the first tile, with the time code, for each
 * key picture, the others once for each ground. All frames between are copied piece by piece from their key picture, or mixed from
 * two of them, in some hundred bytes written here.
 * @throws UnexpectedStreamError when the encoder's pictures cannot be taken apart
 */
async function codeByParts(coding: CodingOrder): Promise<PictureTrack> {
  const { recipe } = coding
  const script = await coding.script
  const { picture, tileRows } = script.stage
  const order = codingOrder(script.timeline, recipe.frames)
  let copies: Uint8Array[][] = []
  const tiles = async function* () {
    // This runs while the encoder starts and the pictures are drawn.
    const writer = new CopyWriter(picture.columns)
    copies = order.map(frame => copiedPart(script, writer, frame))
    yield* bytesOfTiles(script, await script.grounds)
  }
  const size = { width: picture.columns * 16, height: tileRows * 16 }
  const stream = await encodeAlone({ [Symbol.asyncIterator]: tiles }, { ...coding, size })
  for (const { picture } of await script.grounds) leaveMemory(picture.bytes)
  const coded = readIntraStream(stream)
  const keySlices = createKeyWriter(script, coded.slices.slice(1))
  const pictures = order.map((frame, i) => {
    const key = script.timeline.keys.find(each => each.frame === frame)
    const slices = [...(key ? keySlices(key) : []), ...encodedAt(copies, i)]
    return { bytes: withLengths(slices), sync: key?.coded === 'start' }
  })
  return pictureTrack(recipe, { pictures, order }, avc(parameterSets(script, coded.pps, recipe.fps)))
}

/** The parameter sets of a video. With mixtures, pictures refer both ways. `pps` comes from the encoder. */
function parameterSets({ stage, timeline }: VideoScript, pps: Uint8Array, fps: number) {
  const geometry = { ...stage.picture, fps }
  const isMixed = timeline.keys.some(({ coded }) => coded !== 'start')
  return isMixed
    ? { sps: writeSps(geometry, 'both ways'), pps: withWeights(pps) }
    : { sps: writeSps(geometry, 'back'), pps }
}

/** The slices of a frame that are copied from other frames. A key picture that is coded as a whole has none. */
function copiedPart({ stage, compositionAt }: VideoScript, writer: CopyWriter, frame: number): Uint8Array[] {
  const { key, field, next } = compositionAt(frame)
  if (key.frame === frame) {
    if (key.coded !== 'upper part') return []
    const rows = { fromRow: stage.tileRows, count: codedRows(stage.picture) - stage.tileRows }
    return [writer.kept(rows, orderOf(key, frame, key.sinceStart))]
  }
  const order = orderOf(key, frame, (next?.key ?? key).sinceStart + 1)
  if (!next) return writer.moved({ fromRow: 0, rows: field }, order)
  const { parts } = next
  // Where only labels come or go, both pictures are equal below them.
  const mixedRows = next.key.coded === 'upper part' ? stage.tileRows : codedRows(stage.picture)
  const [first, below] = dividedAt(field, mixedRows)
  const [second] = dividedAt(next.field, mixedRows)
  return [...writer.mixed({ first, second, parts }, order), ...writer.moved(below, order)]
}

type PartOrder = Omit<CodingOrder, 'script'> & { size: { width: number; height: number } }

/**
 * Every picture by itself, as a stream of IDR pictures of one slice each. ffmpeg opens its codec with the first picture. A
 * black picture is sent first and its result dropped, so that the codec opens while the pictures are drawn.
 */
function encodeAlone(
  tiles: AsyncIterable<Uint8Array>,
  { recipe, size, ffmpeg, run = runFfmpeg, signal }: PartOrder,
): Promise<Buffer> {
  return run({
    ffmpeg,
    head: new Uint8Array((size.width * size.height * 3) / 2),
    input: tiles,
    inputOptions: rawVideo({ ...size, fps: recipe.fps }),
    outputOptions: `-c:v libx264 -preset ultrafast -qp ${quantiser(recipe)} -x264-params ${lean} -threads ${threadsFor(size)} -pix_fmt yuv420p -f h264`,
    signal,
  })
}

/** For small pictures a second thread costs more processor time than it saves. The bytes are the same. */
function threadsFor({ width, height }: { width: number; height: number }): number {
  return width * height < 300_000 ? 1 : 2
}

const lean =
  'keyint=1:scenecut=0:bframes=0:cabac=0:8x8dct=0:weightp=0:no-deblock=1:aq-mode=0:mbtree=0:rc-lookahead=0:sync-lookahead=0:subme=0:trellis=0'

/** The quantiser. Coarse steps are seen less in photographs than in flat colours and type. */
function quantiser(recipe: VideoRecipe): number {
  return recipe.firstFrame || recipe.lastFrame ? 25 : 21
}

/** The frames of a video in the order in which they are decoded: a key comes before the first frame that shows some of it. */
export function codingOrder({ momentAt }: Timeline, frames: number): number[] {
  const order = new Set<number>()
  for (let frame = 0; frame < frames; frame++) {
    const { key, next } = momentAt(frame)
    order.add((next?.key ?? key).frame).add(frame)
  }
  return [...order]
}

const x264 = '-c:v libx264 -preset ultrafast -qp 24 -bf 0 -g 48'
const x265 = '-c:v libx265 -preset ultrafast -x265-params qp=26:bframes=0:keyint=48:log-level=error'

/** The options of each encoder, with the pixels that it writes and the form of its stream. */
const plainCodecs = {
  h264: `${x264} -pix_fmt yuv420p -f h264`,
  h264_444: `${x264} -pix_fmt yuv444p -profile:v high444 -f h264`,
  hevc: `${x265} -pix_fmt yuv420p10le -f hevc`,
} as const
const colours = '-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv'

/** Encodes every frame with ffmpeg. This is slow, but works with all settings of the encoder and with other codecs. */
async function codePlainly(order: CodingOrder, codec: VideoRecipe['codec']): Promise<PictureTrack> {
  const { recipe, script, ffmpeg, signal } = order
  const stream = await runFfmpeg({
    ffmpeg,
    input: bytesOf(wholePictures(await script, recipe)),
    inputOptions: rawVideo(recipe),
    outputOptions: `${colours} ${plainCodecs[codec]}`,
    signal,
  })
  return plainTrack(recipe, splitNals(stream), codec === 'hevc' ? 'hevc' : 'avc')
}

/** How NAL units of a codec are told apart, and the form in which the muxer takes those of a picture. */
const forms = {
  avc: {
    typeOf: nalType,
    isSlice: (type: number) => type === 1 || type === 5,
    isKey: (type: number) => type === 5,
    headerBytes: 1,
    joined: withLengths,
  },
  hevc: {
    typeOf: (nal: Uint8Array) => ((nal[0] ?? 0) >> 1) & 0x3f,
    isSlice: (type: number) => type < 32,
    isKey: (type: number) => type >= 16 && type <= 21,
    headerBytes: 2,
    joined: withStartCodes,
  },
}

function plainTrack(recipe: VideoRecipe, nals: readonly Uint8Array[], coding: 'avc' | 'hevc'): PictureTrack {
  const { typeOf, isSlice, isKey, headerBytes, joined } = forms[coding]
  const slices = nals.filter(nal => isSlice(typeOf(nal)))
  const pictures = group(slices, nal => ((nal[headerBytes] ?? 0) & 0x80) !== 0).map(picture => ({
    bytes: joined(picture),
    sync: isKey(typeOf(encodedAt(picture, 0))),
  }))
  const ofType = (type: number) => nals.filter(nal => typeOf(nal) === type)
  const set = (type: number) => encodedAt(ofType(type), 0)
  const decoder =
    coding === 'avc'
      ? avc({ sps: set(7), pps: set(8) })
      : { coding, codec: 'hvc1.2.4.L120.90', sets: withStartCodes([32, 33, 34].map(set)) }
  return pictureTrack(recipe, { pictures }, decoder)
}

function withStartCodes(nals: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(nals.flatMap(nal => [Buffer.from([0, 0, 0, 1]), nal]))
}

/** Groups the slices by picture. */
function group(slices: readonly Uint8Array[], startsPicture: (nal: Uint8Array) => boolean): Uint8Array[][] {
  const frames: Uint8Array[][] = []
  for (const slice of slices) {
    if (startsPicture(slice) || frames.length === 0) frames.push([])
    frames.at(-1)?.push(slice)
  }
  return frames
}

/** Writes the slices of a key from the coded tiles. */
function createKeyWriter(script: VideoScript, slices: readonly IntraSlice[]): (key: Key) => Uint8Array[] {
  const { stage, timeline } = script
  const tiles = tilesOf(script).map((tile, at) => ({
    ...tile,
    slice: encodedAt(slices, at),
    firstMb: tile.number * stage.tileRows * stage.picture.columns,
  }))
  const starts = timeline.keys.filter(({ coded }) => coded === 'start')
  /** Slices that several starts share are written once for each of their two headers. */
  const written = new Map<string, Uint8Array>()
  return key => {
    const own = tiles.filter(tile => (tile.key ? tile.key === key : tile.ground === key.ground))
    if (key.coded !== 'start') {
      const order = orderOf(key, key.frame, key.sinceStart)
      const coded = own.filter(tile => tile.key || key.coded === 'whole')
      return coded.map(({ slice, firstMb }) => writeRefreshSlice(slice, firstMb, order))
    }
    const keyNumber = starts.indexOf(key)
    return own.map(tile => {
      const name = `${tiles.indexOf(tile)} ${keyNumber % 2}`
      const slice = written.get(name) ?? writeIntraSlice(tile.slice, { keyNumber, firstMb: tile.firstMb })
      written.set(name, slice)
      return slice
    })
  }
}

/** The order of a frame after a key. `referencesBefore` counts the earlier pictures that others refer to. */
function orderOf({ start }: Key, frame: number, referencesBefore: number): PictureOrder {
  return { sinceStart: frame - start, referencesBefore }
}

/** A picture for the encoder. The first tile of a key picture is its own; the lower ones belong to all keys with the same ground. */
interface Tile {
  ground: Key['ground']
  /** Counted from the top. */
  number: number
  /** Of a first tile. */
  key?: Key
}

/** All tiles in the order in which they are coded. */
function tilesOf({ stage, timeline }: VideoScript): Tile[] {
  const others = codedRows(stage.picture) / stage.tileRows - 1
  const grounds = [...new Set(timeline.keys.map(key => key.ground))]
  return grounds.flatMap(ground => [
    ...timeline.keys.filter(key => key.ground === ground).map(key => ({ ground, number: 0, key })),
    ...Array.from({ length: others }, (_, i) => ({ ground, number: i + 1 })),
  ])
}

/** The bytes of the same tiles, for the encoder. */
function* bytesOfTiles(
  script: VideoScript,
  grounds: readonly DrawnGround<YuvPicture>[],
): Generator<Uint8Array> {
  const { stage } = script
  const height = stage.tileRows * 16
  for (const tile of tilesOf(script)) {
    const { key, number } = tile
    const ground = groundOf(grounds, tile)
    if (key) yield keyPicture(ground, stage, { key, writing: script.writingAt(key.frame), height }).bytes
    else yield* rowsOf(ground.picture, number * height, (number + 1) * height)
  }
}
