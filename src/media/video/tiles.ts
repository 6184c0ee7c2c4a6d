import { codedRows } from './coded-picture.ts'
import type { DrawnGround } from './ground.ts'
import { firstTile } from './key-picture.ts'
import type { Key } from './timeline.ts'
import { groundAt, type VideoScript } from './video-script.ts'
import { planesOf, type YuvPicture } from './yuv.ts'

/** A picture for the encoder. An upper tile belongs to one key; a lower one to all keys with the same `way`. */
export type Tile = UpperTile | LowerTile

export interface UpperTile {
  kind: 'upper'
  key: Key
}

export interface LowerTile {
  kind: 'lower'
  way: number
  /** Counted from the top; the upper tile is 0. */
  number: number
}

/** All tiles in the order in which they are coded. */
export function tilesOf({ stage, timeline }: VideoScript): Tile[] {
  const others = codedRows(stage.picture) / stage.tileRows - 1
  const ways = [...new Set(timeline.keys.map(key => key.way))]
  return ways.flatMap(way => [
    ...timeline.keys.filter(key => key.way === way).map(key => ({ kind: 'upper', key }) as const),
    ...Array.from({ length: others }, (_, i) => ({ kind: 'lower', way, number: i + 1 }) as const),
  ])
}

/** The bytes of the same tiles, for the encoder. */
export function* bytesOfTiles(
  script: VideoScript,
  grounds: readonly DrawnGround<YuvPicture>[],
): Generator<Uint8Array> {
  const { stage } = script
  const height = stage.tileRows * 16
  let drawn: { way: number; ground: DrawnGround<YuvPicture> } | undefined
  for (const tile of tilesOf(script)) {
    const way = wayOf(tile)
    if (drawn?.way !== way) drawn = { way, ground: groundAt(grounds, way) }
    const { ground } = drawn
    if (tile.kind === 'lower')
      yield* planesOf(ground.picture, tile.number * height, (tile.number + 1) * height)
    else yield firstTile(ground, stage, { key: tile.key, writing: script.writingAt(tile.key.frame) }).bytes
  }
}

function wayOf(tile: Tile): number {
  return tile.kind === 'upper' ? tile.key.way : tile.way
}

/** The numbers of neighbouring tiles, both ends included. */
export interface Stretch {
  from: number
  to: number
}

/** The tiles of pictures on the way from one ground to another. They are shown for a moment and may be coarser. */
export function passingTiles(script: VideoScript): Stretch[] {
  const stretches: Stretch[] = []
  tilesOf(script).forEach((tile, i) => {
    const way = wayOf(tile)
    if (way === 0 || way === 256) return
    const last = stretches.at(-1)
    if (last?.to === i - 1) last.to = i
    else stretches.push({ from: i, to: i })
  })
  return stretches
}
