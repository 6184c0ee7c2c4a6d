import type { Schema } from '../http/endpoint.ts'
import { accountName, count, digest, id, measure, ms, snapshotName, text } from './state-values.ts'
import { taskRecordSchema } from './task-record-schema.ts'

const names = { type: 'array', maxItems: 10_000, items: id } as const
const namesOrNull = { type: ['array', 'null'], maxItems: 10_000, items: id } as const

const clock = {
  type: 'object',
  additionalProperties: false,
  required: ['mode', 'rate', 'virtualMs', 'wallMs'],
  properties: {
    mode: { enum: ['realtime', 'manual', 'auto'] },
    rate: { type: 'number', exclusiveMinimum: 0, maximum: 1_000_000 },
    virtualMs: ms,
    wallMs: ms,
  },
} as const

const counters = { type: 'object', additionalProperties: count } as const

const head = {
  type: 'object',
  additionalProperties: false,
  required: ['opening', 'openedAt', 'clock', 'draws', 'active', 'counters'],
  properties: {
    opening: {
      type: 'object',
      additionalProperties: false,
      required: ['seed', 'clock', 'scenarios', 'byKey'],
      properties: {
        seed: count,
        clock,
        scenarios: names,
        documents: { type: 'array', maxItems: 100, items: { type: 'object' } },
        byKey: { type: 'boolean' },
      },
    },
    openedAt: ms,
    clock,
    draws: counters,
    active: {
      type: 'array',
      maxItems: 1000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'since'],
        properties: { name: id, since: ms },
      },
    },
    counters,
    injections: {
      type: 'array',
      maxItems: 1000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'operation', 'nth', 'left', 'then'],
        properties: {
          id,
          operation: text,
          nth: count,
          left: { ...count, minimum: 1 },
          // biome-ignore lint/suspicious/noThenProperty: the word of the scenario language, never awaited
          then: { type: 'object' },
        },
      },
    },
  },
} as const

const account = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'template', 'status', 'models', 'resolutions', 'requestsPerMinute', 'balance', 'slots'],
  properties: {
    id: accountName,
    template: id,
    status: { enum: ['active', 'disabled', 'deleted'] },
    models: namesOrNull,
    resolutions: namesOrNull,
    requestsPerMinute: { type: ['integer', 'null'], minimum: 1, maximum: 100_000 },
    balance: { type: ['number', 'null'], minimum: -1e12, maximum: 1e12 },
    slots: { type: 'array', maxItems: 100_000, items: ms },
  },
} as const

const asset = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'account', 'kind', 'createdAt', 'facts', 'certifiedPerson'],
  properties: {
    id,
    account: accountName,
    kind: { enum: ['image', 'video', 'audio'] },
    createdAt: ms,
    url: { type: 'string', maxLength: 1_000_000 },
    certifiedPerson: { type: 'boolean' },
    facts: {
      type: 'object',
      required: ['kind', 'format', 'bytes', 'digest', 'origin', 'realFace'],
      properties: {
        kind: { enum: ['image', 'video', 'audio', 'document'] },
        format: id,
        bytes: measure,
        digest,
        widthPx: measure,
        heightPx: measure,
        hasAlpha: { type: 'boolean' },
        isTransparent: { type: 'boolean' },
        seconds: measure,
        fps: measure,
        frames: measure,
        hasAudio: { type: 'boolean' },
        videoCodec: id,
        audioCodec: id,
        pages: measure,
        poster: digest,
        lastPoster: digest,
        origin: { enum: ['data', 'http', 'asset', 'own', 'stand_in'] },
        realFace: { type: 'boolean' },
        note: text,
      },
    },
  },
} as const

/** Records as `[id, value]`, in order of creation. */
function records<const V extends Schema>(value: V) {
  const pair = {
    type: 'array',
    items: [id, value],
    minItems: 2,
    maxItems: 2,
    additionalItems: false,
  } as const
  return { type: 'array', items: pair } as const
}

const state = {
  type: 'object',
  additionalProperties: false,
  required: ['head', 'accounts', 'tasks', 'assets', 'downloads', 'scenarios'],
  properties: {
    head,
    accounts: records(account),
    tasks: records(taskRecordSchema),
    assets: records(asset),
    downloads: records(count),
    scenarios: records({ type: 'object' }),
  },
} as const

/** Each kind of record as the data directory holds it. */
export const recordSchemas = {
  head: { ...head, required: [...head.required, 'boots'], properties: { ...head.properties, boots: count } },
  accounts: account,
  tasks: taskRecordSchema,
  assets: asset,
  downloads: count,
  scenarios: { type: 'object' },
  snapshots: {
    type: 'object',
    required: ['name', 'at', 'state', 'journal'],
    properties: {
      name: id,
      at: ms,
      state,
      journal: { type: 'object', properties: { boots: count, lastId: count } },
    },
  },
} as const

/** A world as one document, as `GET /__emulator/state` gives and `PUT` takes it. */
export const stateSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['version', 'state'],
  properties: {
    format: { type: 'string' },
    version: { type: 'integer' },
    world: { type: 'string' },
    exported_at: { type: 'string' },
    state,
    snapshots: {
      type: 'array',
      maxItems: 1000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'at', 'state'],
        properties: { name: snapshotName, at: ms, state },
      },
    },
  },
} as const satisfies Schema
