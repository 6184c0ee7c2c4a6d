import { agrees, pages, rising, sums } from '../agreements.ts'
import * as is from '../forms.ts'
import { at, valuesAt } from '../json.ts'
import { type Agrees, fields, filtered, type Predicate, repeated } from '../predicates.ts'
import type { SpecFamily } from '../sight.ts'

/** How assumptions are seen in requests and replies: by id, then by the family that shows them. */
export type SeenById = Readonly<Record<string, Readonly<Partial<Record<SpecFamily, readonly Predicate[]>>>>>

const inC = (seen: (family: SpecFamily) => Predicate[]) => ({ c: seen('c'), special: seen('special') })

/** The code of a failed task, where it has one. A replay repeats what was recorded. */
const failureCode = (view: string, path: string, form: is.Form) =>
  fields(view, { [path]: form }, undefined, repeated)

/** The id of a create's reply and of its request. */
const sentId: Agrees['read'] = (reply, { body }) => {
  const sent = at(body, 'external_task_id') ?? at(body, 'options', 'external_task_id')
  const told = at(reply, 'data', 'external_id')
  return typeof told === 'string' && typeof sent === 'string' && sent !== '' ? [told, sent] : undefined
}

/** Left, top, right and bottom, in thousandths of the base image. */
const box = is.such(
  'a box within 0 to 1000',
  value => {
    if (!Array.isArray(value)) return true
    const [left, top, right, bottom] = value.map(Number) as [number, number, number, number]
    return left >= 0 && top >= 0 && left <= right && top <= bottom && right <= 1000 && bottom <= 1000
  },
  [0, 0, 10, 10],
  [0, 0, 1200, 10],
)
const items = (reply: unknown) => valuesAt(reply, 'data[]').map(([, item]) => item)
const usage = (reply: unknown, name: string, wanted: number) => {
  const told = at(reply, 'usage', name)
  return typeof told === 'number' && !Number.isNaN(wanted) ? ([told, wanted] as const) : undefined
}
const count: Agrees['read'] = reply => {
  const data = at(reply, 'data')
  return Array.isArray(data) ? usage(reply, 'generated_images', data.length) : undefined
}
/** A token for every 256 pixels of all pictures together. */
const tokens: Agrees['read'] = reply => {
  const sizes = items(reply).map(item => /^(\d+)x(\d+)$/.exec(String(at(item, 'size'))))
  const pixels = sizes.reduce((sum, size) => sum + Number(size?.[1]) * Number(size?.[2]), 0)
  return usage(reply, 'output_tokens', Math.round(pixels / 256))
}
/** A recording describes the file that a reply contains. */
const typeOfFile: Agrees['read'] = item => [
  at(item, 'b64_json', 'type'),
  `image/${at(item, 'output_format')}`,
]
const sizeOfFile: Agrees['read'] = item => {
  const [width, height] = [at(item, 'b64_json', 'width'), at(item, 'b64_json', 'height')]
  return width === undefined ? undefined : [`${width}x${height}`, at(item, 'size')]
}

/** A row that is missing here is seen only in comparisons with the emulator, or never. */
export const seenById: SeenById = {
  'A-times': { a: [rising('a.record', 'created_at', 'updated_at')] },
  'A-list': {
    a: [
      ...pages('a.list', 'items', 'created_at', 20),
      filtered('a.list', 'filter.model', 'model', { isNeverShown: true }),
      filtered('a.list', 'filter.task_ids', 'id', { isNeverShown: true }),
    ],
  },
  'A-errors': { a: [failureCode('a.record', 'error.code', is.neverShown(is.words))] },
  'A-usage': { a: [sums('a.record', 'usage.total_tokens', 'usage.completion_tokens')] },
  'B-states': {
    b: [
      failureCode('b.get', 'output.code', is.neverShown(is.words)),
      rising('b.get', 'output.submit_time', 'output.scheduled_time', 'output.end_time'),
    ],
  },
  'B-usage': {
    b: [sums('b.get', 'usage.duration', 'usage.input_video_duration', 'usage.output_video_duration')],
  },
  'B-list': {
    b: [
      ...pages('b.list', 'data', 'gmt_create', 10),
      filtered('b.list', 'status', 'status', { isNeverShown: true }),
      filtered('b.list', 'task_id', 'task_id', { isNeverShown: true }),
      rising('b.row', 'gmt_create', 'start_time', 'end_time'),
    ],
  },
  'C-ids': inC(family => [rising(`${family}.record`, 'created_at', 'updated_at')]),
  'C-list': inC(family => pages(`${family}.list`, 'items', 'created_at', 20)),
  'C-usage': inC(family => [
    sums(`${family}.record`, 'usage.total_seconds', 'usage.input_seconds', 'usage.output_seconds'),
    sums(`${family}.record`, 'usage.total_tokens', 'usage.prompt_tokens', 'usage.completion_tokens'),
  ]),
  'C-errors': inC(family => [failureCode(`${family}.record`, 'error.code', is.digits)]),
  'K-external-id': { k: [agrees('k.create', 'data.external_id', sentId)] },
  'K-ids': {
    k: [
      rising('k.record', 'create_time', 'update_time'),
      rising('k.slow-record', 'created_at', 'updated_at'),
    ],
  },
  'I-size': {
    image: [
      agrees('image.item', 'b64_json.size', sizeOfFile),
      agrees('image.item', 'b64_json.type', typeOfFile),
    ],
  },
  'I-layers': { image: [fields('image.item', { 'bounding_box.normalized': is.neverShown(box) })] },
  'I-usage': {
    image: [
      sums('image.generate', 'usage.total_tokens', 'usage.output_tokens'),
      agrees('image.generate', 'usage.output_tokens', tokens),
      agrees('image.generate', 'usage.generated_images', count),
    ],
  },
}
