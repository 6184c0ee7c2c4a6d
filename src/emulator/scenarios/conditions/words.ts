import type { FromSchema } from 'json-schema-to-ts'
import { didYouMean } from '../../wording/shown.ts'
import { formatDuration } from '../../worlds/clock.ts'
import { type Calls, duration, needDuration, readCalls, textMatcher, valueMatcher } from '../amounts.ts'
import { type RequestFacts, readMatcher, valueAt } from '../matchers.ts'
import { familyIds, knownGlobs, modes, operations, operationsMatching } from '../operations.ts'
import { ScenarioError, type Steps } from '../scenario-error.ts'

const operationSchema = {
  type: ['string', 'array'],
  minLength: 1,
  items: { type: 'string', minLength: 1 },
  minItems: 1,
  description: 'An operation id, or a glob such as *.create or k.*; an array means any of them.',
} as const

export const operation = {
  schema: operationSchema,
  read(spelled, steps) {
    return { operations: operationsOf(spelled, steps) }
  },
} as const satisfies ConditionWord<FromSchema<typeof operationSchema>>

function operationsOf(spelled: FromSchema<typeof operationSchema>, steps: Steps): ReadonlySet<string> {
  const globs = Array.isArray(spelled) ? spelled : [spelled]
  return new Set(
    globs.flatMap((glob, i) => matching(String(glob), Array.isArray(spelled) ? [...steps, i] : steps)),
  )
}

function matching(glob: string, steps: Steps): string[] {
  const found = operationsMatching(glob)
  if (found.length > 0) return found
  const hint = didYouMean(glob, knownGlobs(), operations)
  throw new ScenarioError(`no operation is named "${glob}"`, { steps, hint })
}

/** A condition on one value of the request. */
function fieldWord<const S extends object>(
  field: string,
  schema: S,
  found: (request: RequestFacts) => unknown,
) {
  return {
    schema,
    read(asked: unknown, steps) {
      const matches = readMatcher(asked, steps)
      return { conditions: [{ field, asked, found, holds: request => matches(found(request)) }] }
    },
  } as const satisfies ConditionWord<unknown>
}

export const family = fieldWord(
  'family',
  { enum: familyIds, description: 'The family whose endpoint is called.' },
  request => request.family,
)

export const model = fieldWord(
  'model',
  { ...textMatcher, description: 'The model id as the request writes it.' },
  request => request.model,
)

export const account = fieldWord(
  'account',
  { ...textMatcher, description: 'The account that the key belongs to.' },
  request => request.account,
)

export const key = fieldWord('key', { ...textMatcher, description: 'The API key.' }, request => request.key)

export const mode = {
  schema: {
    enum: modes,
    description:
      'The mode that the combination of inputs selects. type_mismatch: a declared omni_reference_task_type that the prompt contradicts.',
  },
  read: (asked: string) => ({
    conditions: [
      {
        field: 'mode',
        asked,
        found: request => request.mode,
        holds: request => [request.mode].flat().includes(asked),
      },
    ],
  }),
} as const satisfies ConditionWord<string>

export const prompt = fieldWord(
  'prompt',
  { ...textMatcher, description: 'The prompt without tags.' },
  request => request.prompt,
)

/** A condition on named values. */
function namedWord<const S extends object>(
  field: string,
  schema: S,
  found: (request: RequestFacts, name: string) => unknown,
) {
  return {
    schema,
    read(spelled: Readonly<Record<string, unknown>>, steps) {
      const conditions = Object.entries(spelled).map(([name, asked]) => {
        const matches = readMatcher(asked, [...steps, name])
        return {
          field: `${field} ${name}`,
          asked,
          found: (request: RequestFacts) => found(request, name),
          holds: (request: RequestFacts) => matches(found(request, name)),
        }
      })
      return { conditions }
    },
  } as const satisfies ConditionWord<Readonly<Record<string, unknown>>>
}

export const header = namedWord(
  'header',
  {
    type: 'object',
    additionalProperties: textMatcher,
    minProperties: 1,
    description: 'Request headers by name; case does not matter in names.',
  },
  (request, name) => {
    const value = request.headers[name.toLowerCase()]
    return Array.isArray(value) ? value.join(', ') : value
  },
)

export const body = namedWord(
  'body',
  {
    type: 'object',
    propertyNames: { pattern: '^(/.*)?$', description: 'a JSON pointer such as /content/0/text' },
    additionalProperties: valueMatcher,
    minProperties: 1,
    description: 'Values in the body, by JSON pointer.',
  },
  (request, pointer) => valueAt(request.body, pointer),
)

const taskSchema = {
  type: ['string', 'object'],
  properties: { of: { type: 'string', minLength: 1, description: 'A label given by another rule.' } },
  required: ['of'],
  additionalProperties: false,
  description:
    'a task id, or {of: label}, of a task that the request names in its path, query or body; an external id of family K is one too',
} as const

export const task = {
  schema: taskSchema,
  read(asked) {
    const isMeant = (id: string, labelOf: LabelOf) =>
      typeof asked === 'string' ? id === asked : labelOf(id) === asked.of
    return {
      conditions: [
        {
          field: 'task',
          asked,
          found: request => request.taskIds?.join(', '),
          holds: (request, labelOf) => (request.taskIds ?? []).some(id => isMeant(id, labelOf)),
        },
      ],
    }
  },
} as const satisfies ConditionWord<FromSchema<typeof taskSchema>>

