import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Family } from '../../src/emulator/families/family.ts'
import { families } from '../../src/emulator/families/index.ts'
import type { Schema } from '../../src/emulator/http/validate.ts'
import type { Endpoint } from '../../src/emulator/pipeline/endpoint.ts'
import { withValue } from '../../src/evidence/spec/json.ts'
import type { Gateway } from './gateway.ts'

/** One public endpoint and its family, with the names for titles of tests. */
export interface Row {
  title: string
  family: Family
  endpoint: Endpoint
}

/** Every public endpoint of every family. */
export const rows: readonly Row[] = families.flatMap(family =>
  family.endpoints.map(endpoint => ({ title: endpoint.operation, family, endpoint })),
)

/** The endpoint of this operation; fails when there is none. */
export function rowNamed(operation: string): Row {
  const row = rows.find(({ title }) => title === operation)
  if (!row) throw new Error(`no operation is named ${operation}`)
  return row
}

/** The endpoints that take a body. */
export const creating: readonly Row[] = rows.filter(({ endpoint }) => endpoint.body)

/** The first of each family: for rules that the operations of a family share. */
export function ofEachFamily(some: readonly Row[]): Row[] {
  return some.filter(({ family }, i) => some.findIndex(other => other.family === family) === i)
}

/** Each of both at least once, in turn: for rules that no operation decides by itself, which would hold for each pair. */
export function paired<A, B>(some: readonly A[], others: readonly B[]): [A, B][] {
  const of = <T>(list: readonly T[], place: number) => list[place % list.length] as T
  return Array.from({ length: Math.max(some.length, others.length) }, (_, i) => [of(some, i), of(others, i)])
}

const folder = fileURLToPath(new URL('../../fixtures/requests', import.meta.url))

/** The texts of the shipped example requests, by their paths below the folder. */
const shipped: readonly (readonly [name: string, text: string])[] = readdirSync(folder, {
  recursive: true,
  encoding: 'utf8',
})
  .filter(name => name.endsWith('.json'))
  .sort()
  .map(name => [name, readFileSync(join(folder, name), 'utf8')])

/** The shipped example requests by operation: names of files and bodies. */
export function examplesOf(
  operation: string,
  gateway: Pick<Gateway, 'url'>,
): { name: string; body: Record<string, unknown> }[] {
  const own = new RegExp(`(^|[\\\\/])${operation.replace('.', '\\.')}\\.[^.]+\\.json$`)
  return shipped
    .filter(([name]) => own.test(name))
    .map(([name, text]) => ({
      name,
      body: JSON.parse(text.replaceAll('{{samples}}', `${gateway.url}/__emulator/samples`)),
    }))
}

const neutral = Object.keys(
  JSON.parse(readFileSync(new URL('../../fixtures/models.json', import.meta.url), 'utf8')) as Record<
    string,
    unknown
  >,
)

/** The models that endpoints of a gateway were found to take, by operation. */
const modelPaths = new WeakMap<object, Map<string, Promise<string>>>()

/** A path with its parameters filled in: the model that the endpoint takes, else an unknown name. */
export async function pathOf({ endpoint }: Row, gateway: Pick<Gateway, 'url' | 'post'>): Promise<string> {
  const filled = endpoint.paths[0].replace(/:(?!model\b)[a-z_]+/g, 'none')
  if (!filled.includes(':model')) return filled
  const known = modelPaths.get(gateway) ?? new Map<string, Promise<string>>()
  modelPaths.set(gateway, known)
  const path = known.get(endpoint.operation) ?? pathWithModel(filled, endpoint.operation, gateway)
  known.set(endpoint.operation, path)
  return await path
}

async function pathWithModel(
  filled: string,
  operation: string,
  gateway: Pick<Gateway, 'url' | 'post'>,
): Promise<string> {
  const [example] = examplesOf(operation, gateway)
  for (const model of neutral) {
    const path = filled.replace(':model', model)
    const reply = await gateway.post(path, example?.body ?? {}, 'sk-test-model-search')
    if (reply.status === 200) return path
  }
  throw new Error(`${operation} takes no model with ${example?.name ?? 'an empty body'}`)
}

const candidates = [7, 1.5, 'wrong', true, { wrong: 1 }, ['wrong']]

/** For every field of a schema that has a type: the example with a value of a wrong type. */
export function misplaced(schema: Schema, example: unknown): { pointer: string; body: unknown }[] {
  return placesIn(schema).flatMap(({ path, types }) =>
    candidates
      .filter(value => !types.some(type => isOf(value, type)))
      .slice(0, 3)
      .map(value => ({
        pointer: `${path} = ${JSON.stringify(value)}`,
        body: withValue(example, path, value),
      })),
  )
}

function placesIn(schema: Schema, path = ''): { path: string; types: string[] }[] {
  const own = path === '' ? undefined : typesOf(schema)
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    isSchema(property) ? placesIn(property, path === '' ? name : `${path}.${name}`) : [],
  )
  const items = isSchema(schema.items) ? placesIn(schema.items, `${path}[]`) : []
  return [...(own ? [{ path, types: own }] : []), ...below, ...items]
}

/** The types that a schema allows; undefined when it allows any type, or in a form that this function cannot read. */
function typesOf(schema: Schema): string[] | undefined {
  if (schema.type !== undefined) return [schema.type].flat() as string[]
  if (Array.isArray(schema.enum)) return [...new Set(schema.enum.map(value => typeof value))]
  const parts = schema.anyOf ?? schema.oneOf
  if (!parts) return undefined
  const types = parts.map(part => (isSchema(part) ? typesOf(part) : undefined))
  return types.some(found => found === undefined) ? undefined : types.flatMap(found => found ?? [])
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOf(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isSchema(value)
    default:
      return typeof value === type
  }
}
