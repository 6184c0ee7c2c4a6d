// biome-ignore-all lint/suspicious/noThenProperty: a word of the scenario language and of JSON Schema, never awaited.

import { namePattern } from '../worlds/names.ts'
import { whenSchema } from './conditions/index.ts'
import { thenSchema } from './effects/index.ts'

/** The JSON Schema (draft 2020-12) of a scenario document; `scenarios/scenario.schema.json` is the copy for editors. */
export const scenarioSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Scenario of the Generation Gateway emulator',
  type: 'object',
  additionalProperties: false,
  required: ['name', 'rules'],
  properties: {
    $schema: { type: 'string', description: 'For editors; ignored.' },
    $text: {
      type: 'string',
      maxLength: 500_000,
      description: 'The document as its author wrote it, with comments: kept for editors, otherwise ignored.',
    },
    name: {
      type: 'string',
      pattern: namePattern,
      description: 'a name of letters, digits, - and _, at most 64 characters',
    },
    description: { type: 'string', description: 'A description in one or two sentences.' },
    rules: {
      type: 'array',
      maxItems: 1000,
      description: 'The first rule of each kind of effect that matches a request wins.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['then'],
        properties: {
          when: whenSchema,
          then: thenSchema,
        },
      },
    },
  },
} as const
