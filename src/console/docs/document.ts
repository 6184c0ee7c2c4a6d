import { signal } from '@preact/signals'
import { world } from '../store/address.ts'
import { about } from '../store/api.ts'
import type { Schema } from '../store/operations.ts'

/** One of the emulator's two APIs. */
export type ApiKind = 'public' | 'control'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
  example?: string
}

export interface ExampleBody {
  name: string
  value: unknown
}

/** An operation as the reference shows it. */
export interface DocOperation {
  /** What the address of the page says: `a.create`, or `control:POST /worlds`. */
  key: string
  api: ApiKind
  /** The family's id, or the resource of the control API. */
  group: string
  method: string
  path: string
  summary: string
  description: string
  parameters: Parameter[]
  body?: Schema
  isBodyNeeded: boolean
  examples: ExampleBody[]
  replies: { status: string; description: string; schema?: Schema }[]
}

export interface ApiDocument {
  api: ApiKind
  title: string
  version: string
  about: string
  keyText: string
  groups: { id: string; title: string; operations: DocOperation[] }[]
}

interface Content {
  'application/json'?: {
    schema?: Schema
    example?: unknown
    examples?: Record<string, { summary: string; value: unknown }>
  }
}

interface RawOperation {
  operationId?: string
  tags?: string[]
  summary: string
  description?: string
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

interface RawDocument {
  info: { title: string; version: string; description?: string }
  tags?: { name: string; description: string }[]
  paths: Record<string, Record<string, RawOperation>>
  components?: { securitySchemes?: { key?: { description?: string } } }
}

export const documents = signal<readonly ApiDocument[]>([])

export async function readDocuments(): Promise<void> {
  const [emulated, control] = await Promise.all([
    about<RawDocument>('GET', '/openapi.json'),
    about<RawDocument>('GET', '/openapi.control.json'),
  ])
  documents.value = [documentOf('public', emulated), documentOf('control', control)]
}

function documentOf(api: ApiKind, raw: RawDocument): ApiDocument {
  const operations = Object.entries(raw.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(api, { path, method, operation })),
  )
  const titles = new Map(raw.tags?.map(({ name, description }) => [name, description]))
  const ids = [...new Set(operations.map(({ group }) => group))]
  return {
    api,
    title: raw.info.title,
    version: raw.info.version,
    about: raw.info.description ?? '',
    keyText: raw.components?.securitySchemes?.key?.description ?? '',
    groups: ids.map(id => ({
      id,
      title: titles.get(id) ?? id,
      operations: operations.filter(({ group }) => group === id),
    })),
  }
}

interface Raw {
  path: string
  method: string
  operation: RawOperation
}

function operationOf(api: ApiKind, { path, method, operation }: Raw): DocOperation {
  const content = operation.requestBody?.content['application/json']
  const verb = method.toUpperCase()
  const below = path.replace('/__emulator', '')
  return {
    key: api === 'public' ? (operation.operationId ?? path) : `control:${verb} ${below}`,
    api,
    group: api === 'public' ? (operation.tags?.[0] ?? '') : resourceOf(below),
    method: verb,
    path,
    summary: operation.summary,
    description: operation.description ?? '',
    parameters: operation.parameters,
    ...(content?.schema && { body: content.schema }),
    isBodyNeeded: operation.requestBody?.required ?? false,
    examples: examplesIn(content),
    replies: Object.entries(operation.responses).map(([status, { description, content: answer }]) => ({
      status,
      description,
      ...(answer?.['application/json']?.schema && { schema: answer['application/json'].schema }),
    })),
  }
}

function examplesIn(content: Content['application/json']): ExampleBody[] {
  if (content?.examples)
    return Object.values(content.examples).map(({ summary, value }) => ({ name: summary, value }))
  return content && 'example' in content ? [{ name: 'example', value: content.example }] : []
}

function resourceOf(path: string): string {
  const [, first = ''] = path.split('/')
  return first === '' ? 'console' : first
}

/** Resources of the control API that belong to no world. */
const global =
  /^\/(worlds|health|openapi|examples|models|prompt-tags|samples|assumptions|guide|failures|undo|mcp|scenario\.schema)/

/** The path at which an operation is called for this world: the control API takes the world from it, the emulated API from the key. */
export function pathFor({ api, path }: Pick<DocOperation, 'api' | 'path'>): string {
  if (api === 'public' || world === 'default') return path
  const below = path.replace('/__emulator', '')
  return global.test(below) ? path : `/__emulator/worlds/${world}${below}`
}
