import { createRequire } from 'node:module'
import type { Ajv, AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv'
import type { JSONSchema } from 'json-schema-to-ts'
import { FaultError, invalid, missing } from '../faults/fault.ts'
import { didYouMean, shown } from '../wording/shown.ts'
import { isRecord } from '../worlds/record-values.ts'

type Test = (value: unknown) => boolean

/** By schema. */
const tests = new WeakMap<object, Test>()

/**
 * Whether a value has the shape for certain. False says nothing: then ajv decides, and names the error. Most requests are right, and
 * loading ajv and compiling a first schema takes half of the time of the first reply.
 */
export function isSurelyValid(schema: object, value: unknown): boolean {
  let test = tests.get(schema)
  if (!test) {
    test = testOf(schema)
    tests.set(schema, test)
  }
  return test(value)
}

/** All keywords of a schema in one test. With a keyword that is not in the table, no value is valid for certain. */
function testOf(schema: unknown): Test {
  if (!isRecord(schema)) return never
  const parts = Object.entries(schema)
    .filter(([keyword]) => !annotations.has(keyword))
    .map(([keyword, given]) => keywords.get(keyword)?.(given as never, schema) ?? never)
  const [first = always] = parts
  return parts.length < 2 ? first : value => passesAll(parts, value)
}

const never: Test = () => false
const always: Test = () => true

function passesAll(parts: readonly Test[], value: unknown): boolean {
  for (const test of parts) if (!test(value)) return false
  return true
}

/**
 * What schemas tell readers beside the rules of JSON Schema. `x-values`: the values of a field whose other values are refused later, with a
 * message of the family. `x-models`: the models of an operation by their neutral ids. `x-refused`: the service refuses the field.
 */
const schemaMarks = ['x-values', 'x-models', 'x-refused'] as const

const annotations = new Set<string>(['title', 'description', 'default', 'examples', ...schemaMarks])

const types = new Map<string, Test>([
  ['string', isText],
  ['number', isNumber],
  ['integer', Number.isInteger],
  ['boolean', value => typeof value === 'boolean'],
  ['null', value => value === null],
  ['array', Array.isArray],
  ['object', isRecord],
])

/** The test of each keyword of JSON Schema. A keyword for one type lets values of other types pass. */
const keywords = new Map<string, (given: never, schema: JsonObject) => Test>(
  Object.entries({
    type: (given: string | readonly string[]) =>
      typeof given === 'string' ? (types.get(given) ?? never) : someOf(given.map(type => ({ type }))),
    // An object or array is not found in the list, since it is equal to itself only.
    enum: (given: readonly unknown[]) => value => given.includes(value),
    const: (given: unknown) => value => value === given,
    anyOf: (given: readonly unknown[]) => someOf(given),
    minimum: (least: number) => when(isNumber, value => value >= least),
    maximum: (most: number) => when(isNumber, value => value <= most),
    // In UTF-16 units, of which a character has one or two: ajv counts characters.
    minLength: (least: number) => when(isText, value => value.length >= 2 * least - 1),
    maxLength: (most: number) => when(isText, value => value.length <= most),
    pattern(given: string) {
      const pattern = new RegExp(given, 'u')
      return when(isText, value => pattern.test(value))
    },
    minItems: (least: number) => when(Array.isArray, value => value.length >= least),
    maxItems: (most: number) => when(Array.isArray, value => value.length <= most),
    items(given: unknown) {
      const test = testOf(given)
      return when(Array.isArray, value => value.every(test))
    },
    minProperties: (least: number) => when(isRecord, value => Object.keys(value).length >= least),
    maxProperties: (most: number) => when(isRecord, value => Object.keys(value).length <= most),
    required: (names: readonly string[]) =>
      when(isRecord, value => names.every(name => value[name] !== undefined)),
    properties(given: JsonObject) {
      const parts = Object.entries(given).map(([name, schema]) => ({ name, test: testOf(schema) }))
      return when(isRecord, value => {
        for (const { name, test } of parts) {
          const part = value[name]
          if (part !== undefined && !test(part)) return false
        }
        return true
      })
    },
    additionalProperties(given: unknown, { properties = {} }: JsonObject) {
      const test = testOf(given)
      const isNamed = (name: string) => Object.hasOwn(properties as object, name)
      return when(isRecord, value =>
        Object.entries(value).every(([name, part]) => isNamed(name) || test(part)),
      )
    },
  }),
)

type JsonObject = Readonly<Record<string, unknown>>

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

/** A test of values of one type, which lets other values pass. */
function when<T>(isOfType: (value: unknown) => value is T, test: (value: T) => boolean): Test {
  return value => !isOfType(value) || test(value)
}

function someOf(schemas: readonly unknown[]): Test {
  const alternatives = schemas.map(testOf)
  return value => alternatives.some(test => test(value))
}

/** The part of a schema that messages use. */
export interface SchemaFacts {
  type?: string | readonly string[]
  anyOf?: readonly SchemaFacts[]
  enum?: readonly unknown[]
  const?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  description?: string
}

const words: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

/** What a schema allows, in words that follow "must be" in a message: `an integer from 3 to 15`, `one of mp4, mov`. */
export function allowedBy(schema: SchemaFacts): string {
  if (schema.enum) return `one of ${schema.enum.map(plain).join(', ')}`
  if (schema.const !== undefined) return plain(schema.const)
  if (schema.anyOf) return schema.anyOf.map(allowedBy).join(' or ')
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return schema.description ?? 'another value'
  return types.map(type => allowedType(type, schema)).join(' or ')
}

function plain(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : shown(value)
}

function allowedType(type: string, schema: SchemaFacts): string {
  switch (type) {
    case 'integer':
      return `an integer${range(schema.minimum, schema.maximum, '')}`
    case 'number':
      return `a number${range(schema.minimum, schema.maximum, '')}`
    case 'string': {
      const { pattern, description } = schema
      const form = pattern === undefined ? '' : description ? ` (${description})` : ` that matches ${pattern}`
      return `a string${range(schema.minLength, schema.maxLength, ' characters')}${form}`
    }
    default:
      return words[type] ?? type
  }
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const isBounded = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER
  if (isBounded(least) && isBounded(most)) return ` from ${least} to ${most}${unit}`
  if (isBounded(least)) return unit && least <= 1 ? ' that is not empty' : ` of at least ${least}${unit}`
  return isBounded(most) ? ` of at most ${most}${unit}` : ''
}

export type Schema = Exclude<JSONSchema, boolean>

/** By parameter, the values that a request may have; null where it may have none. */
export type AllowedValues = Readonly<Record<string, readonly unknown[] | null>>

const require = createRequire(import.meta.url)

/**
 * Throws the first error in a request's body or query, with the parameter, the value and what is allowed.
 * `allows` limits the enumerations in messages to the values that the requested model takes.
 */
export function checkShape(schema: Schema, value: unknown, allows?: () => AllowedValues): void {
  const fault = shapeFault(schema, value, allows)
  if (fault) throw fault
}

/** The fault that `checkShape` would throw; undefined when the value has the shape. */
export function shapeFault(
  schema: Schema,
  value: unknown,
  allows?: () => AllowedValues,
): FaultError | undefined {
  if (isSurelyValid(schema, value)) return undefined
  const validate = validatorOf(schema)
  if (validate(value)) return undefined
  const error = mostHelpfulError(validate.errors ?? [])
  return error ? apiErrorOf(error, allows?.() ?? {}) : new FaultError('invalid_parameter')
}

/** When all alternatives fail, reports the one with the value's type: for `[]` "an empty array" helps more than "not a string". */
function mostHelpfulError(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const [first] = errors
  const all = errors.at(-1)
  if (first === undefined || all?.keyword !== 'anyOf') return first
  const branchOf = ({ schemaPath }: ErrorObject) => schemaPath.slice(all.schemaPath.length).split('/')[1]
  // An optional value may be "" (K-empty). A caller who sent something else meant the other alternative.
  const isEmptyAlternative = ({ keyword, params }: ErrorObject) =>
    keyword === 'const' && params.allowedValue === ''
  if (errors.some(isEmptyAlternative)) {
    const real = errors.filter(error => error !== all && !isEmptyAlternative(error))
    if (real[0]) return real[0]
  }
  const misses = errors.filter(
    ({ keyword, instancePath }) => keyword === 'type' && instancePath === all.instancePath,
  )
  const missed = misses.map(branchOf)
  const meant = errors.find(error => error !== all && !missed.includes(branchOf(error)))
  return meant ?? { ...all, keyword: 'type', params: { type: misses.flatMap(({ params }) => params.type) } }
}

/** What is wrong with a reply of the emulator, for tests and `--strict`; undefined when it matches its schema. */
export function misfit(schema: Schema, value: unknown): string | undefined {
  const validate = validatorOf(schema)
  if (validate(value)) return undefined
  const [error] = validate.errors ?? []
  return `${error?.instancePath || '/'} ${error?.message} (is ${shown(error?.data)})`
}

/**
 * Compiles schemas, each at its first use and once: ajv needs milliseconds for one, few programs get an error for each, and they follow
 * from the code alone. To read the package of ajv takes longer than to answer a request, so `make` does it when it must.
 */
export function compiler(make: () => Pick<Ajv, 'compile'>): (schema: object) => ValidateFunction {
  const compiled = new WeakMap<object, ValidateFunction>()
  let ajv: Pick<Ajv, 'compile'> | undefined
  return schema => {
    const known = compiled.get(schema)
    if (known) return known
    ajv ??= make()
    const validate = ajv.compile(schema as AnySchemaObject)
    compiled.set(schema, validate)
    return validate
  }
}

/** Tests check our schemas against the meta-schema. Here that check, and tidying the code of a validator, would take most of the time. */
export const schemaOptions = {
  verbose: true,
  allowUnionTypes: true,
  strictRequired: false,
  strictTypes: false,
  meta: false,
  validateSchema: false,
  code: { optimize: false },
} as const

const validatorOf = compiler(() => {
  const { Ajv }: typeof import('ajv') = require('ajv')
  const addFormats: (target: Ajv) => void = require('ajv-formats')
  const made = new Ajv({ ...schemaOptions, keywords: [...schemaMarks] })
  addFormats(made)
  return made
})

function apiErrorOf(error: ErrorObject, allows: AllowedValues): FaultError {
  const param = paramOf(error.instancePath)
  if (error.keyword === 'required') return missing(join(param, String(error.params.missingProperty)))
  if (error.keyword === 'additionalProperties') return unknownKey(param, error)
  return invalid(param || 'body', reasonOf(error, allows[param]))
}

function unknownKey(param: string, error: ErrorObject): FaultError {
  const name = String(error.params.additionalProperty)
  const known = knownKeys(error)
  const hint = didYouMean(name, known)
  return new FaultError('invalid_parameter', {
    param: join(param, name),
    reason: 'is not known here',
    ...(hint && { hint }),
  })
}

function knownKeys({ parentSchema }: ErrorObject): string[] {
  return Object.keys(parentSchema?.properties ?? {})
}

/** `/content/1/image_url/url` as callers write it: `content[1].image_url.url`. */
export function paramOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), '')
}

