import { plainTextOf, searchable } from './plain-text.ts'
import { isPublicWord } from './public-words.ts'

/** Names that replace secrets. The same secret has the same name in the whole recording. */
export interface Pseudonyms {
  /** The name for a value of a kind: `link-1`, `link-2`. */
  name(kind: string, value: string): string
  /** The same; from now on the value is also hidden wherever it appears. */
  hide(kind: string, value: string): string
  /** Whether a hidden prompt contains bytes in `searchable` form. */
  isInPrompt(bytes: string): boolean
  /** The name of a hidden value, by its bytes in `searchable` form. */
  nameOf(bytes: string): string | undefined
  /** Where hidden values are in the bytes of a text, in `searchable` form. A value that is also a plain word is not among them. */
  find(bytes: string): Found[]
  /** The same in a text that people read: also plain words and short values, as whole words, and values that were cut off. */
  findInMessage(bytes: string): Found[]
}

/** A hidden value in a text: from byte `start`, before `end`. */
export interface Found {
  start: number
  end: number
  name: string
}

/** A hidden value as it is searched, and its name. */
interface Hidden {
  bytes: string
  name: string
}

/** Values are found by their first bytes, so a recording may hide any number of them. */
const headBytes = 6
/** From this length on, the beginning of a value counts as the value: messages cut long texts. Bytes. */
const shortestBeginning = 12

/** An empty set of names. `words` are hidden from the start. */
export function createPseudonyms(words: readonly string[] = []): Pseudonyms {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  const telling = new Map<number, Hidden[]>()
  const plain = new Map<number, Hidden[]>()
  const short = new Map<string, string>()
  const exact = new Map<string, string>()
  const known = new Set<string>()
  const prompts: string[] = []
  const name = (kind: string, value: string) => {
    const key = `${kind}\n${value}`
    const earlier = names.get(key)
    if (earlier !== undefined) return earlier
    const number = (counts.get(kind) ?? 0) + 1
    counts.set(kind, number)
    const given = `${kind}-${number}`
    names.set(key, given)
    return given
  }
  const conceal = (value: string, given: string, index: Map<number, Hidden[]>) => {
    for (const bytes of spellings(value)) {
      exact.set(bytes, given)
      if (bytes.length < headBytes) {
        if (bytes.trim() !== '' && !short.has(bytes)) short.set(bytes, given)
        continue
      }
      const head = headOf(bytes)
      index.set(head, [...(index.get(head) ?? []), { bytes, name: given }])
    }
  }
  for (const word of words) conceal(word, name('word', word), telling)
  return {
    name,
    hide(kind, value) {
      const given = name(kind, value)
      if (value === '' || isPublicWord(value) || known.has(value)) return given
      if (kind === 'prompt' && isMeasure.test(value)) return given
      known.add(value)
      if (kind === 'prompt') prompts.push(searchable(plainTextOf(value)?.bytes ?? ''))
      conceal(value, given, isTelling(value, kind) ? telling : plain)
      return given
    },
    isInPrompt: bytes => prompts.some(prompt => prompt.includes(bytes)),
    nameOf: bytes => exact.get(bytes),
    find: bytes => findIn(bytes, (at, head) => longestAt(bytes, at, telling.get(head))),
    findInMessage: bytes =>
      findIn(
        bytes,
        (at, head) =>
          longestAt(bytes, at, telling.get(head)) ??
          wordAt(bytes, at, plain.get(head)) ??
          shortAt(bytes, at, short) ??
          beginningAt(bytes, at, telling.get(head)),
      ),
  }
}

/** A prompt such as `1024x1024` or `16:9` is also a value of other fields, and tells nothing about its author. */
const isMeasure = /^\d{1,5}[x:.]\d{1,5}$/

