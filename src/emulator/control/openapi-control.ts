import { packageVersion, readFixture } from '../package/files.ts'
import type { ControlEndpoint } from './control-endpoint.ts'
import { withSamples } from './example-requests.ts'
import { type Document, namedParameters, openPath, pathParameters, usualAddress } from './openapi.ts'

/** The control API as OpenAPI 3.1. The schemas of its replies are made from the types of its client. */
export function controlDocument(endpoints: readonly ControlEndpoint[], baseUrl = usualAddress): Document {
  const { replies, schemas } = readFixture<{ replies: Document; schemas: Document }>('control-replies.json')
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const path = openPath(endpoint.paths[0])
    const method = endpoint.method.toLowerCase()
    paths[path] = { ...paths[path], [method]: operation(endpoint, replies, baseUrl) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Emulator control API', version: packageVersion() },
    servers: [
      { url: '/__emulator', description: 'The world `default`.' },
      {
        url: '/__emulator/worlds/{world}',
        description: 'Any open world, by its name.',
        variables: { world: { default: 'default' } },
      },
    ],
    security: [],
    paths,
    components: { schemas },
  }
}

function operation(endpoint: ControlEndpoint, schemas: Document, baseUrl: string) {
  const { method, summary, example, query, body, bodyOptional } = endpoint
  const path = openPath(endpoint.paths[0])
  const call = `${method} ${path}`
  const schema = schemas[call]
  const type = schema ? 'application/json' : (otherTypes[call] ?? 'application/octet-stream')
  return {
    operationId: idOf(method, path),
    summary,
    parameters: [
      ...pathParameters(endpoint.paths[0], listed(example?.params)),
      ...namedParameters('query', query),
    ],
    ...(body && {
      requestBody: {
        required: !bodyOptional,
        content: { 'application/json': { schema: body, example: exampleBody(endpoint, baseUrl) } },
      },
    }),
    responses: {
      [making.has(call) ? 201 : 200]: { description: 'Done', content: { [type]: schema ? { schema } : {} } },
      default: {
        description: 'A refusal',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ControlRefusal' } } },
      },
    },
  }
}

/** Calls that answer with 201. */
const making = new Set(
  ['worlds', 'scenarios', 'inject', 'tasks', 'snapshots', 'assets'].map(resource => `POST /${resource}`),
)

/** What the calls without a schema answer with. */
const otherTypes: Readonly<Record<string, string>> = {
  'GET /certificate.pem': 'application/x-pem-file',
  'GET /llms.txt': 'text/markdown',
  'GET /events': 'text/event-stream',
  'GET /metrics': 'text/plain',
  'POST /mcp': 'application/json',
  'GET /tasks/{id}/poster': 'image/*',
}

/** `GET /tasks/{id}/story` is `getTasksByIdStory`. */
function idOf(method: string, path: string): string {
  const words = path.replaceAll('{', 'by-').match(/[a-z]+/g) ?? []
  return [method.toLowerCase(), ...words.map(word => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)].join(
    '',
  )
}

function listed(values: Readonly<Record<string, string>> = {}): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]))
}

/** The body of a row's example; `{{samples}}` in it is the address of the sample media. */
function exampleBody({ example }: ControlEndpoint, baseUrl: string): unknown {
  return JSON.parse(withSamples(JSON.stringify(example?.body ?? {}), baseUrl))
}
