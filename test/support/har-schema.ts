import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'

const load = createRequire(import.meta.url)
const schemas: Record<string, object> = load('har-schema')

const ajv = new Ajv({ strict: false, allErrors: true })
ajv.addMetaSchema(load('ajv/dist/refs/json-schema-draft-06.json'))
addFormats.default(ajv)
for (const schema of Object.values(schemas)) ajv.addSchema(schema)

/** The faults that the published schema of HAR 1.2 finds in a document; empty when it is valid. */
export function harProblems(document: unknown): string[] {
  const check = ajv.getSchema('har.json#')
  if (!check) throw new Error('har-schema has no schema of a whole file')
  return check(document)
    ? []
    : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
