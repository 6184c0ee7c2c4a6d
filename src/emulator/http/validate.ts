import { createRequire } from 'node:module'
import type { Ajv, AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv'
import type { JSONSchema } from 'json-schema-to-ts'
import { FaultError, invalid, missing } from '../faults/fault-error.ts'
import { didYouMean } from '../wording/did-you-mean.ts'
import { shown } from '../wording/shown.ts'
import { allowedBy, type SchemaFacts } from './allowed.ts'
import { isSurelyValid, schemaMarks } from './surely-valid.ts'

export type Schema = Exclude<JSONSchema, boolean>

/** By parameter, the values that a request may have; null where it may have none. */
export type AllowedValues = Readonly<Record<string, readonly unknown[] | null>>

const require = createRequire(import.meta.url)
/** By schema: ajv needs milliseconds to compile one, and the schemas follow from the code alone. */
const compiled = new WeakMap<Schema, ValidateFunction>()
let ajv: Ajv | undefined

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
  const error = tellingError(validate.errors ?? [])
  return error ? apiErrorOf(error, allows?.() ?? {}) : new FaultError('invalid_parameter')
}

/** When all alternatives fail, reports the one with the value's type: for `[]` "an empty array" helps more than "not a string". */
function tellingError(errors: readonly ErrorObject[]): ErrorObject | undefined {
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

/** Compiled at first use, since few programs get an error for each schema. */
function validatorOf(schema: Schema): ValidateFunction {
  const known = compiled.get(schema)
  if (known) return known
  ajv ??= makeAjv()
  const validate = ajv.compile(schema as AnySchemaObject)
  compiled.set(schema, validate)
  return validate
}

/**
 * Reads the package of ajv, which takes longer than to answer a request. Tests check our schemas against the meta-schema. Here that
 * check, and tidying the code of a validator, would take most of the time.
 */
function makeAjv(): Ajv {
  const { Ajv }: typeof import('ajv') = require('ajv')
  const addFormats: (target: Ajv) => void = require('ajv-formats')
  const made = new Ajv({
    verbose: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allowUnionTypes: true,
    meta: false,
    validateSchema: false,
    code: { optimize: false },
    keywords: [...schemaMarks],
  })
  addFormats(made)
  return made
}

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
      return `${value} is empty, must have ${knownKeys(error).join(' or ')}`
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
