import type { Patch } from './field.ts'
import type { Stage } from './stage.ts'
import { labelPatches } from './stage-field.ts'
import { signPatches } from './time-code.ts'
import type { Key } from './timeline.ts'
import { copyPiece, type YuvPicture } from './yuv.ts'

/** The upper rows of a key picture with its time code, and with its labels when they are shown; then what they cover is on the shelf. */
export function withSigns(
  clean: YuvPicture,
  stage: Stage,
  { key, written }: { key: Key; written: string },
): YuvPicture {
  const { labels, code } = stage
  const picture = { ...clean, bytes: clean.bytes.slice() }
  const isShown = key.labels === 'shown'
  const waiting: Key = { ...key, labels: 'waiting' }
  const patches = labels
    ? labelPatches(stage, { key: waiting, labels: isShown ? 1 : 0 }, written)
    : signPatches(code, written)
  for (const patch of patches) copyPatch(clean, picture, patch)
  if (labels && isShown) {
    const behind = { left: 0, top: labels.top * 16, width: clean.width, height: labels.rows * 16 }
    copyPiece(clean, behind, picture, { left: 0, top: labels.shelf * 16 })
  }
  return picture
}

function copyPatch(from: YuvPicture, to: YuvPicture, { left, top, columns, rows, dx, dy }: Patch): void {
  const piece = { left: left * 16 + dx, top: top * 16 + dy, width: columns * 16, height: rows * 16 }
  copyPiece(from, piece, to, { left: left * 16, top: top * 16 })
}
