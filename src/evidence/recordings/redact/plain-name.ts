import { isFieldName } from './contract.ts'
import type { Pseudonyms } from './pseudonyms.ts'

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
