import type { Patch } from './field.ts'
import type { Stage } from './stage.ts'
import { labelPatches } from './stage-field.ts'
import { signPatches } from './time-code.ts'
import type { Key } from './timeline.ts'
import { copyPiece, rows, type YuvPicture } from './yuv.ts'

/** The first tile of a key picture with its time code, and with its labels when they are shown. */
export function withSigns(
  ground: YuvPicture,
  stage: Stage,
  { key, written }: { key: Key; written: string },
): YuvPicture {
  const { labels, code } = stage
  const picture = rows(ground, 0, stage.tileRows * 16)
  const waiting: Key = { ...key, labels: 'waiting' }
  const part = key.labels === 'shown' ? 1 : 0
  const patches = labels
    ? labelPatches(stage, { key: waiting, labels: part }, written)
    : signPatches(code, written)
  for (const patch of patches) copyPatch(ground, picture, patch)
  return picture
}

function copyPatch(from: YuvPicture, to: YuvPicture, { left, top, columns, rows, dx, dy }: Patch): void {
  const piece = { left: left * 16 + dx, top: top * 16 + dy, width: columns * 16, height: rows * 16 }
  copyPiece(from, piece, to, { left: left * 16, top: top * 16 })
}
