// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language and of JSON Schema, never awaited.
import { faults } from '../http/errors.ts'
import { familyIds, modes } from './operations.ts'

const duration = {
  type: ['string', 'integer'],
  minimum: 0,
  pattern: '^(\\d+(\\.\\d+)?(ms|s|m|h|d))+$',
  description: 'a duration such as 250ms, 90s, 5m, 2h, 7d, 1h30m, or milliseconds',
} as const

const range = {
  type: ['string', 'integer', 'object'],
  minimum: 0,
  pattern: duration.pattern,
  properties: { from: duration, to: duration },
  required: ['from', 'to'],
  additionalProperties: false,
  description: 'a duration such as 90s, or {from, to} to draw one from the seed',
} as const

const bytesPerSecond = {
  type: ['string', 'number'],
  minimum: 1,
  pattern: '^\\d+(\\.\\d+)? ?([kKmM]i?)?[bB]/s$',
  description: 'a speed such as 64kB/s, 8KiB/s, 1MB/s, or bytes a second',
} as const

const tests = {
  contains: { description: 'a text that must occur in it; for a list, an entry' },
  matches: { type: 'string', maxLength: 512, description: 'a regular expression that must match somewhere' },
  equals: { description: 'what it must be, exactly' },
  exists: { type: 'boolean', description: 'whether it must be there at all' },
} as const

const textMatcher = {
  type: ['string', 'object'],
  properties: tests,
  additionalProperties: false,
  minProperties: 1,
  description: 'a text it must equal, or {contains | matches | equals | exists}',
} as const

const valueMatcher = {
  type: ['string', 'number', 'boolean', 'object'],
  properties: tests,
  additionalProperties: false,
  minProperties: 1,
  description: 'a value it must equal, or {contains | matches | equals | exists}',
} as const

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

const refuse = {
  type: 'object',
  additionalProperties: false,
  description: "Refuse the request: a fault in the family's own dialect, or a raw reply.",
  properties: {
    fault: { enum: faults, description: 'What goes wrong.' },
    status: { type: 'integer', minimum: 200, maximum: 599, description: 'The status of a raw reply.' },
    body: { description: 'The body of a raw reply: a text is sent as it is, anything else as JSON.' },
    headers: {
      type: 'object',
      propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", description: 'a header name' },
      additionalProperties: {
        type: 'string',
        pattern: '^[\\t\\x20-\\x7e]*$',
        description: 'a header value, ASCII',
      },
      description: 'Headers of a raw reply.',
    },
    message: { type: 'string', description: "The message instead of the fault's own." },
    param: { type: 'string', description: 'The parameter that the fault points at.' },
    retry_after: { ...duration, description: 'a duration such as 5s, told as Retry-After' },
  },
  oneOf: [{ required: ['fault'] }, { required: ['status'] }],
  dependentRequired: { message: ['fault'], param: ['fault'], body: ['status'], headers: ['status'] },
} as const

const task = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  description: 'What becomes of the task that this request makes.',
  properties: {
    queued: { ...range, description: 'How long it waits: a duration, or {from, to}.' },
    running: { ...range, description: 'How long it runs: a duration, or {from, to}.' },
    outcome: { enum: ['succeeded', 'failed', 'cancelled', 'expired', 'never'], description: 'How it ends.' },
    error: {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      properties: { code: { type: 'string', minLength: 1 }, message: { type: 'string' } },
      description: "The error of a failed task, instead of the family's own.",
    },
    label: {
      type: 'string',
      minLength: 1,
      description: 'A name for later rules: when: {task: {of: label}}.',
    },
  },
} as const

const mediaWords = ['truncated', 'empty', 'corrupt', 'wrong_type', 'missing_url'] as const

const media = {
  type: ['string', 'object'],
  if: { type: 'string' },
  then: { enum: mediaWords },
  properties: {
    slow: bytesPerSecond,
    link: { enum: ['expired', 'exhausted'], description: 'What is wrong with the link.' },
    stall_after: {
      type: ['string', 'number'],
      minimum: 0,
      maximum: 1,
      pattern: '^\\d+(\\.\\d+)?%$',
      description: 'the part of the file after which nothing more comes, such as 50%',
    },
  },
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
  description: 'What is wrong with the files: a word, or one of {slow}, {link}, {stall_after}.',
} as const

const connection = {
  type: ['string', 'object'],
  if: { type: 'string' },
  then: { enum: ['hang', 'garble'] },
  properties: {
    latency: {
      type: ['string', 'integer', 'object'],
      minimum: 0,
      pattern: duration.pattern,
      properties: { p50: duration, p99: duration },
      required: ['p50', 'p99'],
      additionalProperties: false,
      description: 'wall time before the reply: a duration, or {p50, p99} to draw one; at most 30 s',
    },
    reset: {
      enum: ['before_headers', 'after_headers', 'mid_body'],
      description: 'Where the connection breaks.',
    },
    throttle: bytesPerSecond,
    hang: { const: true },
    garble: { const: true },
  },
  additionalProperties: false,
  minProperties: 1,
  description: 'What happens to the connection: hang, garble, or an object with latency, reset, throttle.',
} as const

/** The JSON Schema (draft 2020-12) of a scenario document; `scenarios/scenario.schema.json` is the copy for editors. */
export const scenarioSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Scenario of the Generation Gateway emulator',
  type: 'object',
  additionalProperties: false,
  required: ['name', 'rules'],
  properties: {
    $schema: { type: 'string', description: 'For editors; ignored.' },
    name: {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description: 'a name of letters, digits, - and _, at most 64 characters',
    },
    description: { type: 'string', description: 'What happens, in a sentence or two.' },
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
          then: {
            type: 'object',
            additionalProperties: false,
            minProperties: 1,
            description: 'What happens: one or more kinds of effect.',
            properties: {
              refuse,
              task,
              media,
              connection,
              clock: {
                type: 'object',
                additionalProperties: false,
                required: ['advance'],
                properties: { advance: duration },
                description: 'Moves virtual time forward before the request is handled.',
              },
            },
          },
        },
      },
    },
  },
} as const
