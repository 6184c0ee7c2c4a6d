import type { Check } from './check.ts'
import { isMediaDescription } from './describe-media.ts'
import { isObject } from './json-path.ts'
import { counterpart } from './pair-links.ts'
import type { Step } from './steps.ts'
import { classOf, formOf, typeOf } from './value-shape.ts'

/** How two replies are compared. */
export interface Comparing {
  step: Step
  /** The emulator's ids for recorded ones. */
  known: ReadonlyMap<string, string>
  /** True where a number or a resolved shape follows from inputs that the recorder could not see, or from a draw. */
  isOpen(path: string): boolean
  /** True where a field is there or not as the request asked, and the request is not known. */
  isOptional(path: string): boolean
  /** True where the rows of a list need not be the same. */
  isLoose(path: string): boolean
  checks: Check[]
}

/** Compares a recorded JSON value with the emulator's: presence, types, words, forms and numbers. Never wording, ids and moments. */
export function compareJson(recorded: unknown, own: unknown, how: Comparing, path = ''): void {
  const key = path.replace(/\[\]$/, '').split('.').at(-1) ?? ''
  const add = (
    aspect: Check['aspect'],
    isAlike: boolean,
    [left, right]: [unknown, unknown] = [recorded, own],
  ) => how.checks.push({ step: how.step, aspect, path, recorded: left, emulated: right, isAlike })
  // A file inside a text was written down as what it was.
  if (isMediaDescription(recorded)) {
    add('type', typeof own === 'string', ['string', typeOf(own)])
    return
  }
  if (recorded === undefined || own === undefined) {
    const aspect =
      recorded === undefined ? 'absent' : own === undefined && recorded === null ? 'null' : 'more'
    if (recorded !== own && !how.isOptional(path)) add(aspect, false)
    return
  }
  const types: [string, string] = [typeOf(recorded), typeOf(own)]
  if (recorded === null && own !== null) {
    add('null', false, types)
    return
  }
  if (!isSameType(types, how, path)) {
    add('type', false, types)
    return
  }
  add('type', true, types)
  if (Array.isArray(recorded) && Array.isArray(own)) compareLists(recorded, own, how, path)
  else if (isObject(recorded) && isObject(own)) {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(own)]))
      compareJson(recorded[name], own[name], how, path === '' ? name : `${path}.${name}`)
  } else compareValues(recorded, own, { how, path, key, add })
}

type Add = (aspect: Check['aspect'], isAlike: boolean, sides?: [unknown, unknown]) => void

function compareValues(
  recorded: unknown,
  own: unknown,
  { how, path, key, add }: { how: Comparing; path: string; key: string; add: Add },
): void {
  // K: the one message that is a word of the contract.
  const valueClass = own === 'SUCCEED' ? 'value' : classOf(key, own)
  if (valueClass === 'text' || valueClass === 'drawn') return
  if (valueClass === 'value') {
    if (!how.isOpen(path)) add('value', isSameValue(recorded, own))
    else if (typeof own === 'string') add('format', valueForm(recorded) === valueForm(own))
    return
  }
  // An id that was given before must come again.
  if (valueClass === 'id' && typeof recorded === 'string' && how.known.has(recorded))
    add('value', how.known.get(recorded) === own)
  add('format', formOf(recorded) === formOf(own), [formOf(recorded), formOf(own)])
}

/** `16:9` and `4:3` have one form, `1280x720` and `100x100` too; words are their own. */
function valueForm(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\d+/g, '9') : typeOf(value)
}

/** Lengths may differ by a rounding. */
function isSameValue(recorded: unknown, own: unknown): boolean {
  if (typeof recorded === 'number' && typeof own === 'number' && !Number.isInteger(own))
    return Math.abs(recorded - own) <= 0.011
  return recorded === own
}

/** A whole number where fractions are allowed is one of them. */
function isSameType([recorded, own]: [string, string], how: Comparing, path: string): boolean {
  if (recorded === own) return true
  return recorded === 'integer'
    ? own === 'number'
    : own === 'integer' && recorded === 'number' && isFraction(path, how)
}

function isFraction(path: string, { step }: Comparing): boolean {
  return step.family === 'b' && /^usage\.(?:duration|\w+_video_duration)$/.test(path)
}

function compareLists(recorded: unknown[], own: unknown[], how: Comparing, path: string): void {
  const isLoose = how.isLoose(path)
  if (!isLoose)
    how.checks.push({
      step: how.step,
      aspect: 'count',
      path,
      recorded: recorded.length,
      emulated: own.length,
      isAlike: recorded.length === own.length,
    })
  recorded.forEach((item, index) => {
    // A base image alone tells nothing of layers.
    if (isLoose && index > 0 && own.length === 1) return
    const place = isLoose ? Math.min(index, own.length - 1) : index
    const other = counterpart(item, place, own, how.known)
    if (other !== undefined) compareJson(item, other, how, `${path}[]`)
  })
}
