import { signal } from '@preact/signals'
import { about } from './api.ts'

/** The part of a JSON Schema that forms use. */
export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: (string | number)[]
  anyOf?: Schema[]
  const?: unknown
  minimum?: number
  minItems?: number
  default?: unknown
  description?: string
  'x-values'?: string[]
  'x-models'?: string[]
  'x-refused'?: boolean
}

/** An operation of the emulated API. */
export interface Operation extends DocumentedOperation {
  /** `a.create` */
  id: string
  /** The family's id. */
  group: string
  method: string
  path: string
  body?: Schema
}

interface DocumentedOperation {
  summary: string
  parameters: { name: string; in: 'path' | 'query' | 'header'; schema: Schema }[]
  requestBody?: { content: { 'application/json'?: { schema?: Schema } } }
  'x-beyond-specification'?: boolean
}

interface OpenApi {
  tags?: { name: string; description: string }[]
  paths: Record<string, Record<string, DocumentedOperation & { operationId?: string; tags?: string[] }>>
  components?: { schemas?: Record<string, Schema> }
}

/** What the OpenAPI document of the emulated API says. */
interface ApiDocument {
  /** The title of each group that has one. */
  titles: ReadonlyMap<string, string>
  operations: readonly Operation[]
}

/** Forms, paths and names come from it; undefined until it is read. */
const documented = signal<ApiDocument | undefined>(undefined)

export async function readDocument(): Promise<void> {
  const { tags = [], paths } = withoutRefs(await about<OpenApi>('GET', '/openapi.json'))
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, { operationId, tags: own, ...rest }]): Operation => {
      const method = verb.toUpperCase()
      const body = rest.requestBody?.content['application/json']?.schema
      return { ...rest, id: operationId ?? path, group: own?.[0] ?? '', path, method, ...(body && { body }) }
    }),
  )
  const titles = new Map(tags.map(({ name, description }) => [name, description]))
  documented.value = { titles, operations }
}

/** The document with the schemas that it names written where they are used. */
function withoutRefs({ paths, ...rest }: OpenApi): OpenApi {
  const read = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, inner: { $ref?: string } | null) => {
      const name = inner?.$ref?.split('/').at(-1)
      return name === undefined ? inner : read(rest.components?.schemas?.[name] ?? {})
    })
  return { ...rest, paths: read(paths) as OpenApi['paths'] }
}

function publicOperations(): readonly Operation[] {
  return documented.value?.operations ?? []
}

/** The title of a family; its id until the document is read. */
export function familyTitle(id: string): string {
  return documented.value?.titles.get(id) ?? id
}

/** The operation with an id, under its documented path. */
export function operationNamed(id: string): Operation | undefined {
  return publicOperations().find(operation => operation.id === id)
}

/** The create operations under their documented paths, which the playground offers. */
export function creates(): Operation[] {
  return publicOperations().filter(({ id, body, method }) => body && method === 'POST' && !/\.\d+$/.test(id))
}

/** The operation that made tasks of a kind: `a` → `a.create`, `c.enhance` → itself. */
export function makerOf(kind: string): Operation | undefined {
  return operationNamed(`${kind}.create`) ?? operationNamed(`${kind}.generate`) ?? operationNamed(kind)
}

/** The names of the models that an operation takes: neutral ids in its body, the usual model first in its path. */
export function modelsOf({ body, parameters }: Operation): readonly string[] {
  const inPath = parameters.find(({ in: place, name }) => place === 'path' && name === 'model')
  return inPath?.schema.enum?.map(String) ?? body?.properties?.model?.['x-models'] ?? []
}
