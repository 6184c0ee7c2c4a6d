import type { Family } from '../families/family.ts'
import { families } from '../families/index.ts'
import type { Endpoint, Schema } from '../http/endpoint.ts'
import { packageVersion } from '../package/files.ts'
import type { ControlEndpoint } from './control-endpoint.ts'

type Document = Record<string, unknown>

/** The emulated API as OpenAPI 3.1, from the same tables and schemas that route and check requests. */
export function publicDocument(): Document {
  const rows = families.flatMap(family => family.endpoints.map(endpoint => ({ family, endpoint })))
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { family, endpoint } of rows) {
    for (const path of endpoint.paths) {
      const at = openPath(path)
      paths[at] = { ...paths[at], [endpoint.method.toLowerCase()]: operation(family, endpoint, path) }
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
        key: { type: 'http', scheme: 'bearer', description: 'sk-emulator, sk-test-<world>, …' },
      },
    },
  }
}

/** The control API as OpenAPI 3.1. */
export function controlDocument(endpoints: readonly ControlEndpoint[]): Document {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const [first] = endpoint.paths
    const at = openPath(`/__emulator${first}`)
    paths[at] = {
      ...paths[at],
      [endpoint.method.toLowerCase()]: {
        summary: endpoint.summary,
        parameters: [...pathParameters(first), ...namedParameters('query', endpoint.query)],
        ...(endpoint.body && {
          requestBody: {
            required: !endpoint.bodyOptional,
            content: { 'application/json': { schema: endpoint.body } },
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

function operation(family: Family, endpoint: Endpoint, path: string) {
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
      ...pathParameters(path),
      ...namedParameters('query', endpoint.query),
      ...namedParameters('header', endpoint.headers),
    ],
    ...(endpoint.body && {
      requestBody: { required: true, content: { 'application/json': { schema: endpoint.body } } },
    }),
    responses: {
      ...Object.fromEntries(replies),
      default: json('An error in the family’s shape', family.dialect.errorSchema),
    },
  }
}

function json(description: string, schema: Schema) {
  return { description, content: { 'application/json': { schema } } }
}

function openPath(path: string): string {
  return path.replace(/:([a-z_]+)/g, '{$1}')
}

function pathParameters(path: string) {
  return [...path.matchAll(/:([a-z_]+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
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
