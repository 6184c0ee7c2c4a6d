import type { Family } from '../families/family.ts'
import { families } from '../families/index.ts'
import type { Schema } from '../http/validate.ts'
import { packageVersion, readFixture } from '../package/files.ts'
import type { Endpoint } from '../pipeline/endpoint.ts'
import type { Operation } from '../scenarios/operations.ts'
import { refusals as refusalsOf } from '../scenarios/refusals.ts'
import type { ControlEndpoint } from './control-endpoint.ts'
import { type ExampleRequest, exampleRequests, withSamples } from './example-requests.ts'

/**
 * The emulated API as OpenAPI 3.1, from the same tables and schemas that route and check requests. The media of its examples are
 * the samples of the emulator at `baseUrl`.
 */
export function publicDocument(baseUrl = usualAddress): Document {
  const examples = exampleRequests(baseUrl)
  const rows = families.flatMap(family => family.endpoints.map(endpoint => ({ family, endpoint })))
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { family, endpoint } of rows) {
    for (const path of endpoint.paths) {
      const template = openPath(path)
      paths[template] = {
        ...paths[template],
        [endpoint.method.toLowerCase()]: operation({ family, endpoint, path, examples }),
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Generation Gateway (emulated)',
      version: '1.0.0',
      description: `As emulated by generation-gateway-emulator ${packageVersion()}.`,
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    tags: families.map(({ id, title }) => ({ name: id, description: title })),
    paths,
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'The key chooses the world: `sk-emulator` is `default`, `sk-test-<world>` any other.',
        },
      },
    },
  }
}

interface Described {
  family: Family
  endpoint: Endpoint
  path: string
  examples: readonly ExampleRequest[]
}

function operation({ family, endpoint, path, examples }: Described) {
  const own = examples.filter(example => example.operation === endpoint.operation)
  const replies = Object.entries(endpoint.replies).map(([status, schema]) => [
    status,
    json('Success', schema),
  ])
  return {
    operationId:
      path === endpoint.paths[0]
        ? endpoint.operation
        : `${endpoint.operation}.${endpoint.paths.indexOf(path)}`,
    tags: [family.id],
    summary: endpoint.summary,
    ...(endpoint.beyondSpecification && {
      description: 'Exists upstream; beyond the specification of the gateway.',
      'x-beyond-specification': true,
    }),
    parameters: [
      ...pathParameters(path, endpoint.pathValues),
      ...namedParameters('query', endpoint.query),
      ...namedParameters('header', endpoint.headers),
    ],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: endpoint.body, examples: namedExamples(own) } },
      },
    }),
    responses: { ...Object.fromEntries(replies), ...refusals({ family, endpoint }) },
  }
}

const meanings: Readonly<Record<string, string>> = {
  400: 'The request is not valid; nothing is charged',
  401: 'The key is missing or invalid',
  403: 'The account may not use it, or content moderation refused the request; the messages differ',
  404: 'The task does not exist, or is not this account’s',
  413: 'The body is too large',
  429: 'Too many requests',
  501: 'A running task cannot be deleted',
  '5XX': 'The service failed; code and message follow the cause',
}

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
}

/** The refusals that the specification declares for an operation, and all others: every one in the family's shape. */
function refusals({ family, endpoint }: Pick<Described, 'family' | 'endpoint'>) {
  const schema = family.dialect.errorSchema
  const declared = statusesOf(endpoint.operation).map(status => [
    status,
    {
      ...json(meanings[status] ?? 'The request is refused', schema),
      ...(status === '429' && { headers: retryAfter }),
    },
  ])
  return { ...Object.fromEntries(declared), default: json('Any other refusal, in the same shape', schema) }
}

/** Without what is only assumed. */
function statusesOf(operation: string): string[] {
  const lines = (refusalsOf[operation as Operation] ?? []).filter(({ by }) => by !== 'assumed')
  const all = lines.flatMap(({ statuses, wholeClass = '' }) =>
    statuses.map(status => (`${status}`[0] === wholeClass[0] ? wholeClass : `${status}`)),
  )
  return [...new Set(all)].sort()
}

function namedExamples(examples: readonly ExampleRequest[]) {
  return Object.fromEntries(
    examples.map(({ name, body }) => [name.replaceAll(' ', '-'), { summary: name, value: body }]),
  )
}

type Document = Record<string, unknown>

/** The default address of the emulator, for documents that are printed and not served. */
const usualAddress = 'http://127.0.0.1:8585'

/** A JSON reply. */
function json(description: string, schema: Schema): Document {
  return { description, content: { 'application/json': { schema } } }
}

/** A path with its parameters in braces. */
export function openPath(path: string): string {
  return path.replace(/:([a-z_]+)/g, '{$1}')
}

/** The parameters of a path, with the values that are known, an example first. */
function pathParameters(path: string, values: Readonly<Record<string, readonly string[]>> = {}): object[] {
  return [...path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', ...(values[name] && values[name].length > 1 && { enum: values[name] }) },
    ...(values[name] && { example: values[name][0] }),
  }))
}

/** The parameters of a query or of headers, from their schema. */
function namedParameters(place: 'query' | 'header', parameters: Schema | undefined): object[] {
  return Object.entries(parameters?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: parameters?.required?.includes(name) ?? false,
    schema,
  }))
}

/** The control API as OpenAPI 3.1. The schemas of its replies are made from the types of its client. */
export function controlDocument(endpoints: readonly ControlEndpoint[], baseUrl = usualAddress): Document {
  const { replies, schemas } = readFixture<{ replies: Document; schemas: Document }>('control-replies.json')
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const path = openPath(endpoint.paths[0])
    const method = endpoint.method.toLowerCase()
    paths[path] = { ...paths[path], [method]: controlOperation(endpoint, replies, baseUrl) }
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

function controlOperation(endpoint: ControlEndpoint, schemas: Document, baseUrl: string) {
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
