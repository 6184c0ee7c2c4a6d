import { at, isObject, readLeftOut, Words } from '../../spec/json.ts'
import { isMediaDescription } from '../describe-media.ts'
import { endpointOf } from '../operation.ts'
import { isTaskList } from '../read/list-rows.ts'
import { idOf, type Step } from '../read/steps.ts'
import { hasIdForm } from '../redact/pseudonyms.ts'
import { counterpart } from '../replay/replay.ts'
import type { Add, Aspect } from './check.ts'

export interface Comparing {
  step: Step
  /** The emulator's ids by the recorded ones. */
  known: ReadonlyMap<string, string>
  /** True for a number or a shape that depends on inputs which the recorder could not see, or on a random choice. */
  isOpen(path: string): boolean
  /** True for a field whose presence depends on the request, when the request is not known. */
  isOptional(path: string): boolean
  /** True for a list whose rows may differ. */
  isLoose(path: string): boolean
  add: Add
}

/** Compares a recorded JSON value with the emulator's: presence, types, words, forms and numbers. Wording, ids and moments are not compared. */
export function compareJson(recorded: unknown, own: unknown, how: Comparing, path = ''): void {
  const key = path.replace(/\[\]$/, '').split('.').at(-1) ?? ''
  const add: AddHere = (aspect, isAlike, sides = [recorded, own]) =>
    how.add([aspect, 'body', path], sides, isAlike)
  // The recording has a description in place of a file inside a text.
  if (isMediaDescription(recorded)) {
    add('type', typeof own === 'string', inWords('a file in a string', typeOf(own)))
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
    add('null', false, inWords(...types))
    return
  }
  if (!isSameType(types, how, path)) {
    add('type', false, inWords(...types))
    return
  }
  add('type', true, inWords(...types))
  if (Array.isArray(recorded) && Array.isArray(own)) compareLists(recorded, own, how, path)
  else if (isObject(recorded) && isObject(own)) {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(own)]))
      compareJson(recorded[name], own[name], how, path === '' ? name : `${path}.${name}`)
  } else compareValues(recorded, own, { how, path, key, add })
}

type AddHere = (aspect: Aspect, isAlike: boolean, sides?: [unknown, unknown]) => void

function compareValues(
  recorded: unknown,
  own: unknown,
  { how, path, key, add }: { how: Comparing; path: string; key: string; add: AddHere },
): void {
  // K: this is the only message that the contract fixes.
  const valueClass = own === 'SUCCEED' ? 'value' : classOf(key, own)
  if (valueClass === 'text' || valueClass === 'drawn') return
  // A text of the same length that was left out may be the same, unless the recorder keeps the form of an id.
  const isLost = typeof own === 'string' && readLeftOut(recorded)?.length === [...own].length
  if (isLost && (valueClass === 'value' || !hasIdForm(own))) return
  if (valueClass === 'value') {
    if (!how.isOpen(path)) add('value', isSameValue(recorded, own))
    else if (typeof own === 'string') add('format', valueForm(recorded) === valueForm(own))
    return
  }
  // An id that an earlier reply gave must appear again.
  if (valueClass === 'id' && typeof recorded === 'string' && how.known.has(recorded))
    add('value', how.known.get(recorded) === own)
  add('format', formOf(recorded) === formOf(own), inWords(formOf(recorded), formOf(own)))
}

function inWords(recorded: string, own: string): [Words, Words] {
  return [new Words(recorded), new Words(own)]
}

/** `16:9` and `4:3` have the same form, and so have `1280x720` and `100x100`. The form of a word is the word. */
function valueForm(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\d+/g, '9') : typeOf(value)
}

/** Lengths may differ because of rounding. */
function isSameValue(recorded: unknown, own: unknown): boolean {
  if (typeof recorded === 'number' && typeof own === 'number' && !Number.isInteger(own))
    return Math.abs(recorded - own) <= 0.011
  return recorded === own
}

/** A whole number is allowed where fractions are allowed. */
function isSameType([recorded, own]: [string, string], how: Comparing, path: string): boolean {
  if (recorded === own) return true
  return recorded === 'integer'
    ? own === 'number'
    : own === 'integer' && recorded === 'number' && isFraction(path, how)
}

