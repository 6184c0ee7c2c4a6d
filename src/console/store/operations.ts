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
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  default?: unknown
  description?: string
}

/** An operation of the emulated API. */
export interface Operation {
  id: string
  family: string
  method: string
  path: string
  summary: string
  isBeyond: boolean
  body?: Schema
}

interface Document {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, RawOperation>>
}

interface RawOperation {
  operationId: string
  tags: string[]
  summary: string
  'x-beyond-specification'?: boolean
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}

const operations = signal<readonly Operation[]>([])
/** The title of each family. */
export const familyTitles = signal<ReadonlyMap<string, string>>(new Map())

/** Reads the OpenAPI document of the emulated API: forms, paths and names come from it. */
export async function readOperations(): Promise<void> {
  const document = await about<Document>('GET', '/openapi.json')
  familyTitles.value = new Map(document.tags.map(({ name, description }) => [name, description]))
  operations.value = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => operationOf(path, method, raw)),
  )
}

function operationOf(path: string, method: string, raw: RawOperation): Operation {
  const schema = raw.requestBody?.content['application/json'].schema
  return {
    id: raw.operationId,
    family: raw.tags[0] ?? '',
    method: method.toUpperCase(),
    path,
    summary: raw.summary,
    isBeyond: raw['x-beyond-specification'] ?? false,
    ...(schema && { body: schema }),
  }
}

/** The operation with an id, under its documented path. */
export function operationNamed(id: string): Operation | undefined {
  return operations.value.find(operation => operation.id === id)
}

/** The create operations under their documented paths, which the playground offers. */
export function creates(): Operation[] {
  return operations.value.filter(({ id, body, method }) => body && method === 'POST' && !/\.\d+$/.test(id))
}

/** The operation that made tasks of a kind: `a` → `a.create`, `c.enhance` → itself. */
export function makerOf(kind: string): Operation | undefined {
  return operationNamed(`${kind}.create`) ?? operationNamed(`${kind}.generate`) ?? operationNamed(kind)
}
