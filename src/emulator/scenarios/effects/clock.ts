import type { FromSchema } from 'json-schema-to-ts'
import { formatDuration } from '../../worlds/clock.ts'
import { needDuration } from '../amounts.ts'
import { duration } from '../value-schemas.ts'
import { drawsNothing, type Effect, everywhere } from './effect.ts'

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['advance'],
  properties: { advance: duration },
  description: 'Moves virtual time forward before the request is handled.',
} as const

/** `clock` as files write it. */
export type SpelledClock = FromSchema<typeof schema>

/** Moves virtual time forward before the request is handled. */
export interface ClockMove {
  advanceMs: number
}

export const clock = {
  schema,
  read: ({ advance }, steps) => ({ advanceMs: needDuration(advance, [...steps, 'advance']) }),
  draw: drawsNothing<ClockMove>,
  reaches: everywhere,
  text: ({ advanceMs }) => `the clock moves on by ${formatDuration(advanceMs)}`,
  tags: {},
} as const satisfies Effect<SpelledClock, ClockMove>
