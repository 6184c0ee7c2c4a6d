import type { Check } from './check.ts'
import { at, isObject } from './json-path.ts'
import { type Observed, recordsIn, type Seen } from './observed.ts'
import { rowsOf, type Step } from './steps.ts'

/** What a recording shows by itself: the order of states, sums, and how lists are paged. */
export function checkRecorded(steps: readonly Step[], tasks: readonly Observed[]): Check[] {
  return [
    ...tasks.flatMap(orderOf),
    ...steps.filter(({ status }) => status < 300).flatMap(step => [...sumsOf(step), ...pagesOf(step)]),
  ]
}

const ranks: Readonly<Record<string, number>> = { queued: 0, running: 1 }

/** A task goes from queued over running to one end, and stays there. */
function orderOf({ seen, family }: Observed): Check[] {
  return seen.slice(1).flatMap((next, index) => {
    const last = seen[index]
    if (!last || last.status === next.status) return []
    const isForward = (ranks[last.status] ?? 2) < (ranks[next.status] ?? 2) && !isBarred(family, last, next)
    const [from, to] = [last.word, next.word]
    return [
      {
        step: next.step,
        aspect: 'order' as const,
        path: `${last.status}>${next.status}`,
        recorded: `${from}, then ${to}`,
        emulated: isForward ? `${from}, then ${to}` : `never ${to} after ${from}`,
        isAlike: isForward,
      },
    ]
  })
}

/** Specification, "States and transitions": in family A only a queued task is cancelled. */
function isBarred(family: string, last: Seen, next: Seen): boolean {
  return family === 'a' && last.status === 'running' && next.status === 'cancelled'
}

interface Sum {
  on: RegExp
  path: string
  of(usage: Record<string, unknown>, reply: unknown): number | undefined
}

const number = (value: unknown) => (typeof value === 'number' ? value : undefined)
const plus = (...values: unknown[]) =>
  values.every(value => typeof value === 'number') ? values.reduce((sum, value) => sum + value, 0) : undefined

/** How the parts of a usage make up its whole (A-usage, B-usage, C-usage, I-usage). */
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

function sumsOf(step: Step): Check[] {
  const records =
    step.operation === 'image.generate' ? [step.reply] : recordsIn(step).map(([, record]) => record)
  return records.filter(isObject).flatMap(record => {
    const usage = step.family === 'b' ? at(step.reply, 'usage') : record.usage
    if (!isObject(usage)) return []
    return sums.flatMap(({ on, path, of }) => {
      const told = usage[path.slice('usage.'.length)]
      const sum = on.test(step.operation) && typeof told === 'number' ? of(usage, step.reply) : undefined
      if (sum === undefined || typeof told !== 'number') return []
      return [
        {
          step,
          aspect: 'value' as const,
          path,
          recorded: told,
          emulated: sum,
          isAlike: Math.abs(told - sum) < 0.002,
        },
      ]
    })
  })
}

/** A token for every 256 pixels of all pictures together. */
function tokensOfPictures(reply: unknown): number | undefined {
  const sizes = rowsOf(reply).map(row => /^(\d+)x(\d+)$/.exec(String(at(row, 'size'))))
  if (sizes.length === 0 || sizes.some(size => size === null)) return undefined
  return Math.round(sizes.reduce((sum, size) => sum + Number(size?.[1]) * Number(size?.[2]), 0) / 256)
}

/** A page is as long as it may be, unless it is the last; newest tasks come first. */
function pagesOf(step: Step): Check[] {
  const { operation, reply, query } = step
  if (!operation.endsWith('.list') || operation === 'k.presets.list') return []
  const rows = rowsOf(reply)
  const total = number(at(reply, 'total'))
  const size = Number(query.get('page_size') ?? (operation === 'b.list' ? 10 : 20))
  const page = Number(query.get('page_num') ?? query.get('page_no') ?? 1)
  const checks: Check[] = []
  if (total !== undefined) {
    const expected = Math.max(0, Math.min(size, total - (page - 1) * size))
    checks.push({
      step,
      aspect: 'count',
      path: 'items',
      recorded: rows.length,
      emulated: expected,
      isAlike: rows.length === expected,
    })
  }
  const moments = rows.flatMap(row => number(at(row, 'created_at') ?? at(row, 'gmt_create')) ?? [])
  if (moments.length > 1) {
    const isFalling = moments.every((moment, index) => index === 0 || moment <= (moments[index - 1] ?? 0))
    const told = isFalling ? 'newest first' : 'another order'
    checks.push({
      step,
      aspect: 'order',
      path: 'items',
      recorded: told,
      emulated: 'newest first',
      isAlike: isFalling,
    })
  }
  return checks
}
