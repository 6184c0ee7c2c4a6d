import { signal } from '@preact/signals'
import { about } from '../store/api.ts'
import type { Schema } from '../store/operations.ts'

/** One of the emulator's two APIs: the emulated one, and the one that controls the emulator. */
export type ApiKind = 'public' | 'control'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

/** An operation as the reference shows it. */
export interface DocOperation extends RawOperation {
  /** What the address of the page says: `a.create`, or `control:POST /worlds`. */
  key: string
  /** The family's id, or the resource of the control API. */
  group: string
  method: string
  path: string
}

export interface ApiDocument {
  api: ApiKind
  title: string
  version: string
  about: string
  groups: { id: string; title: string; operations: DocOperation[] }[]
}

interface Content {
  'application/json'?: { schema?: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
}

interface RawOperation {
  operationId?: string
  tags?: string[]
  summary: string
  description?: string
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

interface RawDocument {
  info: { title: string; version: string; description?: string }
  tags?: { name: string; description: string }[]
  paths: Record<string, Record<string, RawOperation>>
  components?: { schemas?: Record<string, Schema> }
}

const files: Readonly<Record<ApiKind, string>> = { public: 'openapi.json', control: 'openapi.control.json' }

/** The file of each document, beside the page. */
export const documentFile = (api: ApiKind): string => files[api]

export const documents = signal<readonly ApiDocument[]>([])

export async function readDocuments(): Promise<void> {
  documents.value = await Promise.all(
    (['public', 'control'] as const).map(async api =>
      documentOf(api, withoutRefs(await about<RawDocument>('GET', `/${files[api]}`))),
    ),
  )
}

/** The document with the schemas that it names written where they are used. */
function withoutRefs({ paths, ...rest }: RawDocument): RawDocument {
  const read = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, inner: { $ref?: string } | null) => {
      const name = inner?.$ref?.split('/').at(-1)
      return name === undefined ? inner : read(rest.components?.schemas?.[name] ?? {})
    })
  return { ...rest, paths: read(paths) as RawDocument['paths'] }
}

function documentOf(api: ApiKind, { info, tags = [], paths }: RawDocument): ApiDocument {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => operationOf(api, { path, method, raw })),
  )
  const titles = new Map(tags.map(({ name, description }) => [name, description]))
  return {
    api,
    title: info.title,
    version: info.version,
    about: info.description ?? '',
    groups: [...new Set(operations.map(({ group }) => group))].map(id => ({
      id,
      title: titles.get(id) ?? id,
      operations: operations.filter(({ group }) => group === id),
    })),
  }
}

function operationOf(
  api: ApiKind,
  { path, method, raw }: { path: string; method: string; raw: RawOperation },
): DocOperation {
  const verb = method.toUpperCase()
  return {
    ...raw,
    key: api === 'public' ? (raw.operationId ?? path) : `control:${verb} ${path}`,
    group: api === 'public' ? (raw.tags?.[0] ?? '') : path.split('/')[1] || 'console',
    method: verb,
    path: api === 'public' ? path : `/__emulator${path}`,
  }
}

/** The first example of a body; undefined when the document has none. */
export function exampleOf({ requestBody }: DocOperation): unknown {
  const json = requestBody?.content['application/json']
  return json?.example ?? Object.values(json?.examples ?? {})[0]?.value
}
