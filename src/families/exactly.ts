import type { Schema } from '../http/validate.ts'

/** The schema of an object that has these fields and no others, all but the optional ones. For schemas whose type is not needed, as of replies. */
export function exactly(fields: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  return {
    type: 'object',
    required: Object.keys(fields).filter(name => !optional.includes(name)),
    additionalProperties: false,
    properties: fields,
  }
}

/** A string, in such a schema. */
export const text = { type: 'string' } as const
