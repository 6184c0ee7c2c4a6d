import { at } from '../../spec/json.ts'
import { isMediaDescription } from '../describe-media.ts'
import { rowsOf, type Step } from '../read/steps.ts'
import type { Check } from './check.ts'

/** Checks the pictures that a reply contains as base64 against the fields about them. */
export function checkPictures(step: Step): Check[] {
  if (step.operation !== 'image.generate') return []
  return rowsOf(step.reply).flatMap(row => [...fileIn(step, row), ...boxOf(step, row)])
}

/** A box is left, top, right, bottom, in thousandths of the base image (I-layers). */
function boxOf(step: Step, row: unknown): Check[] {
  const box = at(row, 'bounding_box', 'normalized')
  if (!Array.isArray(box)) return []
  const [left, top, right, bottom] = box.map(Number) as [number, number, number, number]
  const isAlike = left >= 0 && top >= 0 && left <= right && top <= bottom && right <= 1000 && bottom <= 1000
  const emulated = isAlike ? box : 'a box within 0 to 1000'
  return [{ step, aspect: 'value', path: 'data[].bounding_box.normalized', recorded: box, emulated, isAlike }]
}

function fileIn(step: Step, row: unknown): Check[] {
  const file = at(row, 'b64_json')
  if (!isMediaDescription(file)) return []
  const check = (path: string, recorded: unknown, emulated: unknown): Check => ({
    step,
    aspect: 'media',
    path,
    recorded,
    emulated,
    isAlike: recorded === emulated,
  })
  const format = at(row, 'output_format')
  const size = at(row, 'size')
  return [
    check('data[].b64_json', file.form, 'base64'),
    ...(typeof format === 'string' ? [check('file.type', file.type, `image/${format}`)] : []),
    ...(typeof size === 'string' && file.width !== undefined
      ? [check('file.size', `${file.width}x${file.height}`, size)]
      : []),
  ]
}
