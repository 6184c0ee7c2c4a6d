/** Spec, "Authentication" 5: asset identifiers are treated like keys. The emulator's own have the form asset-YYYYMMDDHHMMSS-xxxxx. */
const assetReferences = /\basset:\/\/[A-Za-z0-9_-]+/g
const assetIds = /\basset-\d{14}-[a-z0-9]+/g
/** A word such as `disk-drive` is no key, and no word is as long. */
const keys = /(?<![A-Za-z0-9])sk-[A-Za-z0-9][A-Za-z0-9._~+/=-]{7,}/g
const signatures = /(Signature=)[A-Za-z0-9]+/g
const secretParameters = /([?&](?:[a-z-]*_?key|[a-z_-]*token|secret|password|authorization)=)[^&#]+/gi
/** Names of headers and of matchers whose values are masked, whatever their form. */
export const secretHeaders = /authorization|api-?key|token|secret|cookie/i

/** A text as the journal, stories, tasks and the log show it: signatures of links, identifiers of assets, and keys are masked. */
export function maskSecrets(text: string): string {
  if (!text.includes('Signature=') && !text.includes('asset') && !text.includes('sk-')) return text
  return text
    .replace(signatures, '$1…')
    .replace(assetReferences, 'asset://…')
    .replace(assetIds, 'asset-…')
    .replace(keys, maskKey)
}

/** Masks every text inside a JSON value, names of properties too. */
export function maskedJson<T>(value: T): T {
  if (typeof value === 'string') return maskSecrets(value) as T
  if (Array.isArray(value)) return value.map(maskedJson) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [maskSecrets(key), maskedJson(entry)]),
  ) as T
}

/** How the texts of one request are shown. */
export interface Masks {
  text(text: string): string
  /** The path and query: also the values of parameters such as `api_key`, whatever their form. */
  path(path: string): string
  header(name: string, value: string): string
}

/**
 * Masks for the texts of one request: also for the request's own key, whatever its form, where the client has put it somewhere else
 * too. A key shorter than eight characters would be found inside ordinary words.
 */
export function masksFor(authorization: string | undefined): Masks {
  const key = authorization?.replace(/^\w+\s+/, '').trim() ?? ''
  const spellings = key.length < 8 ? [] : [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]
  // A function: in a text, `$&` would stand for what was found.
  const text = (given: string) =>
    maskSecrets(spellings.reduce((all, spelled) => all.replaceAll(spelled, () => maskKey(key)), given))
  return {
    text,
    path: path => text(path.replace(secretParameters, '$1…')),
    header: (name, value) => (secretHeaders.test(name) ? maskKey(value) : text(value)),
  }
}

/** Enough of a key to recognize it. A client may send a real key of another service here, and not all of those begin with `sk-`. */
export function maskKey(value: string): string {
  const [, scheme = '', key = ''] = /^(\w+\s+)?(\S*)/s.exec(value) ?? []
  const isKey = scheme !== '' || !/^(bearer|basic|token)$/i.test(key)
  return `${scheme}${key.slice(0, isKey && key.length <= 10 ? 3 : 7)}…`
}
