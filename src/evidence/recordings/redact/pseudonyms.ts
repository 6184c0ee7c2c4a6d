/** Names that replace what a recording leaves out. The same value has the same name in the whole recording. */
export interface Pseudonyms {
  /** The name for a value of a kind: `link-1`, `link-2`. */
  name(kind: string, value: string): string
  /** A text by its length in characters: `text:41`, and `text:41:2` for another one. An empty text stays empty. */
  text(value: string): string
  /** The id of a task, a request or a voice in its own form, with a number instead of its value. Without a known form: a text. */
  id(value: string): string
}

/** An empty set of names. */
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