/** Whether the schema of the reply allows fractions at a place. */
function isFraction(path: string, { step }: Comparing): boolean {
  const schema = path.split(/\.|(?=\[\])/).reduce<unknown>((outer, name) => {
    return name === '[]' ? at(outer, 'items') : at(outer, 'properties', name)
  }, endpointOf(step.operation)?.replies[200])
  return at(schema, 'type') === 'number'
}

function compareLists(recorded: unknown[], own: unknown[], how: Comparing, path: string): void {
  const isLoose = how.isLoose(path)
  if (!isLoose) how.add(['count', 'body', path], [recorded.length, own.length])
  // Lists of tasks have the newest first; the order of others is part of the reply.
  const ids = own.flatMap(item => idOf(item) ?? [])
  const order = recorded.map(item => ids.indexOf(how.known.get(idOf(item) ?? '') ?? ''))
  if (!isLoose && !isTaskList(how.step) && order.length > 1 && !order.includes(-1))
    how.add(['order', 'body', path], [`${order}`, `${order.map((_, place) => place)}`])
  recorded.forEach((item, index) => {
    // A base image alone does not show which fields layers have.
    if (isLoose && index > 0 && own.length === 1) return
    const place = isLoose ? Math.min(index, own.length - 1) : index
    const other = counterpart(item, place, own, how.known)
    // Of two rows of different tasks nothing but the tasks is compared.
    if (other === undefined && !isLoose && recorded.length === own.length && isObject(item))
      how.add(['value', 'body', `${path}[].id`], [idOf(item), new Words('the id of another task')])
    if (other !== undefined) compareJson(item, other, how, `${path}[]`)
  })
}

/** Keys of texts that differ from run to run, or that a person or a model wrote: they are not compared. */
const freeTexts =
  /^(?:(?:\w+_)?(?:message|msg|prompt|text|name|description|caption|title)|external_task_id|external_id|safety_identifier|region)$/
const drawnNumbers = /^(?:seed)$/
const moments =
  /^(?:created|created_at|updated_at|create_time|update_time|gmt_create|submit_time|scheduled_time|start_time|end_time)$/
const ids = /(?:^|_)(?:id|ids|uid|by|key)$/

type ValueClass = 'text' | 'drawn' | 'moment' | 'id' | 'link' | 'value'

function classOf(key: string, value: unknown): ValueClass {
  if (typeof value === 'string' && /^https?:\/\//.test(value)) return 'link'
  if (moments.test(key)) return 'moment'
  if (ids.test(key)) return 'id'
  if (freeTexts.test(key)) return 'text'
  return drawnNumbers.test(key) ? 'drawn' : 'value'
}

/** The JSON type in the words of JSON Schema. */
export function typeOf(value: unknown): string {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value
}

const forms: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'empty'],
  [/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'a UUID'],
  [/^cgt-\d{14}-[a-z0-9]{5}$/, 'cgt-YYYYMMDDHHMMSS-xxxxx'],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/, 'YYYY-MM-DD HH:MM:SS.mmm'],
  [/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/, 'ISO 8601'],
  [/^02\d{13}[0-9a-f]{30,40}$/, '02, milliseconds and hex digits'],
  [/^02\d{10}[0-9a-f]{15,25}$/, '02, seconds and hex digits'],
  [/^\d{15}$/, '15 digits'],
  [/^\d{18,19}$/, '18 or 19 digits'],
  [/^\d+$/, 'digits'],
  [/^[0-9a-f]{24,}$/i, 'hex digits'],
]

/** The form of an id, a moment or a link, where it is fixed. */
export function formOf(value: unknown): string {
  if (typeof value === 'number')
    return value > 1e11 ? 'milliseconds' : value > 1e8 ? 'seconds' : 'a small number'
  if (typeof value !== 'string') return typeOf(value)
  if (/^https?:\/\//.test(value)) return linkForm(value)
  return forms.find(([pattern]) => pattern.test(value))?.[1] ?? 'a text'
}

function linkForm(value: string): string {
  const ending = /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(value)?.[1]?.toLowerCase()
  return `a link${ending === undefined ? '' : ` to ${ending === 'jpg' ? 'jpeg' : ending}`}`
}
