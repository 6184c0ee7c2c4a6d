import { codedRows } from '../video/coded-picture.ts'
import type { DrawnGround } from '../video/ground.ts'
import { firstTile } from '../video/key-picture.ts'
import type { Key } from '../video/timeline.ts'
import { groundOf, type VideoScript } from '../video/video-script.ts'
import { planesOf, type YuvPicture } from '../video/yuv.ts'

/** A picture for the encoder. An upper tile belongs to one key; a lower one to all keys with the same ground. */
export type Tile = UpperTile | LowerTile

export interface UpperTile {
  kind: 'upper'
  key: Key
}

export interface LowerTile {
  kind: 'lower'
  ground: Key['ground']
  /** Counted from the top; the upper tile is 0. */
  number: number
}

/** All tiles in the order in which they are coded. */
export function tilesOf({ stage, timeline }: VideoScript): Tile[] {
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
    else yield firstTile(ground, stage, { key: tile.key, writing: script.writingAt(tile.key.frame) }).bytes
  }
}
