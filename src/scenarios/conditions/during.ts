import type { FromSchema } from 'json-schema-to-ts'
import { formatDuration } from '../../worlds/clock.ts'
import { needDuration } from '../amounts-read.ts'
import { ScenarioError } from '../scenario-error.ts'
import { duration } from '../value-schemas.ts'
import type { ConditionWord, Period } from './condition.ts'

const schema = {
  type: 'object',
  properties: { from: duration, to: duration },
  additionalProperties: false,
  minProperties: 1,
  description: 'Virtual time since the scenario became active; `to` is excluded.',
} as const

type Spelled = FromSchema<typeof schema>

export const during = {
  schema,
  read(spelled, steps) {
    const fromMs = spelled.from === undefined ? 0 : needDuration(spelled.from, [...steps, 'from'])
    const toMs =
      spelled.to === undefined ? Number.POSITIVE_INFINITY : needDuration(spelled.to, [...steps, 'to'])
    if (toMs > fromMs) return { during: { fromMs, toMs } }
    throw new ScenarioError(`"to" (${spelled.to}) must be later than "from" (${spelled.from ?? 0})`, {
      steps,
      hint: 'write such as {from: 0s, to: 10m}',
    })
  },
  doubt({ during: period }) {
    if (!period) return undefined
    const end = Number.isFinite(period.toMs) ? ` until ${formatDuration(period.toMs)}` : ''
    return `from ${formatDuration(period.fromMs)}${end} after activation`
  },
} as const satisfies ConditionWord<Spelled>

/** Whether a moment, in virtual ms since the activation, is in a period. */
export function isWithin({ fromMs, toMs }: Period, elapsedMs: number): boolean {
  return elapsedMs >= fromMs && elapsedMs < toMs
}
