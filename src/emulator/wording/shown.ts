import { closest, distance } from 'fastest-levenshtein'

/** A value as an error message shows it: JSON, cut to a readable length. */
export function shown(value: unknown): string {
  // JSON.parse reads 1e400 as Infinity, which JSON.stringify would write as null.
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
    return 'a number beyond 1.8e308'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

/** The command of an emulator that is installed as the docs say; without `--no-install`, npx may load another package. */
export const installedCommand = 'npx --no-install gateway-emulator'

/** A list of allowed values as an error message shows it. */
export function oneOf(values: readonly unknown[]): string {
  if (values.length === 0) return 'and no value is allowed'
  return `must be ${values.length > 1 ? 'one of ' : ''}${values.map(value => (typeof value === 'string' ? value : shown(value))).join(', ')}`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML 1.0 forbids.
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** A text inside HTML or XML, without the characters that XML forbids. */
export function escaped(text: string): string {
  return text
    .replace(forbidden, '')
    .replace(/[&<>"]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&quot;')
}

/** What is wrong with a YAML text, from the error of its reader. The reader uses the stack for each level of nesting. */
export function yamlFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (/call stack/i.test(message)) return 'it is nested too deeply'
  if (/excessive alias/i.test(message)) return 'its aliases would make it too large'
  const [line = message] = message.split('\n', 1)
  // A picture of the place follows the colon.
  return line.replace(/( at line \d+, column \d+)?:$/, '$1')
}

/** How many known words a hint lists. */
const mostListed = 40

/** The question that ends a message about a wrong word. */
export function suggestion(meant: string): string {
  return `did you mean ${meant}?`
}

/** The same for the nearest known word; undefined when no known word is near. `written` gives the form in which to show it. */
export function nearSuggestion(
  word: string,
  known: readonly string[],
  written: (near: string) => string = near => near,
): string | undefined {
  const near = nearest(word, known)
  return near === undefined ? undefined : suggestion(written(near))
}

/**
 * The hint for an unknown word: the nearest known word, else all known words when they are few, else undefined.
 * `listed` are the words to list when there are too many known words to read.
 */
export function didYouMean(
  word: string,
  known: readonly string[],
  listed: readonly string[] = known,
): string | undefined {
  const near = nearSuggestion(word, known)
  if (near !== undefined) return near
  return listed.length > 0 && listed.length <= mostListed ? `known are ${listed.join(', ')}` : undefined
}

/** The known words that may be meant by `word`, nearest first. */
export function nearestOf(word: string, known: readonly string[]): string[] {
  return known
    .map(candidate => ({ candidate, far: distance(word, candidate) }))
    .filter(({ candidate, far }) => isNear(far, word, candidate))
    .sort((one, other) => one.far - other.far)
    .map(({ candidate }) => candidate)
}

/** The known word that is most likely meant by `word`; undefined when none is near. */
function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const candidate = closest(word, known)
  return isNear(distance(word, candidate), word, candidate) ? candidate : undefined
}

/** Whether one word may be meant by another that differs from it in so many letters: at most half of them, or two, and never all. */
function isNear(far: number, word: string, candidate: string): boolean {
  const most = Math.max(2, Math.floor(candidate.length / 2))
  return far <= most && far < Math.max(word.length, candidate.length)
}
