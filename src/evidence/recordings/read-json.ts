import { deepestJson, isNestedDeeper } from '../../emulator/words.ts'

/** The text of a body, read as JSON. `too_deep` is nested so deeply that functions that walk it would exhaust the stack. */
export type ReadJson =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown }
  | { kind: 'broken' }
  | { kind: 'too_deep' }

/** The gateway's own replies have fewer than ten levels, and the emulator refuses requests of more than `deepestJson`. */
const deepest = 2 * deepestJson
const tooDeepNote = `[JSON nested deeper than ${deepest} levels`

/** Reads the text of a body. Never throws: text that is not JSON is `broken`. */
export function readJson(text: unknown): ReadJson {
  if (typeof text !== 'string' || text === '') return { kind: 'none' }
  if (text.startsWith(tooDeepNote) || isNestedDeeper(text, deepest)) return { kind: 'too_deep' }
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch {
    return { kind: 'broken' }
  }
}

/** The text that a recording keeps of a body that is `too_deep`. */
export function tooDeepText(bytes: number): string {
  return `${tooDeepNote}: ${bytes} bytes]`
}
