import { namePattern, nameRule } from '../worlds/names.ts'

/** JSON Schemas of the arguments that several tools share. */

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
