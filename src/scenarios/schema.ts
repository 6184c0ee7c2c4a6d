// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language and of JSON Schema, never awaited.
import { faults } from '../http/errors.ts'
import { proxyStatuses } from './proxy-page.ts'
import { bytesPerSecond, duration, range } from './value-schemas.ts'
import { whenSchema } from './when-schema.ts'

const refuse = {
  type: 'object',
  additionalProperties: false,
  description:
    "Refuse the request: a fault in the family's own dialect, a raw reply, or the page of a proxy in between.",
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
    proxy_page: {
      enum: proxyStatuses,
      description:
        'The status of an HTML page, as a proxy in front of the gateway sends it. The gateway never sees the request.',
    },
    message: { type: 'string', description: "The message instead of the fault's own." },
    param: { type: 'string', description: 'The parameter that the fault points at.' },
    retry_after: { ...duration, description: 'a duration such as 5s, told as Retry-After' },
  },
  oneOf: [{ required: ['fault'] }, { required: ['status'] }, { required: ['proxy_page'] }],
  dependentRequired: { message: ['fault'], param: ['fault'], body: ['status'], headers: ['status'] },
} as const

/** What may be asked of a task in the making; also what `POST /__emulator/tasks` takes as a plan. */
export const taskSchema = {
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
    gone: {
      ...duration,
      description:
        'How long after its start the record is lost: from then on polls answer as for an unknown task, and lists leave it out. A duration such as 30s.',
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

/** Where a connection may break, in the order of an exchange. */
export const resetPlaces = ['before_request', 'before_headers', 'after_headers', 'mid_body'] as const

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
      enum: resetPlaces,
      description:
        'Where the connection breaks. before_request: the request is lost, nothing is done. before_headers: everything is done, and no byte of the answer comes. after_headers, mid_body: part of the answer comes.',
    },
    throttle: bytesPerSecond,
    hang: { const: true },
    garble: { const: true },
  },
  additionalProperties: false,
  minProperties: 1,
  description: 'What happens to the connection: hang, garble, or an object with latency, reset, throttle.',
} as const

/** The effects of a rule; also what `POST /__emulator/inject` takes. */
export const thenSchema = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  description: 'What happens: one or more kinds of effect.',
  properties: {
    refuse,
    task: taskSchema,
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
          then: thenSchema,
        },
      },
    },
  },
} as const