const callSchema = {
  type: ['string', 'integer'],
  minimum: 1,
  pattern: '^(\\d+(\\.\\.\\d+)?|every \\d+|from \\d+)$',
  description: 'which of the calls that match the other conditions: 3, 1..2, every 4, from 3; counted from 1',
} as const

export const call = {
  schema: callSchema,
  read(spelled, steps) {
    const calls = readCalls(spelled)
    if (calls) return { calls }
    throw new ScenarioError(`"${spelled}" names no calls`, {
      steps,
      hint: 'write 3, 1..2, every 4 or from 3',
    })
  },
} as const satisfies ConditionWord<FromSchema<typeof callSchema>>

const duringSchema = {
  type: 'object',
  properties: { from: duration, to: duration },
  additionalProperties: false,
  minProperties: 1,
  description: 'Virtual time since the scenario became active; `to` is excluded.',
} as const

export const during = {
  schema: duringSchema,
  read(spelled, steps) {
    const fromMs = spelled.from === undefined ? 0 : needDuration(spelled.from, [...steps, 'from'])
    const toMs =
      spelled.to === undefined ? Number.POSITIVE_INFINITY : needDuration(spelled.to, [...steps, 'to'])
    if (toMs > fromMs) return { during: { fromMs, toMs } }
    throw new ScenarioError(`"to" (${spelled.to}) must be later than "from" (${spelled.from ?? 0})`, {
      steps,
      hint: 'write such as {from: 0s, to: 10m}',
    })
  },
  doubt({ during: period }) {
    if (!period) return undefined
    const end = Number.isFinite(period.toMs) ? ` until ${formatDuration(period.toMs)}` : ''
    return `from ${formatDuration(period.fromMs)}${end} after activation`
  },
} as const satisfies ConditionWord<FromSchema<typeof duringSchema>>

/** Whether a moment, in virtual ms since the activation, is in a period. */
export function isWithin({ fromMs, toMs }: Period, elapsedMs: number): boolean {
  return elapsedMs >= fromMs && elapsedMs < toMs
}

const sinceSchema = {
  type: 'object',
  properties: {
    operation: operationSchema,
    call: { type: 'integer', minimum: 1, description: 'Which of its calls, counted from 1.' },
    for: { ...duration, description: 'How long after that call, in virtual time; without it, for good.' },
  },
  required: ['operation', 'call'],
  additionalProperties: false,
  description:
    'From the nth call of an operation on, that call included: {operation: a.get, call: 2, for: 30s}.',
} as const

export const since = {
  schema: sinceSchema,
  read(spelled, steps) {
    const forMs =
      spelled.for === undefined ? Number.POSITIVE_INFINITY : needDuration(spelled.for, [...steps, 'for'])
    const operations = operationsOf(spelled.operation, [...steps, 'operation'])
    return { since: { operations, call: spelled.call, forMs } }
  },
  doubt({ since: begun }) {
    if (!begun) return undefined
    const end = Number.isFinite(begun.forMs) ? `, for ${formatDuration(begun.forMs)}` : ''
    return `from call ${begun.call} of ${[...begun.operations].join(' or ')} on${end}`
  },
} as const satisfies ConditionWord<FromSchema<typeof sinceSchema>>

const probabilitySchema = {
  type: 'number',
  minimum: 0,
  maximum: 1,
  description: "A chance from 0 to 1, drawn from the world's seed.",
} as const

export const probability = {
  schema: probabilitySchema,
  read: probability => ({ probability }),
  doubt: ({ probability }) =>
    probability === undefined ? undefined : `with a chance of ${Math.round(probability * 1000) / 10} %`,
} as const satisfies ConditionWord<number>

/** One condition on a request, with its value as written. */
export interface Condition {
  /** The key in `when`: `prompt`, `header`, … */
  field: string
  asked: unknown
  /** The value in the request. */
  found(request: RequestFacts): unknown
  holds(request: RequestFacts, labelOf: LabelOf): boolean
}

/** The label that a rule gave a task. */
type LabelOf = (taskId: string) => string | undefined

/** The parsed conditions of a rule. */
export interface When {
  /** The operations of the rule. */
  operations: ReadonlySet<string>
  /** Conditions on the request itself, without the operation. */
  conditions: readonly Condition[]
  calls?: Calls
  /** Virtual ms since the scenario became active; `to` is excluded. */
  during?: Period
  /** The rule acts from one call on. */
  since?: Since
  probability?: number
}

/** The call from which a rule acts, that call included; `forMs` is virtual, from that call. */
export interface Since {
  operations: ReadonlySet<string>
  /** Counted from 1. */
  call: number
  forMs: number
}

/** A span of virtual ms; `toMs` is excluded. */
interface Period {
  fromMs: number
  toMs: number
}

/** One word of `when`: its schema, the function that reads it, and its text for dry runs. */
export interface ConditionWord<Spelled> {
  schema: object
  /** Its part of a rule's conditions. Throws ScenarioError for invalid values. */
  read(spelled: Spelled, steps: Steps): Partial<When>
  /** The condition in words, for a dry run that cannot evaluate it; undefined when it can. */
  doubt?(when: When): string | undefined
}
