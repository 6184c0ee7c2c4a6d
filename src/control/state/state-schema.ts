import type { Schema } from '../../http/endpoint.ts'
import { taskSchema } from '../../tasks/task-schema.ts'
import { accountSchema } from '../../worlds/account.ts'
import { assetSchema } from '../../worlds/asset.ts'
import { headSchema, storedHeadSchema } from '../../worlds/head.ts'
import { count, id, ms, snapshotName } from '../../worlds/record-values.ts'

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
    head: headSchema,
    accounts: records(accountSchema),
    tasks: records(taskSchema),
    assets: records(assetSchema),
    downloads: records(count),
    scenarios: records({ type: 'object' }),
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
