import type { FromSchema } from 'json-schema-to-ts'
import type { ConditionWord, LabelOf } from './condition.ts'

const schema = {
  type: ['string', 'object'],
  properties: { of: { type: 'string', minLength: 1, description: 'A label given by another rule.' } },
  required: ['of'],
  additionalProperties: false,
  description: 'a task id, or {of: label}',
} as const

type Spelled = FromSchema<typeof schema>

export const task = {
  schema,
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
} as const satisfies ConditionWord<Spelled>
