/** How many levels a request or a document may have. */
export const deepestJson = 64

/** Shorter texts cannot be nested deeply enough to be a problem, so they are not scanned. */
const harmlessLength = 512

/**
 * Whether a JSON text is nested deeper than `most` levels, 64 or more. Functions that walk a value would exhaust the stack on some
 * of these texts.
 */
export function isNestedDeeper(text: string, most: number): boolean {
  return text.length > harmlessLength && depthOf(text) > most
}

/** How deeply a JSON text is nested, without parsing it. */
function depthOf(text: string): number {
  let [depth, most] = [0, 0]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) i = endOfString(text, i)
    else if (code === 123 || code === 91) most = Math.max(most, ++depth)
    else if (code === 125 || code === 93) depth--
  }
  return most
}

/** How many values a request or a scenario may hold. Real ones hold some hundred; millions would block the server for seconds. */
export const mostJsonValues = 100_000

/** Whether a JSON text holds more than `most` values, without parsing it: a list or an object begins one, and so does a comma. */
export function holdsMoreValues(text: string, most: number): boolean {
  if (text.length <= most) return false
  let values = 0
  for (let i = 0; i < text.length && values <= most; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) i = endOfString(text, i)
    else if (code === comma || code === 123 || code === 91) values++
  }
  return values > most
}

const comma = 44
const quote = 34
const backslash = 92

/** The place of the quote that ends the string that begins at `start`. Files inside JSON are strings of millions of characters. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

/** Whether an odd number of backslashes is before a place. */
function isEscaped(text: string, place: number): boolean {
  let before = place - 1
  while (text.charCodeAt(before) === backslash) before--
  return (place - before) % 2 === 0
}

/** Whether a value is nested deeper than `most` levels. It walks no deeper than that, so that it is safe for every value. */
export function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return most === 0 || Object.values(value).some(entry => isDeeper(entry, most - 1))
}

/** Real documents have fewer levels; the reader of YAML takes some 500. */
const most = 200

/**
 * Whether a YAML or JSON text is nested too deeply to be read. The reader uses the stack for each level, and on some of these texts
 * it ends the process. Brackets in strings are counted too, so a text with 200 unbalanced ones is refused as well.
 */
export function isTooDeepYaml(text: string): boolean {
  return mostBrackets(text) > most || mostColumns(text) > most
}

/** How many brackets are open at once. */
function mostBrackets(text: string): number {
  let [open, found] = [0, 0]
  for (const [sign] of text.matchAll(/[[\]{}]/g)) {
    open = sign === '[' || sign === '{' ? open + 1 : Math.max(0, open - 1)
    found = Math.max(found, open)
  }
  return found
}

/** How many levels the indentation can mean: each line ends the levels that begin at its column or to the right of it. */
function mostColumns(text: string): number {
  const columns: number[] = []
  let found = 0
  for (const [line, dashes = ''] of text.matchAll(/^[ \t]*((?:[-?:][ \t]+)*)\S/gm)) {
    const last = line.length - 1
    const begins = [...dashes.matchAll(/[-?:]/g)].map(({ index }) => last - dashes.length + index)
    for (const column of [...begins, last]) {
      while ((columns.at(-1) ?? -1) >= column) columns.pop()
      columns.push(column)
    }
    found = Math.max(found, columns.length)
  }
  return found
}

/** The value of a JSON text; undefined for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
