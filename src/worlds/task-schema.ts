import { type MediaFault, mediaFaultKinds } from './media-fault.ts'
import { accountName, amount, count, id, measure, ms, type RecordSchema, text } from './record-values.ts'
import { type Charge, type Plan, statuses, type Task, type TaskError } from './task.ts'

const taskErrorSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['code', 'message'],
  properties: { code: text, message: text },
} as const satisfies RecordSchema<TaskError>

const planSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['startsAt', 'endsAt', 'outcome'],
  properties: {
    startsAt: ms,
    endsAt: ms,
    expiresAt: ms,
    goneAt: ms,
    slotAt: ms,
    outcome: {
      type: 'object',
      additionalProperties: false,
      required: ['kind'],
      properties: {
        kind: { enum: ['succeeded', 'failed', 'cancelled', 'never'] },
        code: text,
        message: text,
      },
      if: { properties: { kind: { const: 'failed' } } },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema, never awaited
      then: { required: ['code', 'message'] },
    },
  },
} as const satisfies RecordSchema<Plan>

const factSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'at'],
  properties: {
    kind: { enum: ['cancelled', 'deleted', 'forced', 'link_expired'] },
    at: ms,
    status: { enum: statuses.filter(status => status !== 'queued') },
    error: taskErrorSchema,
  },
  if: { properties: { kind: { const: 'forced' } } },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema, never awaited
  then: { required: ['status'] },
} as const

const mediaFaultSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['kind'],
  properties: {
    kind: { enum: mediaFaultKinds },
    value: measure,
  },
} as const satisfies RecordSchema<MediaFault>

const chargeSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['reserved', 'settled'],
  properties: { reserved: amount, settled: amount },
} as const satisfies RecordSchema<Charge>

/** The schema of a task in data files and state documents. */
export const taskSchema = {
  type: 'object',
  additionalProperties: false,
  required: [
    'id',
    'family',
    'kind',
    'account',
    'model',
    'createdAt',
    'requestId',
    'request',
    'job',
    'seed',
    'plan',
    'facts',
    'charge',
  ],
  properties: {
    id,
    family: id,
    kind: id,
    account: accountName,
    model: text,
    createdAt: ms,
    requestId: id,
    request: { type: 'string' },
    unread: { type: 'array', items: text },
    // Its family has a schema for each kind of task.
    job: { type: 'object' },
    seed: count,
    plan: planSchema,
    facts: { type: 'array', maxItems: 100_000, items: factSchema },
    charge: chargeSchema,
    media: mediaFaultSchema,
    label: text,
    rule: text,
    notes: { type: 'array', items: text },
    externalId: text,
  },
} as const satisfies RecordSchema<Task>
