import { isFieldName } from './contract.ts'

/** Names that replace what a recording leaves out. The same value has the same name in the whole recording. */
export interface Pseudonyms {
  /** The name for a value of a kind: `link-1`, `link-2`. */
  name(kind: string, value: string): string
  /** A text by its length in characters: `text:41`, and `text:41:2` for another one. An empty text stays empty. */
  text(value: string): string
  /** The id of a task, a request or a voice in its own form, with a number instead of its value. Without a known form: a text. */
  id(value: string): string
}

export function createPseudonyms(): Pseudonyms {
  const numbers = new Map<string, number>()
  const counts = new Map<string, number>()
  const numberOf = (kind: string, value: string) => {
    const key = `${kind}\n${value}`
    const number = numbers.get(key) ?? (counts.get(kind) ?? 0) + 1
    if (!numbers.has(key)) counts.set(kind, number)
    numbers.set(key, number)
    return number
  }
  const text = (value: string) => {
    const { length } = [...value]
    const number = numberOf(`text:${length}`, value)
    return length === 0 ? '' : `text:${length}${number === 1 ? '' : `:${number}`}`
  }
  return {
    name: (kind, value) => `${kind}-${numberOf(kind, value)}`,
    text,
    id(value) {
      const form = idForms.find(([pattern]) => pattern.test(value))
      return form ? form[1](`${numberOf('id', value)}`, value.length) : text(value)
    },
  }
}

/** The forms of ids that the contract and the vendors have, each with how a number is written in it. */
const idForms: readonly (readonly [form: RegExp, write: (number: string, length: number) => string])[] = [
  [/^cgt-\d{14}-[a-z0-9]{5}$/, number => `cgt-20000101000000-${number.padStart(5, '0')}`],
  [
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    number => `00000000-0000-4000-8000-${number.padStart(12, '0')}`,
  ],
  [
    /^02\d{13}[0-9a-f]{30,40}$/,
    (number, length) => `02${'0'.repeat(13)}a${number.padStart(length - 16, '0')}`,
  ],
  [
    /^02\d{10}[0-9a-f]{15,25}$/,
    (number, length) => `02${'0'.repeat(10)}a${number.padStart(length - 13, '0')}`,
  ],
  [/^[1-9]\d{8,18}$/, (number, length) => `1${number.padStart(length - 1, '0')}`],
  [/^[0-9a-f]{24,64}$/i, (number, length) => `a${number.padStart(length - 1, '0')}`],
]

/** Whether an id has a form that a recording keeps. */
export function hasIdForm(id: string): boolean {
  return idForms.some(([form]) => form.test(id))
}

/** A text that is left out, with the words that are kept of it. */
export function withWords(text: string, words: readonly string[]): string {
  return words.length === 0 ? text : `${text}; ${words.join(' ')}`
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

/** The name of a field, a header or a parameter: of the contract, or of plain words of a fixed list. */
export function redactName(name: string, names: Pseudonyms): string {
  return isFieldName(name) || isPlainName(name) ? name : names.text(name)
}
