import type { Schema } from '../http/validate.ts'
import { namePattern, nameRule } from '../worlds/names.ts'

/** The arguments of a tool; those that are not required may be left out. */
export function inputs(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema & { type: 'object' } {
  return { type: 'object', properties, required, additionalProperties: false }
}

/* The arguments that several tools share. */

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

/** JSON Schemas of what the tools answer: the fields that an agent reads next. Answers may hold more. */

type Shape = Schema & { type: 'object' }
type OutputName =
  | 'world'
  | 'dropped'
  | 'moved'
  | 'tasks'
  | 'story'
  | 'trace'
  | 'scenarios'
  | 'injection'
  | 'verdict'
  | 'failures'
  | 'findings'
  | 'openapi'

const text = { type: 'string' } as const
const number = { type: 'number' } as const
const record = { type: 'object' } as const

/** An object with these fields, all of them there. */
function answer(properties: Record<string, Schema>): Shape {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** A list as the control API answers it. */
function list(item: Schema = record): Shape {
  return answer({ items: { type: 'array', items: item } })
}

const event = answer({ at: text, task_id: text, family: text, from: text, to: text })

export const outputs: Readonly<Record<OutputName, Shape>> = {
  world: answer({
    id: text,
    api_key: { ...text, description: 'For the code under test.' },
    base_url: { ...text, description: 'For the code under test.' },
  }),
  dropped: answer({ dropped: { ...text, description: 'The name of the world.' } }),
  moved: answer({ now: text, now_ms: number, events: { type: 'array', items: event } }),
  tasks: list(answer({ id: text, family: text })),
  story: answer({ text: { ...text, description: 'One line for each event.' } }),
  trace: answer({ text: { ...text, description: 'One line for each call, event and finding.' } }),
  scenarios: {
    type: 'object',
    properties: { active: { type: 'array', items: text }, available: { type: 'array', items: record } },
  },
  injection: record,
  verdict: answer({ ok: { type: 'boolean' }, found: number, near_misses: { type: 'array', items: record } }),
  failures: list(answer({ id: text, operation: text })),
  findings: list(answer({ kind: text, text })),
  openapi: {
    type: 'object',
    properties: { info: record, operations: { type: 'array', items: text }, paths: record },
  },
}
