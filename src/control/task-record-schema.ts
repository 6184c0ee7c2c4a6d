import { mediaFaultKinds } from '../scenarios/effects/media.ts'
import { accountName, amount, count, id, measure, ms, text } from './state-values.ts'

const taskError = {
  type: 'object',
  additionalProperties: false,
  required: ['code', 'message'],
  properties: { code: text, message: text },
} as const

const plan = {
  type: 'object',
  additionalProperties: false,
  required: ['startsAt', 'endsAt', 'outcome'],
  properties: {
    startsAt: ms,
    endsAt: ms,
    expiresAt: ms,
    goneAt: ms,
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
} as const

const fact = {
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'at'],
  properties: {
    kind: { enum: ['cancelled', 'deleted', 'forced', 'link_expired'] },
    at: ms,
    status: { enum: ['running', 'succeeded', 'failed', 'cancelled', 'expired'] },
    error: taskError,
  },
  if: { properties: { kind: { const: 'forced' } } },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema, never awaited
  then: { required: ['status'] },
} as const

const media = {
  type: 'object',
  additionalProperties: false,
  required: ['kind'],
  properties: {
    kind: { enum: mediaFaultKinds },
    value: measure,
  },
} as const

/** A task as a world's document holds it. */
export const taskRecordSchema = {
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
    unread: { type: 'array', maxItems: 10_000, items: id },
    // What the family resolved; the family itself is asked whether it can read it.
    job: { type: 'object' },
    seed: count,
    plan,
    facts: { type: 'array', maxItems: 100, items: fact },
    charge: {
      type: 'object',
      additionalProperties: false,
      required: ['reserved', 'settled'],
      properties: { reserved: amount, settled: amount },
    },
    media,
    label: text,
    rule: text,
    notes: { type: 'array', maxItems: 1000, items: text },
    externalId: text,
  },
} as const
