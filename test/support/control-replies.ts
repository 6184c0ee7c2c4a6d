import type { ControlEndpoint } from '../../src/emulator/control/control-endpoint.ts'
import { controlEndpoints } from '../../src/emulator/control/endpoints.ts'
import { controlDocument, openPath } from '../../src/emulator/control/openapi.ts'
import { routesOver } from '../../src/emulator/http/routes.ts'
import { misfit, type Schema } from '../../src/emulator/http/validate.ts'

interface Responses {
  [status: string]: { content: Record<string, { schema?: Schema }> }
}
type Paths = Record<string, Record<string, { responses: Responses }>>

const document = controlDocument(controlEndpoints) as {
  paths: Paths
  components: { schemas: Record<string, Schema> }
}
const schemas = JSON.stringify(document.components.schemas)
const routes = routesOver<{ endpoint: ControlEndpoint }>(controlEndpoints.map(endpoint => ({ endpoint })))
const compiled = new Map<string, Schema>()

/** What a reply of the control API has that its OpenAPI document does not say; undefined when it fits. */
export function misfitOfControl(method: string, path: string, reply: { status: number; body: unknown }) {
  const below = path.replace(/^\/__emulator(?:\/worlds\/[^/]+(?=\/.))?/, '').split('?', 1)[0] ?? ''
  const found = routes.find(method, below)?.row.endpoint
  if (!found) return undefined
  const documented = openPath(found.paths[0])
  const responses = document.paths[documented]?.[method.toLowerCase()]?.responses ?? {}
  const isRefused = reply.status >= 400
  const response = responses[isRefused ? 'default' : String(reply.status)]
  if (!response) return `${method} ${documented} answers ${reply.status}, which is not documented`
  const schema = response.content['application/json']?.schema
  if (!schema) return undefined
  const key = `${method} ${documented} ${isRefused}`
  // One schema with all definitions, as JSON Schema has them.
  const whole = compiled.get(key) ?? standalone(schema)
  compiled.set(key, whole)
  const fault = misfit(whole, reply.body)
  return fault === undefined ? undefined : `${method} ${documented}: ${JSON.stringify(fault)}`
}

function standalone(schema: Schema): Schema {
  const text = `{"allOf":[${JSON.stringify(schema)}],"$defs":${schemas}}`
  return JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'))
}
