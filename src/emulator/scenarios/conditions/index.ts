import type { FromSchema } from 'json-schema-to-ts'
import { operations } from '../operations.ts'
import type { Steps } from '../scenario-error.ts'
import {
  account,
  body,
  type ConditionWord,
  call,
  during,
  family,
  header,
  key,
  mode,
  model,
  operation,
  probability,
  prompt,
  since,
  task,
  type When,
} from './words.ts'

/** The words of `when`. */
const conditionWords = {
  operation,
  family,
  model,
  account,
  key,
  mode,
  prompt,
  header,
  body,
  task,
  call,
  during,
  since,
  probability,
} as const

type Words = typeof conditionWords
const keys = Object.keys(conditionWords) as (keyof Words)[]

/** `when` as files write it. */
export type SpelledWhen = { [W in keyof Words]?: FromSchema<Words[W]['schema']> }

/** The schema of a rule's conditions; `POST /__emulator/requests/verify` also takes them as a matcher. */
export const whenSchema = {
  type: 'object',
  additionalProperties: false,
  description:
    'All given conditions must match; without conditions, every request that the effects can act on matches.',
  properties: Object.fromEntries(keys.map(word => [word, conditionWords[word].schema])),
} as const

/** Reads the conditions of a rule whose shape has been checked. Throws ScenarioError. */
export function readWhen(source: SpelledWhen, steps: Steps): When {
  const when: When = { operations: new Set(operations), conditions: [] }
  for (const word of keys) {
    const spelled = source[word]
    if (spelled === undefined) continue
    const { conditions = [], ...rest } = wordOf(word).read(spelled, [...steps, word])
    Object.assign(when, rest, { conditions: when.conditions.concat(conditions) })
  }
  return when
}

/** The further conditions of a rule, in words: all except the operation and the number of the call. */
export function unknownConditions(when: When): string[] {
  const asked = when.conditions.map(({ field, asked }) => `when ${field} is ${JSON.stringify(asked)}`)
  return [...asked, ...keys.flatMap(word => wordOf(word).doubt?.(when) ?? [])]
}

/** A word without its type parameter: its schema has checked the value. */
function wordOf(word: keyof Words): ConditionWord<unknown> {
  return conditionWords[word] as ConditionWord<unknown>
}
