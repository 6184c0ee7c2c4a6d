import { readMatcher } from '../matchers.ts'
import { familyIds, modes } from '../operations.ts'
import type { RequestFacts } from '../request-facts.ts'
import { textMatcher } from '../value-schemas.ts'
import type { ConditionWord } from './condition.ts'

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
