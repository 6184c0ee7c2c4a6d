import type { Family } from '../families/family.ts'
import { families } from '../families/index.ts'
import type { Endpoint, Schema } from '../http/endpoint.ts'
import { packageVersion } from '../package/files.ts'
import type { ControlEndpoint } from './control-endpoint.ts'
import { type ExampleRequest, exampleRequests } from './example-requests.ts'

type Document = Record<string, unknown>

/** The default address of the emulator, for documents that are printed and not served. */
const usualAddress = 'http://127.0.0.1:8585'

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
      const at = openPath(path)
      paths[at] = {
        ...paths[at],
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

/** The control API as OpenAPI 3.1. */
export function controlDocument(endpoints: readonly ControlEndpoint[], baseUrl = usualAddress): Document {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const [first] = endpoint.paths
    const at = openPath(`/__emulator${first}`)
    paths[at] = {
      ...paths[at],
      [endpoint.method.toLowerCase()]: {
        summary: endpoint.summary,
        parameters: [
          ...pathParameters(first, endpoint.example?.params),
          ...namedParameters('query', endpoint.query),
        ],
        ...(endpoint.body && {
          requestBody: {
            required: !endpoint.bodyOptional,
            content: {
              'application/json': { schema: endpoint.body, example: exampleBody(endpoint, baseUrl) },
            },
          },
        }),
        responses: {
          '2XX': { description: 'Done' },
          default: { description: 'An error: {"error":{"code","message","path?","hint?"}}' },
        },
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Emulator control API', version: packageVersion() },
    servers: [{ url: '/' }],
    paths,
  }
}

/** The body of a row's example; `{{samples}}` in it is the address of the sample media. */
function exampleBody({ example }: ControlEndpoint, baseUrl: string): unknown {
  const text = JSON.stringify(example?.body ?? {})
  return JSON.parse(text.replaceAll('{{samples}}', `${baseUrl}/__emulator/samples`))
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
      ...pathParameters(path, endpoint.pathExamples),
      ...namedParameters('query', endpoint.query),
      ...namedParameters('header', endpoint.headers),
    ],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: endpoint.body, examples: namedExamples(own) } },
      },
    }),
    responses: {
      ...Object.fromEntries(replies),
      default: json('An error in the family’s shape', family.dialect.errorSchema),
    },
  }
}

function namedExamples(examples: readonly ExampleRequest[]) {
  return Object.fromEntries(
    examples.map(({ name, body }) => [name.replaceAll(' ', '-'), { summary: name, value: body }]),
  )
}

function json(description: string, schema: Schema) {
  return { description, content: { 'application/json': { schema } } }
}

function openPath(path: string): string {
  return path.replace(/:([a-z_]+)/g, '{$1}')
}

function pathParameters(path: string, examples: Readonly<Record<string, string>> = {}) {
  return [...path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(examples[name] !== undefined && { example: examples[name] }),
  }))
}

function namedParameters(place: 'query' | 'header', parameters: Schema | undefined) {
  return Object.entries(parameters?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: parameters?.required?.includes(name) ?? false,
    schema,
  }))
}
