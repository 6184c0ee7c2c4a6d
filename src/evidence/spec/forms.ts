import { at, isObject, readLeftOut } from './json.ts'

/** What a request may refer to: model identifiers, a picture, and samples that the gateway can fetch. */
export interface Inputs {
  /** The identifier to send for one of the specification's placeholders. */
  model(placeholder: string): string
  /** A picture, about 1280×720. */
  picture: string
  /** The address of a sample file; undefined when the gateway cannot fetch samples. */
  sample(name: string): string | undefined
}

/** What a value must be like. Its examples make the replies that confirm and contradict a row, and the requests that must be refused. */
export interface Form {
  /** `an integer`, `one of mp4, mov`: what comes after "must be". */
  called: string
  has(value: unknown): boolean
  good: unknown
  /** Values that do not have the form; a function gets what a request may refer to. */
  bad: readonly (unknown | ((inputs: Inputs) => unknown))[]
  /** Values that show nothing: the default of a field of another type, a page that is not full. */
  isSilent?(value: unknown): boolean
  /** What several values show together, each with the values that show it; absent when one value shows everything. */
  parts?: Parts
  /** The values of a list. A field shows each of them; requests show that each is accepted, and that another one is not. */
  values?: readonly unknown[]
}

/** The two ends of a range: the wrong values beside them. */
export type Parts = Readonly<Record<string, (value: unknown) => boolean>>

function form(called: string, has: Form['has'], good: unknown, ...bad: Form['bad']): Form {
  return { called, has, good, bad }
}

function pattern(called: string, expression: RegExp, good: string, ...bad: Form['bad']): Form {
  return form(called, value => typeof value === 'string' && expression.test(value), good, ...bad)
}

export const text = form('a string', value => typeof value === 'string', 'a word', 7)
export const notEmpty = pattern('a string that is not empty', /\S/, 'a word', '')
export const whole = form('an integer', Number.isInteger, 24, '24', 23.976)
export const number = form('a number', value => typeof value === 'number', 4.5, '4.5')
export const flag = form('true or false', value => typeof value === 'boolean', true, 'true')
export const list = form('an array', Array.isArray, [], 'one')
export const notNone = form(
  'an array with items',
  value => Array.isArray(value) && value.length > 0,
  [{}],
  undefined,
  [],
)
export const object = form('an object', isObject, {}, 'one')
export const ratio = pattern('of the form W:H', /^[1-9]\d*:[1-9]\d*$/, '16:9', '21x9', '16/9')
export const size = pattern('of the form WxH', /^[1-9]\d*x[1-9]\d*$/, '1024x1024', '1024*1024', '1024')
export const moment = pattern(
  'of the form YYYY-MM-DD HH:MM:SS.mmm',
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/,
  '2026-03-01 08:00:00.000',
  '2026-03-01T08:00:00.000Z',
)
export const decimal = pattern('a number in a string', /^\d+(?:\.\d+)?$/, '5.042', 5, 'five')
export const link = pattern('a link', /^https?:\/\/\S+$/, 'https://files.example/video.mp4', '/video.mp4')
/** A recording leaves out codes whose words it does not know, and base64 that is no file. */
const isLeftOut = (value: unknown) => readLeftOut(value) !== undefined
/** Codes that the upstream chooses. Another type or an absent code is the matter of other rows. */
const codes = (called: string, expression: RegExp, good: string, bad: string): Form => ({
  ...pattern(called, expression, good, bad),
  isSilent: value => typeof value !== 'string' || value === '' || isLeftOut(value),
})
export const words = codes(
  'words in capitals',
  /^[A-Z][A-Za-z0-9]*(?:\.[A-Z][A-Za-z0-9]*)*$/,
  'InternalError',
  'internal_error',
)
export const digits = codes('digits', /^\d+$/, '1027', 'Internal')
export const base64: Form = {
  ...form(
    'base64',
    // A recording keeps a description of the file.
    value => (isObject(value) ? at(value, 'form') === 'base64' : /^[\w+/]{40,}={0,2}$/.test(String(value))),
    'iVBORw0KGgo'.repeat(8),
    'https://files.example/picture.png',
  ),
  isSilent: isLeftOut,
}
export const fourWhole = form(
  'an array of four integers',
  value => Array.isArray(value) && value.length === 4 && value.every(Number.isInteger),
  [0, 0, 10, 10],
  [0, 0, 10],
  [0, 0, 10, 9.5],
)
/** A field that is there, also as null. */
export const present = form('there', value => value !== undefined, 'x', undefined)
export const required = form('given', value => value !== undefined && value !== null, 'x', undefined)

export function oneOf(...values: readonly [unknown, ...unknown[]]): Form {
  return {
    ...form(`one of ${values.join(', ')}`, value => values.includes(value), values[0], 'lost'),
    values,
  }
}

export function listed(rule: Form, ...values: readonly unknown[]): Form {
  return { ...rule, values }
}

/** Exactly one value; `bad` is one that it must not have. */
export function only(value: unknown, bad: unknown): Form {
  return form(String(JSON.stringify(value)), found => found === value, value, bad)
}

/** The value of a field when nothing was asked for. A field that is absent or of another type says nothing about it. */
export function byDefault(value: unknown, bad: unknown): Form {
  return { ...only(value, bad), isSilent: found => typeof found !== typeof value }
}

/** A form that other values than the right one contradict, and that no value confirms. */
export function neverShown(rule: Form): Form {
  return { ...rule, parts: {} }
}

/** A form with the parts that several values show together. */
export function inParts(rule: Form, parts: Parts): Form {
  return { ...rule, parts }
}

/** An integer within limits, or one of some other values. */
export function between(min: number, max: number, ...others: readonly unknown[]): Form {
  const has = (value: unknown) =>
    others.includes(value) || (Number.isInteger(value) && Number(value) >= min && Number(value) <= max)
  const or = others.map(value => ` or ${value}`).join('')
  const range = form(`an integer from ${min} to ${max}${or}`, has, min, min - 1, max + 1, min + 0.5)
  return inParts(range, {
    below: value => value === min - 1,
    above: value => value === max + 1,
    fraction: value => typeof value === 'number' && !Number.isInteger(value),
  })
}

export function never(...bad: Form['bad']): Form {
  return form('left out', value => value === undefined, undefined, ...bad)
}

export function such(called: string, has: Form['has'], good: unknown, ...bad: Form['bad']): Form {
  return form(called, has, good, ...bad)
}