/** The value, and for values too short to be recognised behind them, the usual encodings. */
function spellings(value: string): string[] {
  const plain = plainTextOf(value)?.bytes ?? Buffer.from(value, 'utf8').toString('latin1')
  if (plain.length >= headBytes) return [searchable(plain)]
  const bytes = Buffer.from(value, 'utf8')
  const base64 = bytes.toString('base64')
  const all = [plain, base64, base64.replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')]
  return [...new Set(all.map(searchable))]
}

/** A plain word, such as "default", also appears where it is not a secret. Keys and secrets may be plain words. */
function isTelling(value: string, kind: string): boolean {
  if (value.length >= 12) return true
  const shortest = kind === 'key' || kind === 'secret' ? 8 : Number.POSITIVE_INFINITY
  if (value.length >= shortest) return true
  return value.length >= headBytes && /\d|[A-Z].*[a-z]|[a-z].*[A-Z]|[^A-Za-z\s]/.test(value)
}

function findIn(bytes: string, at: (place: number, head: number) => Found | undefined): Found[] {
  const found: Found[] = []
  let head = headOf(bytes)
  let end = 0
  for (let place = 0; place < bytes.length; place++) {
    const one = place < end ? undefined : at(place, head)
    if (one) {
      found.push(one)
      end = one.end
    }
    head = (head % 256 ** (headBytes - 1)) * 256 + codeAt(bytes, place + headBytes)
  }
  return found
}

/** The first bytes as one number, which is a key that needs no new text. */
function headOf(bytes: string): number {
  let head = 0
  for (let i = 0; i < headBytes; i++) head = head * 256 + codeAt(bytes, i)
  return head
}

function codeAt(bytes: string, at: number): number {
  return at < bytes.length ? bytes.charCodeAt(at) : 0
}

function longestAt(bytes: string, start: number, candidates: readonly Hidden[] = []): Found | undefined {
  let longest: Found | undefined
  for (const { bytes: value, name } of candidates)
    if (start + value.length > (longest?.end ?? start) && bytes.startsWith(value, start))
      longest = { start, end: start + value.length, name }
  return longest
}

function wordAt(bytes: string, start: number, candidates: readonly Hidden[] | undefined): Found | undefined {
  const found = candidates && isEdge(bytes, start) ? longestAt(bytes, start, candidates) : undefined
  return found && isEdge(bytes, found.end) ? found : undefined
}

function shortAt(bytes: string, start: number, short: ReadonlyMap<string, string>): Found | undefined {
  if (short.size === 0 || !isEdge(bytes, start)) return undefined
  for (let length = headBytes - 1; length > 0; length--) {
    const name = isEdge(bytes, start + length) ? short.get(bytes.slice(start, start + length)) : undefined
    if (name !== undefined) return { start, end: start + length, name }
  }
  return undefined
}

/** The longest beginning of a hidden value, where the text shows that it was cut. */
function beginningAt(bytes: string, start: number, candidates: readonly Hidden[] = []): Found | undefined {
  let longest: Found | undefined
  for (const { bytes: value, name } of candidates) {
    let length = 0
    while (length < value.length && bytes[start + length] === value[length]) length++
    const isCut = /^(?:$|\.{2}|\xe2\x80\xa6|["'`*[<])/.test(bytes.slice(start + length, start + length + 3))
    if (length >= shortestBeginning && isCut && start + length > (longest?.end ?? 0))
      longest = { start, end: start + length, name }
  }
  return longest
}

/** Whether a word can begin or end at a place: letters and digits of ASCII are not on both sides. */
function isEdge(bytes: string, at: number): boolean {
  return !isLetterOrDigit(bytes.charCodeAt(at - 1)) || !isLetterOrDigit(bytes.charCodeAt(at))
}

/** NaN, outside of the text, is none. */
function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 122)
}

/** A name as long as the value that it replaces, in the same form where the form of a value is compared. Shorter values get the name itself. */
export function inShape(name: string, value: string): string {
  const number = name.split('-').at(-1) ?? ''
  if (/^\d+$/.test(value)) return `1${number.padStart(value.length - 1, '0')}`.slice(0, value.length)
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value))
    return `00000000-0000-4000-8000-${number.padStart(12, '0')}`
  return name.padEnd([...value].length, '-')
}
