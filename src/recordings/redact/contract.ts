import { families } from '../../families/index.ts'
import { faults } from '../../faults/fault.ts'
import { FaultError } from '../../faults/fault-error.ts'
import { late, readFixture } from '../../package/files.ts'
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

/** The schemas with their alternatives. */
export function alternatives(schemas: readonly Schema[]): readonly Schema[] {
  return schemas.flatMap(schema => [schema, ...alternatives(inside(schema))])
}

function inside({ anyOf, oneOf, allOf }: Schema): Schema[] {
  return [anyOf, oneOf, allOf].flatMap(list => (Array.isArray(list) ? (list as Schema[]) : []))
}

/** The schemas of a field; none for a field that the contract does not name. */
export function schemasOfField(schemas: readonly Schema[], name: string): readonly Schema[] {
  return alternatives(schemas).flatMap(({ properties = {} }) =>
    Object.hasOwn(properties as object, name) ? [(properties as Record<string, Schema>)[name] as Schema] : [],
  )
}

/** The schemas of the items of an array. */
export function schemasOfItem(schemas: readonly Schema[]): readonly Schema[] {
  return alternatives(schemas).flatMap(({ items }) => present(items))
}

const contract = late(
  () =>
    new Set([
      ...bodies.flatMap(wordsOf),
      ...families.flatMap(({ dialect }) =>
        faults.flatMap(fault => textsIn(dialect.error(new FaultError(fault), { requestId: '' }).body)),
      ),
      'default',
    ]),
)
const models = late(
  () => new Set(Object.entries(readFixture<Record<string, string[]>>('models.json')).flat(2)),
)
const fields = late(() => new Set([...bodies, ...errors].flatMap(fieldsOf)))
const steps = late(() => new Set(endpoints.flatMap(({ paths }) => paths.join('/').split('/'))))

/** True for a word that the schemas list, or that their descriptions name. */
export function isContractWord(text: string): boolean {
  return contract().has(text)
}

/** True for a published name of a model, also with the date of another snapshot. */
export function isModelName(text: string): boolean {
  const base = text.replace(/-\d{6}$/, '')
  return models().has(text) || (base !== text && models().has(base))
}

/** True for the name of a field of the API. */
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
  const { enum: listed = [], const: only, description, ...inner } = schema as Record<string, unknown>
  const own = [...(listed as unknown[]), only].filter(one => typeof one === 'string')
  const described = typeof description === 'string' ? (description.match(/[a-z]\w+/gi) ?? []) : []
  return [...own, ...described, ...Object.values(inner).flatMap(wordsOf)]
}

/** The words of which names of headers and fields and codes of errors consist. */
const vocabulary = new Set(
  `accept access account action age agent algo algorithm all allow allowed already amz api app application argument arrearage assistant
  async at audio auth authenticate authentication authorization b3 bad balance base before body by byte bytes cache callback cancelled cdn
  cf challenge charset client cluster code conflict connecting connection constraint content context control cookie correlation cors
  count country created credential credentials cursor dashscope data date debug delay delete deletion denied dest detected device
  digest direction disable disabled disposition dns dnt does domain empty emulator encoding end endpoint entity entry error etag event
  exceeded exists expect expired expires expose failed fault feature fetch field fields file filename filter first for forbidden
  format forwarded found frame from full gateway gzip head header headers height host http https id idempotency ids if illegal image
  implemented index info information input inspection instance internal invalid ip item items json keep key keys kind lang language
  large last length level limit link list locale location locked login many match max media message meta method methods min mismatch
  missing mode model moderation modified name network next no node nonce none not number offset only opener operation options or order
  org organization origin owner oss output overdue page pagination parameter parent part passwd password path permissions ping platform
  policy port powered pragma prefer preference priority privacy process processing product profile project prompt proto protocol proxy
  public query quota range rate ratelimit ray real reason redirect referer referrer region remaining reply report request requested
  requests reset resolution resource response result retry risk role root route rule running runtime safety save scenario scheme scope
  search sec secret secure security seed self sensitive served server service session set sig sign signature signed site size sort
  source span ssl start state status stream strict style sub subject such tag task tasks team tenant text throttling time timeout
  timestamp timing title to token tokens too tos total trace traceid traceparent tracestate trailer transfer transport true type ua
  unauthorized unavailable unknown unmodified unsupported until update upgrade upload upstream url user username utm uuid validity
  value vary vendor version via video view violation wait warning websocket width with workspace world www x xss zone`.split(
    /\s+/,
  ),
)

/** True for a name that consists of such words, as `X-Request-Id`, `page_size` and `InvalidParameter.UnknownModel` do. */
export function isPlainName(name: string): boolean {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_.]/)
  return words.every(word => vocabulary.has(word)) && words.some(({ length }) => length > 1)
}
