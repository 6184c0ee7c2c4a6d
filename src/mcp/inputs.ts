import type { Schema } from '../http/validate.ts'
import { namePattern, nameRule } from '../worlds/names.ts'

/** The arguments of a tool; those that are not required may be left out. */
export function inputs(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema & { type: 'object' } {
  return { type: 'object', properties, required, additionalProperties: false }
}

/* The arguments that several tools share. */

export const world = {
  type: 'string',
  pattern: namePattern,
  description: `${nameRule}; "default" when absent. The key of a world is sk-test-<world>, that of the default one sk-emulator.`,
} as const

export const duration = {
  type: ['string', 'number'],
  description: 'Such as "90s", "1h30m", or milliseconds.',
} as const

export const matcher = {
  type: 'object',
  description:
    'As `when` of scenario rules: operation (a glob such as "*.create"), family, model, status, prompt, …',
} as const

export const count = {
  type: 'object',
  properties: { exactly: { type: 'integer' }, at_least: { type: 'integer' }, at_most: { type: 'integer' } },
  additionalProperties: false,
} as const
