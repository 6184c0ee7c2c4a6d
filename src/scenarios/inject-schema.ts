// biome-ignore-all lint/suspicious/noThenProperty: a word of the scenario language, never awaited.
import { type SpelledThen, thenSchema } from './effects/index.ts'

/** A rule that acts once, as callers send it. */
export interface NewInjection {
  operation: string
  nth?: number
  then: SpelledThen
}

/** The body of `POST /__emulator/inject`. */
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
      description: 'which call of it, counted from 1 (the next call); 1 when absent',
    },
    then: thenSchema,
  },
} as const
