// Writes fixtures/control-replies.json, the schemas of the control API's replies, from the types of its client.
import { writeFile } from 'node:fs/promises'
import { createGenerator } from 'ts-json-schema-generator'

const prefix = '#/definitions/'

/** The schema of each call's reply, and of the types that they refer to, as JSON text. */
export function controlSchemas() {
  const path = 'src/kits/client/control-replies.ts'
  const options = { path, tsconfig: 'tsconfig.json', skipTypeCheck: true, additionalProperties: true }
  const { definitions } = createGenerator({ ...options, expose: 'export', jsDoc: 'basic' }).createSchema('*')
  /** A type with parameters has no name in OpenAPI: it is written where it is used. */
  const inOpenApi = value => {
    if (Array.isArray(value)) return value.map(inOpenApi)
    if (typeof value !== 'object' || value === null) return value
    const name = decodeURIComponent(String(value.$ref ?? '').slice(prefix.length))
    if (name.includes('<')) return inOpenApi(definitions[name])
    if (name !== '') return { $ref: `#/components/schemas/${name}` }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inOpenApi(inner)]))
  }
  const { ControlReplies, ...others } = definitions
  const schemas = Object.fromEntries(Object.entries(others).filter(([name]) => !name.includes('<')))
  return `${JSON.stringify({ replies: inOpenApi(ControlReplies.properties), schemas: inOpenApi(schemas) })}\n`
}

if (process.argv[1]?.endsWith('control-schemas.mjs'))
  await writeFile('fixtures/control-replies.json', controlSchemas())
