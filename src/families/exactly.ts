import type { Schema } from '../http/validate.ts'

/** The schema of an object that has exactly these fields. For schemas whose type is not needed, such as those of errors. */
export function exactly(fields: Readonly<Record<string, Schema>>): Schema {
  return {
    type: 'object',
    required: Object.keys(fields),
    additionalProperties: false,
    properties: fields,
  }
}

/** A string, in such a schema. */
export const text = { type: 'string' } as const
