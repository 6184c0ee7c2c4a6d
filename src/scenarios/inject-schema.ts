// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import type { Injection } from '../worlds/world.ts'
import { thenSchema } from './schema.ts'

/** A rule that acts once, as callers ask for it. */
export type NewInjection = Pick<Injection, 'operation' | 'then'> & { nth?: number }

/** What `POST /__emulator/inject` takes. */
export const injectionSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['operation', 'then'],
  properties: {
    operation: { type: 'string', minLength: 1, description: 'an operation id, or a glob such as *.create' },
    nth: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'which call of it, counted from 1, which is the next one; 1 when absent',
    },
    then: thenSchema,
  },
} as const
