import { families } from '../../families/index.ts'
import { faults } from '../../faults/fault.ts'
import { FaultError } from '../../faults/fault-error.ts'
import { late, readFixture } from '../../package/files.ts'

const endpoints = families.flatMap(family => family.endpoints)
const contract = late(
  () =>
    new Set([
      ...endpoints.flatMap(({ body, query, replies }) =>
        [body, query, ...Object.values(replies)].flatMap(enumerated),
      ),
      ...Object.entries(readFixture<Record<string, string[]>>('models.json')).flat(2),
      ...families.flatMap(({ dialect }) =>
        faults.flatMap(fault => textsIn(dialect.error(new FaultError(fault), { requestId: '' }).body)),
      ),
      'application/json',
      'default',
    ]),
)
const queries = late(() => new Set(endpoints.flatMap(({ query }) => Object.keys(propertiesOf(query)))))
const fields = late(
  () =>
    new Set(endpoints.flatMap(({ body, replies }) => [body, ...Object.values(replies)].flatMap(fieldsOf))),
)
const steps = late(() => new Set(endpoints.flatMap(({ paths }) => paths.join('/').split('/'))))

/** True for a word that requests and replies of the API may contain: an enumerated value, or the name of a model. */
export function isPublicWord(text: string): boolean {
  return contract().has(text)
}

/** True for the name of a query parameter of the API. */
export function isQueryName(name: string): boolean {
  return queries().has(name)
}

/** True for the name of a field of the API. */
export function isFieldName(name: string): boolean {
  return fields().has(name)
}

/** True for a step of a path that the API has, such as `generations`. */
export function isPathStep(step: string): boolean {
  return steps().has(step)
}

/** The codes and types in the body of an error; its messages are sentences. */
function textsIn(body: unknown): string[] {
  if (typeof body === 'string') return /^[A-Za-z][\w.]*$/.test(body) ? [body] : []
  return typeof body === 'object' && body !== null ? Object.values(body).flatMap(textsIn) : []
}

function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = Object.keys(propertiesOf(schema))
  return [
    ...own,
    ...Object.values(schema).flatMap(fieldsOf),
    ...Object.values(propertiesOf(schema)).flatMap(fieldsOf),
  ]
}

function propertiesOf(schema: unknown): object {
  const { properties } = (schema ?? {}) as { properties?: object }
  return properties ?? {}
}

function enumerated(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  if (Array.isArray(schema)) return schema.flatMap(enumerated)
  const { enum: words = [], const: word, ...inner } = schema as { enum?: unknown[]; const?: unknown }
  const own = [...words, word].filter(one => typeof one === 'string')
  return [...own, ...Object.values(inner).flatMap(enumerated)]
}

/** The words of which names of headers and parameters consist. */
const parts = new Set(
  `accept access account action age agent algorithm all allow allowed amz api app application assistant async at auth authenticate
  authentication authorization b3 base before by byte bytes cache callback cdn cf challenge charset client cluster code connecting connection
  content context control cookie cors correlation count country created credential credentials cursor dashscope data date debug delete
  delay dest device digest direction disposition dnt dns domain emulator encoding end entry error etag event expect expires expose feature field fields
  file filename filter first fetch for format forwarded frame from full gateway gzip head header headers height host http https id
  idempotency ids if image index info input instance ip item items json keep key keys kind lang language last length level limit link
  list locale location locked login match max media message meta method methods min mode model modified name network next no node nonce
  none number offset oss only operation opener options order org organization origin page pagination parameter parent part passwd password
  path permissions ping platform policy port powered pragma preference prefer priority process processing product profile project prompt
  proto protocol proxy public query range rate ratelimit ray real reason redirect referer referrer region remaining reply report request
  requested requests reset resolution response result retry role root route rule runtime safety save scenario scheme scope search sec secret secure
  security seed self server service served session set sig sign signature signed site size sort source span ssl start state status stream
  strict style sub subject tag task tasks team tenant text time timeout timestamp timing title to token tokens tos total trace
  traceid traceparent tracestate trailer transfer transport true type ua unmodified until update upgrade upstream url user username utm uuid
  validity value vary vendor version via video view wait warning websocket width with workspace world www x xss zone`.split(
    /\s+/,
  ),
)

/** True for a name that consists of such words, as `X-Request-Id`, `page_size` and `sessionToken` do. */
export function isPlainName(name: string): boolean {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_.]/)
  return words.every(word => parts.has(word)) && words.some(({ length }) => length > 1)
}

/** Words that follow "account", "project" or "token:" in a sentence without being its id. */
const common = new Set(
  `a access account activated all allowed already also an and any api are as at authentication authorization balance be been before belongs
  but by can cannot check concurrency contact contains content could credentials credit credits data deleted denied did disabled do does doesn't
  doesnt due either empty error exceeded exceeds exist exists expired failed file files for found from had has hasn't have header id ids if
  image images in inactive incorrect input insufficient into invalid is isn't it its key keys level limit limits list logged malformed may message
  missing model models must name names need needs no none not null number of off on once or other out over owner paid parameter parameters
  permission permissions please policy prompt prompts provided quota rate request requests required requires resource resources revoked s said
  resolution scope service should since so status string suspended task tasks team text than that the their then there this to token tokens too total type
  type under undefined unknown until unverified used user users using usage valid value verified video videos was wasn't were when which who
  will with without wrong you your 403 401 404 429`.split(/\s+/),
)

/** True for a frequent word of messages. */
export function isCommonWord(word: string): boolean {
  return common.has(word.toLowerCase())
}
