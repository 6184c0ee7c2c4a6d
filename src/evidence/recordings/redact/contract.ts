import { FaultError, families, faults } from '../../../emulator/gateway.ts'
import { late, readFixture } from '../../../emulator/ground.ts'
import { endpointOf } from '../operation.ts'

/** A JSON schema of the API, as far as it is walked. */
export type Schema = Readonly<Record<string, unknown>>

const endpoints = families.flatMap(family => family.endpoints)
const bodies = endpoints.flatMap(({ body, query, replies }) => [body, query, ...Object.values(replies)])
const errors = families.map(({ dialect }) => dialect.errorSchema as Schema)

/** The schemas of a reply. An error may have the shape of another family. */
export function replySchemas(operation: string, status: number): readonly Schema[] {
  if (status >= 400) return errors
  const replies = endpointOf(operation)?.replies ?? {}
  return present(replies[status] ?? replies[200])
}

/** The schemas of the body of a request, or of its query. */
export function requestSchemas(operation: string, part: 'body' | 'query'): readonly Schema[] {
  return present(endpointOf(operation)?.[part])
}

function present(schema: unknown): readonly Schema[] {
  return schema === undefined ? [] : [schema as Schema]
}

export function alternatives(schemas: readonly Schema[]): readonly Schema[] {
  return schemas.flatMap(schema => {
    const lists = [schema.anyOf, schema.oneOf, schema.allOf].filter(Array.isArray)
    return [schema, ...alternatives(lists.flat() as Schema[])]
  })
}

/** The schemas of a field; none for a field that the contract does not name. */
export function schemasOfField(schemas: readonly Schema[], name: string): readonly Schema[] {
  return alternatives(schemas).flatMap(({ properties = {} }) =>
    Object.hasOwn(properties as object, name) ? [(properties as Record<string, Schema>)[name] as Schema] : [],
  )
}

export function schemasOfItem(schemas: readonly Schema[]): readonly Schema[] {
  return alternatives(schemas).flatMap(({ items }) => present(items))
}

/** Types and roles of content, and a tier, that the schemas describe and do not list. */
const unlisted = ['base_video', 'default', 'element', 'feature_video', 'refer_image']

const contract = late(
  () =>
    new Set([
      ...bodies.flatMap(wordsOf),
      ...families.flatMap(({ dialect }) =>
        faults.flatMap(fault => textsIn(dialect.error(new FaultError(fault), { requestId: '' }).body)),
      ),
      ...unlisted,
    ]),
)
const models = late(
  () => new Set(Object.entries(readFixture<Record<string, string[]>>('models.json')).flat(2)),
)
const fields = late(() => new Set([...bodies, ...errors].flatMap(fieldsOf)))
const steps = late(() => new Set(endpoints.flatMap(({ paths }) => paths.join('/').split('/'))))

export function isContractWord(text: string): boolean {
  return contract().has(text)
}

/** True for a published name of a model, also with the date of another snapshot. */
export function isModelName(text: string): boolean {
  const base = text.replace(/-\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/, '')
  return models().has(text) || (base !== text && models().has(base))
}

export function isFieldName(name: string): boolean {
  return fields().has(name)
}

/** True for a step of a path that the API has, such as `generations`. */
export function isPathStep(step: string): boolean {
  return steps().has(step) || /^(?:api|v[1-9])$/.test(step)
}

/** The codes and types in the body of an error; its messages are sentences. */
function textsIn(body: unknown): string[] {
  if (typeof body === 'string') return /^[A-Za-z0-9][\w.]*$/.test(body) ? [body] : []
  return typeof body === 'object' && body !== null ? Object.values(body).flatMap(textsIn) : []
}

function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {} } = schema as { properties?: object }
  return [
    ...Object.keys(properties),
    ...Object.values(schema).flatMap(fieldsOf),
    ...Object.values(properties).flatMap(fieldsOf),
  ]
}

function wordsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { enum: listed = [], const: only, ...inner } = schema as Record<string, unknown>
  const own = [...(listed as unknown[]), only].filter(one => typeof one === 'string')
  return [...own, ...Object.values(inner).flatMap(wordsOf)]
}
