import { at, isObject } from '../../spec/json.ts'
import { recordsIn } from '../read/observed.ts'
import { rowsOf, type Step } from '../read/steps.ts'
import type { Check } from './check.ts'

interface Sum {
  on: RegExp
  path: string
  of(usage: Record<string, unknown>, reply: unknown): number | undefined
}

const number = (value: unknown) => (typeof value === 'number' ? value : undefined)
const plus = (...values: unknown[]) =>
  values.every(value => typeof value === 'number') ? values.reduce((sum, value) => sum + value, 0) : undefined

/** How the parts of a usage add up to its total (A-usage, B-usage, C-usage, I-usage). */
const sums: readonly Sum[] = [
  { on: /^a\./, path: 'usage.total_tokens', of: usage => number(usage.completion_tokens) },
  {
    on: /^b\./,
    path: 'usage.duration',
    of: usage => plus(usage.input_video_duration, usage.output_video_duration),
  },
  {
    on: /^(?:c|special)\./,
    path: 'usage.total_seconds',
    of: usage => plus(usage.input_seconds, usage.output_seconds),
  },
  {
    on: /^(?:c|special)\./,
    path: 'usage.total_tokens',
    of: usage => plus(usage.prompt_tokens, usage.completion_tokens),
  },
  { on: /^image\./, path: 'usage.total_tokens', of: usage => number(usage.output_tokens) },
  { on: /^image\./, path: 'usage.output_tokens', of: (_, reply) => tokensOfPictures(reply) },
  { on: /^image\./, path: 'usage.generated_images', of: (_, reply) => rowsOf(reply).length },
]

/** Whether the numbers of a recorded usage add up. */
export function checkSums(step: Step): Check[] {
  const records =
    step.operation === 'image.generate' ? [step.reply] : recordsIn(step).map(([, record]) => record)
  return records.filter(isObject).flatMap(record => {
    const usage = step.family === 'b' ? at(step.reply, 'usage') : record.usage
    if (!isObject(usage)) return []
    return sums.flatMap(({ on, path, of }) => {
      const told = usage[path.slice('usage.'.length)]
      const sum = on.test(step.operation) && typeof told === 'number' ? of(usage, step.reply) : undefined
      if (sum === undefined || typeof told !== 'number') return []
      const isAlike = Math.abs(told - sum) < 0.002
      return [{ step, aspect: 'value' as const, path, recorded: told, emulated: sum, isAlike }]
    })
  })
}

/** A token for every 256 pixels of all pictures together. */
function tokensOfPictures(reply: unknown): number | undefined {
  const sizes = rowsOf(reply).map(row => /^(\d+)x(\d+)$/.exec(String(at(row, 'size'))))
  if (sizes.length === 0 || sizes.some(size => size === null)) return undefined
  return Math.round(sizes.reduce((sum, size) => sum + Number(size?.[1]) * Number(size?.[2]), 0) / 256)
}
