/** A value inside JSON, by keys and indexes; undefined when it does not exist. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
        ? (inner as Record<string | number, unknown>)[step]
        : undefined,
    value,
  )
}

/** True for a JSON object; false for a list and for null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Every value at a path such as `usage.SR` or `data[].size`, each with its own path. An empty or missing array has one absent item. */
export function valuesAt(value: unknown, path: string): [path: string, value: unknown][] {
  const [first, ...rest] = path.split('[]')
  const name = first?.replace(/^\./, '') ?? ''
  // A query's parameters have dots in their names.
  const steps = at(value, name) === undefined ? name.split('.') : [name]
  const found = name === '' ? value : at(value, ...steps)
  if (rest.length === 0) return [[name, found]]
  const items: unknown[] = Array.isArray(found) && found.length > 0 ? found : [undefined]
  return items.flatMap(item =>
    valuesAt(item, rest.join('[]')).map(([inner, one]): [string, unknown] => [
      `${name}[]${inner === '' || inner.startsWith('[') ? '' : '.'}${inner}`,
      one,
    ]),
  )
}

/** A copy of JSON with a value at a path; `[]` means the first item. */
export function withValue(value: unknown, path: string, to: unknown): unknown {
  if (path === '') return to
  const [, name = '', rest = ''] = /^(\[\]|[^.[]+)\.?(.*)$/.exec(path) ?? []
  if (name === '[]') return [withValue(at(value, 0), rest, to)]
  const own = typeof value === 'object' && value !== null ? value : {}
  return { ...own, [name]: withValue(at(value, name), rest, to) }
}

/** A description in place of a value, such as `no complete reply` or `an integer`: a message does not quote it. */
export class Words {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): string {
    return this.text
  }
}

const leftOut = /^text:(\d{1,9})(?::(\d{1,9}))?(?:; (.*))?$/s

/** A text that a recording left out: its length in characters, its number among the texts of this length, and the words that were kept of it. */
export interface LeftOut {
  length: number
  number: number
  words: string
}

/** What a recording says of a text that it left out; undefined for another text. */
export function readLeftOut(text: unknown): LeftOut | undefined {
  const found = typeof text === 'string' ? leftOut.exec(text) : null
  return found
    ? { length: Number(found[1]), number: Number(found[2] ?? 1), words: found[3] ?? '' }
    : undefined
}

/** A word inside a message. A text that the recording left out is never quoted. */
export function told(value: unknown): string {
  const left = readLeftOut(value)
  return left ? `a text of ${left.length} characters (left out)` : String(value)
}

/** A value for a message, shortened. */
export function shown(value: unknown): string {
  if (value instanceof Words) return value.text
  if (readLeftOut(value)) return told(value)
  const text = JSON.stringify(value) ?? 'absent'
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}
