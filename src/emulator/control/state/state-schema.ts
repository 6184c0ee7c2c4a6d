import type { Schema } from '../../http/validate.ts'
import { accountSchema, assetSchema } from '../../worlds/account.ts'
import { storedHeadSchema } from '../../worlds/head.ts'
import { count, id, ms, snapshotName } from '../../worlds/record-values.ts'
import { taskSchema } from '../../worlds/task.ts'

/** Records as `[id, value]`, in order of creation. Each record is checked by itself. */
const records = {
  type: 'array',
  items: { type: 'array', items: [id, {}], minItems: 2, maxItems: 2, additionalItems: false },
} as const

/** The outer shape of a state. */
const state = {
  type: 'object',
  additionalProperties: false,
  required: ['head', 'accounts', 'tasks', 'assets', 'downloads', 'scenarios'],
  properties: {
    head: { type: 'object' },
    accounts: records,
    tasks: records,
    assets: records,
    downloads: records,
    scenarios: records,
  },
} as const

/** Each kind of record as the data directory holds it. */
export const recordSchemas = {
  head: storedHeadSchema,
  accounts: accountSchema,
  tasks: taskSchema,
  assets: assetSchema,
  downloads: count,
  scenarios: { type: 'object' },
  snapshots: {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'at', 'state', 'journal'],
    properties: {
      name: snapshotName,
      at: ms,
      state,
      journal: {
        type: 'object',
        additionalProperties: false,
        required: ['boots', 'lastId'],
        // A snapshot from a document belongs to no run.
        properties: { boots: { type: 'integer', minimum: -1 }, lastId: count },
      },
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
