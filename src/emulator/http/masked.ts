import { decoded, secretHeader, secretParameter, shortestSecret, spellings, withoutForms } from './secrets.ts'

/** A text as the journal, stories, tasks and the log show it: signatures of links, identifiers of assets, and keys are masked. */
export function maskSecrets(text: string): string {
  return withoutForms(text, maskKey)
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

/** A value goes on over a `?` after which no parameter begins: an address may stand in a query, with a query of its own. */
const parameters = /([?&])([^?&#=]+)=[^?&#]*(?:\?(?![^?&#=]+=)[^?&#]*)*/g

/** How the texts of one request are shown. */
export interface Masks {
  text(text: string): string
  /** The path and query: also the values of parameters such as `api_key`, whatever their form. */
  path(path: string): string
  header(name: string, value: string): string
}

/**
 * Masks for the texts of one request: also for the request's own key, whatever its form, where the client has put it somewhere else
 * too.
 */
export function masksFor(authorization: string | undefined): Masks {
  const key = authorization?.replace(/^\w+\s+/, '').trim() ?? ''
  const spelled = key.length < shortestSecret ? [] : spellings(key)
  // A function: in a text, `$&` would stand for what was found.
  const text = (given: string) =>
    maskSecrets(spelled.reduce((all, one) => all.replaceAll(one, () => maskKey(key)), given))
  return {
    text,
    path: path =>
      text(
        path.replace(parameters, (whole, start: string, name: string) =>
          secretParameter.test(decoded(name)) ? `${start}${name}=…` : whole,
        ),
      ),
    header: (name, value) => (secretHeader.test(name) ? maskKey(value) : text(value)),
  }
}

/** Enough of a key to recognize it. A client may send a real key of another service here, and not all of those begin with `sk-`. */
export function maskKey(value: string): string {
  const [, scheme = '', key = ''] = /^(\w+\s+)?(\S*)/s.exec(value) ?? []
  const isKey = scheme !== '' || !/^(bearer|basic|token)$/i.test(key)
  return `${scheme}${key.slice(0, isKey && key.length <= 10 ? 3 : 7)}…`
}
