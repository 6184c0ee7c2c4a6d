import type { DrawnGround } from './ground.ts'
import type { Stage } from './stage.ts'
import { labelPieces, signsOf, type Writing } from './stage-field.ts'
import type { Key } from './timeline.ts'
import { copyPiece, rows, type YuvPicture } from './yuv.ts'

/** Draws the first tile of a key picture: the ground, and labels, time code and level bar if they are seen. Labels that stay are in the ground. */
export function firstTile(
  { picture: ground, labels: label }: DrawnGround<YuvPicture>,
  stage: Stage,
  { key, writing }: { key: Key; writing: Writing },
): YuvPicture {
  const tile = rows(ground, 0, stage.tileRows * 16)
  if (key.labels === 'shown' && !stage.labels.stay)
    for (const { piece, at } of labelPieces(stage)) copyPiece(label, piece, tile, at)
  for (const { left, top, columns, rows, dx, dy } of signsOf(stage, key, writing)) {
    const piece = { left: left * 16 + dx, top: top * 16 + dy, width: columns * 16, height: rows * 16 }
    copyPiece(ground, piece, tile, { left: left * 16, top: top * 16 })
  }
  return tile
}
