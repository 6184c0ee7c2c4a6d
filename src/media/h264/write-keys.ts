import { codedRows } from '../video/coded-picture.ts'
import type { DrawnGround } from '../video/ground.ts'
import type { Key } from '../video/timeline.ts'
import { encodedAt } from '../video/video-coding.ts'
import { groundOf, keyPicture, type VideoScript } from '../video/video-script.ts'
import { planesOf, type YuvPicture } from '../video/yuv.ts'
import type { IntraSlice } from './read-stream.ts'
import { type PictureOrder, writeIntraSlice, writeRefreshSlice } from './write-pictures.ts'

/** Writes the slices of a key from the coded tiles. Those that several starts share are written once for each of their two headers. */
export function createKeyWriter(
  script: VideoScript,
  slices: readonly IntraSlice[],
): (key: Key) => Uint8Array[] {
  const tiles = tilesOf(script)
  const { stage, timeline } = script
  const starts = timeline.keys.filter(({ coded }) => coded === 'start')
  const written = new Map<string, Uint8Array>()
  const firstMbOf = ({ number }: LowerTile) => number * stage.tileRows * stage.picture.columns
  const shared = (i: number, tile: LowerTile, keyNumber: number) => {
    const name = `${i} ${keyNumber % 2}`
    const slice =
      written.get(name) ?? writeIntraSlice(encodedAt(slices, i), { keyNumber, firstMb: firstMbOf(tile) })
    written.set(name, slice)
    return slice
  }
  return key => {
    const upper = encodedAt(
      slices,
      tiles.findIndex(tile => tile.kind === 'upper' && tile.key === key),
    )
    const lower = tiles.flatMap((tile, i) =>
      tile.kind === 'lower' && tile.ground === key.ground ? [{ tile, i }] : [],
    )
    if (key.coded === 'start') {
      const keyNumber = starts.indexOf(key)
      const first = writeIntraSlice(upper, { keyNumber, firstMb: 0 })
      return [first, ...lower.map(({ tile, i }) => shared(i, tile, keyNumber))]
    }
    const order = orderOf(key, key.frame, key.sinceStart)
    const below = key.coded === 'whole' ? lower : []
    return [
      writeRefreshSlice(upper, 0, order),
      ...below.map(({ tile, i }) => writeRefreshSlice(encodedAt(slices, i), firstMbOf(tile), order)),
    ]
  }
}

/** The order of a frame after a key. `referencesBefore` counts the earlier pictures that others refer to. */
export function orderOf({ start }: Key, frame: number, referencesBefore: number): PictureOrder {
  return { sinceStart: frame - start, referencesBefore }
}

/** A picture for the encoder. An upper tile belongs to one key; a lower one to all keys with the same ground. */
type Tile = UpperTile | LowerTile

interface UpperTile {
  kind: 'upper'
  key: Key
}

interface LowerTile {
  kind: 'lower'
  ground: Key['ground']
  /** Counted from the top; the upper tile is 0. */
  number: number
}

/** All tiles in the order in which they are coded. */
function tilesOf({ stage, timeline }: VideoScript): Tile[] {
  const others = codedRows(stage.picture) / stage.tileRows - 1
  const grounds = [...new Set(timeline.keys.map(key => key.ground))]
  return grounds.flatMap(ground => [
    ...timeline.keys.filter(key => key.ground === ground).map(key => ({ kind: 'upper', key }) as const),
    ...Array.from({ length: others }, (_, i) => ({ kind: 'lower', ground, number: i + 1 }) as const),
  ])
}

/** The bytes of the same tiles, for the encoder. */
export function* bytesOfTiles(
  script: VideoScript,
  grounds: readonly DrawnGround<YuvPicture>[],
): Generator<Uint8Array> {
  const { stage } = script
  const height = stage.tileRows * 16
  for (const tile of tilesOf(script)) {
    const ground = groundOf(grounds, tile.kind === 'upper' ? tile.key : tile)
    if (tile.kind === 'lower')
      yield* planesOf(ground.picture, tile.number * height, (tile.number + 1) * height)
    else {
      const { key } = tile
      yield keyPicture(ground, stage, { key, writing: script.writingAt(key.frame), height }).bytes
    }
  }
}
