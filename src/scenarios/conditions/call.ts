import type { FromSchema } from 'json-schema-to-ts'
import { readCalls } from '../amounts.ts'
import { ScenarioError } from '../scenario-error.ts'
import type { ConditionWord } from './condition.ts'

const schema = {
  type: ['string', 'integer'],
  minimum: 1,
  pattern: '^(\\d+(\\.\\.\\d+)?|every \\d+|from \\d+)$',
  description: 'which of the calls that match the other conditions: 3, 1..2, every 4, from 3; counted from 1',
} as const

type Spelled = FromSchema<typeof schema>

export const call = {
  schema,
  read(spelled, steps) {
    const calls = readCalls(spelled)
    if (calls) return { calls }
    throw new ScenarioError(`"${spelled}" names no calls`, {
      steps,
      hint: 'write 3, 1..2, every 4 or from 3',
    })
  },
} as const satisfies ConditionWord<Spelled>