function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name
}

/** The description of an error, with the value and the allowed values, in our words instead of the validator's. */
export function reasonOf(error: ErrorObject, narrowed?: readonly unknown[] | null): string {
  const { keyword, params, data } = error
  const value = shown(data)
  if (narrowed === null) return `${value} is not allowed, must not be sent to this model`
  const schema = schemaOf(error)
  const allowed = allowedBy(narrowed && schema.enum ? { ...schema, enum: narrowed } : schema)
  switch (keyword) {
    case 'type':
      return `${value} is not of type ${[params.type].flat().join(' or ')}, must be ${allowed}`
    case 'minimum':
      return `${value} is too small, must be greater than or equal to ${params.limit}`
    case 'maximum':
      return `${value} is too large, must be less than or equal to ${params.limit}`
    case 'minLength':
      return data === '' ? `"" must not be empty` : `${value} is too short, must be ${allowed}`
    case 'maxLength':
      return `${value} has ${[...String(data)].length} characters, must be ${allowed}`
    case 'minItems':
      return `must have at least ${params.limit} item${params.limit === 1 ? '' : 's'}, and there are ${lengthOf(data)}`
    case 'maxItems':
      return `must have at most ${params.limit} items, and there are ${lengthOf(data)}`
    case 'minProperties':
      return `${value} is empty, must have ${knownKeys(error).join(' or ') || 'an entry'}`
    case 'maxProperties':
      return `${value} must have only ${params.limit} of ${knownKeys(error).join(', ')}`
    default:
      return `${value} is not allowed, must be ${allowed}`
  }
}

function lengthOf(data: unknown): number {
  return Array.isArray(data) ? data.length : 0
}

/** The schema object that holds the keyword that failed. */
function schemaOf({ parentSchema }: ErrorObject): SchemaFacts {
  return (parentSchema ?? {}) as SchemaFacts
}
