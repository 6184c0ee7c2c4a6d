import type { FromSchema } from 'json-schema-to-ts'
import { didYouMean } from '../../wording/did-you-mean.ts'
import { knownGlobs, operations, operationsMatching } from '../operations.ts'
import { ScenarioError, type Steps } from '../scenario-error.ts'
import type { ConditionWord } from './condition.ts'

const schema = {
  type: ['string', 'array'],
  minLength: 1,
  items: { type: 'string', minLength: 1 },
  minItems: 1,
  description: 'An operation id, or a glob such as *.create or k.*; an array means any of them.',
} as const

type Spelled = FromSchema<typeof schema>

export const operation = {
  schema,
  read(spelled, steps) {
    const globs = Array.isArray(spelled) ? spelled : [spelled]
    const found = globs.flatMap((glob, i) =>
      matching(String(glob), Array.isArray(spelled) ? [...steps, i] : steps),
    )
    return { operations: new Set(found) }
  },
} as const satisfies ConditionWord<Spelled>

function matching(glob: string, steps: Steps): string[] {
  const found = operationsMatching(glob)
  if (found.length > 0) return found
  const hint = didYouMean(glob, knownGlobs(), operations)
  throw new ScenarioError(`no operation is named "${glob}"`, { steps, hint })
}
