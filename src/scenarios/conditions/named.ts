import { readMatcher, valueAt } from '../matchers.ts'
import type { RequestFacts } from '../request-facts.ts'
import { textMatcher, valueMatcher } from '../value-schemas.ts'
import type { ConditionWord } from './condition.ts'

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
