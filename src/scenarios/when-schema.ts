import { familyIds, modes } from './operations.ts'
import { duration, textMatcher, valueMatcher } from './value-schemas.ts'

/** The conditions of a rule; also what `POST /__emulator/requests/verify` takes as a matcher. */
export const whenSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'All given conditions must hold; none means every request that the effects can act on.',
  properties: {
    operation: {
      type: ['string', 'array'],
      minLength: 1,
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      description: 'An operation id, or a glob such as *.create or k.*; a list means any of them.',
    },
    family: { enum: familyIds, description: 'The family whose endpoint is called.' },
    model: { ...textMatcher, description: 'The model id as the request spells it.' },
    account: { ...textMatcher, description: 'The account that the key belongs to.' },
    key: { ...textMatcher, description: 'The API key.' },
    mode: { enum: modes, description: 'What the combination of inputs makes of the request.' },
    prompt: { ...textMatcher, description: 'The prompt, tags taken out.' },
    header: {
      type: 'object',
      additionalProperties: textMatcher,
      minProperties: 1,
      description: 'Request headers by name; case does not matter in names.',
    },
    body: {
      type: 'object',
      propertyNames: { pattern: '^(/.*)?$', description: 'a JSON pointer such as /content/0/text' },
      additionalProperties: valueMatcher,
      minProperties: 1,
      description: 'Values in the body, by JSON pointer.',
    },
    task: {
      type: ['string', 'object'],
      properties: { of: { type: 'string', minLength: 1, description: 'A label given by another rule.' } },
      required: ['of'],
      additionalProperties: false,
      description: 'a task id, or {of: label}',
    },
    call: {
      type: ['string', 'integer'],
      minimum: 1,
      pattern: '^(\\d+(\\.\\.\\d+)?|every \\d+|from \\d+)$',
      description: 'which calls that fit the other conditions: 3, 1..2, every 4, from 3; counted from 1',
    },
    during: {
      type: 'object',
      properties: { from: duration, to: duration },
      additionalProperties: false,
      minProperties: 1,
      description: 'Virtual time since the scenario became active; `to` is not part of it.',
    },
    probability: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: "A chance from 0 to 1, drawn from the world's seed.",
    },
  },
} as const
