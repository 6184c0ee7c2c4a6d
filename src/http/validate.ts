import type { Ajv, AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv'
import { didYouMean } from '../wording/did-you-mean.ts'
import type { Schema } from './endpoint.ts'
import { ApiError, invalid, missing, oneOf, shown } from './errors.ts'

const compiled = new WeakMap<Schema, ValidateFunction>()
let ajv: Ajv | undefined
let loading: Promise<void> | undefined

/** Loads ajv when something is first to be checked; undefined once it is there, so that nobody waits for nothing. */
export function prepareChecks(): Promise<void> | undefined {
  if (ajv) return undefined
  loading ??= import('./ajv.ts').then(({ makeAjv }) => {
    ajv = makeAjv()
  })
  return loading
}

/** Throws the first thing wrong with a request's body or query, naming the parameter, the value and what is allowed. */
export function checkShape(schema: Schema, value: unknown): void {
  const validate = validatorOf(schema)
  if (validate(value)) return
  const error = tellingError(validate.errors ?? [])
  throw error ? apiErrorOf(error) : new ApiError('invalid_parameter')
}

/** Of alternatives that all fail, the one that takes the value's type is what the caller meant: `[]` is an empty list, not a bad text. */
function tellingError(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const [first] = errors
  const all = errors.at(-1)
  if (first === undefined || all?.keyword !== 'anyOf') return first
  const branchOf = ({ schemaPath }: ErrorObject) => schemaPath.slice(all.schemaPath.length).split('/')[1]
  const misses = errors.filter(
    ({ keyword, instancePath }) => keyword === 'type' && instancePath === all.instancePath,
  )
  const missed = misses.map(branchOf)
  const meant = errors.find(error => error !== all && !missed.includes(branchOf(error)))
  return meant ?? { ...first, params: { type: misses.flatMap(({ params }) => params.type) } }
}

/** What is wrong with a reply of ours, for tests and `--strict`; undefined when it fits its schema. */
export function misfit(schema: Schema, value: unknown): string | undefined {
  const validate = validatorOf(schema)
  if (validate(value)) return undefined
  const [error] = validate.errors ?? []
  return `${error?.instancePath || '/'} ${error?.message} (is ${shown(error?.data)})`
}

/** Compiled when first needed: compiling every schema at start would cost more than the rest of the start. */
function validatorOf(schema: Schema): ValidateFunction {
  const known = compiled.get(schema)
  if (known) return known
  if (!ajv) throw new Error('prepareChecks() must have been awaited')
  const validate = ajv.compile(schema as AnySchemaObject)
  compiled.set(schema, validate)
  return validate
}

function apiErrorOf(error: ErrorObject): ApiError {
  const param = paramOf(error.instancePath)
  if (error.keyword === 'required') return missing(join(param, String(error.params.missingProperty)))
  if (error.keyword === 'additionalProperties') return unknownKey(param, error)
  return invalid(param || 'body', reasonOf(error))
}

function unknownKey(param: string, error: ErrorObject): ApiError {
  const name = String(error.params.additionalProperty)
  const known = knownKeys(error)
  const hint = didYouMean(name, known)
  return new ApiError('invalid_parameter', {
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

function reasonOf(error: ErrorObject): string {
  const { keyword, params, data, message } = error
  const value = shown(data)
  switch (keyword) {
    case 'type':
      return `${value} is not of type ${[params.type].flat().join(' or ')}`
    case 'enum':
      return `${value} is not allowed, ${oneOf(params.allowedValues)}`
    case 'const':
      return `${value} is not allowed, must be ${shown(params.allowedValue)}`
    case 'minimum':
      return `${value} is too small, must be greater than or equal to ${params.limit}`
    case 'maximum':
      return `${value} is too large, must be less than or equal to ${params.limit}`
    case 'minLength':
      return 'must not be empty'
    case 'minItems':
      return `must have at least ${params.limit} item${params.limit === 1 ? '' : 's'}`
    case 'maxItems':
      return `must have at most ${params.limit} items`
    case 'minProperties':
      return `${value} is empty, needed is ${knownKeys(error).join(' or ')}`
    case 'maxProperties':
      return `${value} has too much, only ${params.limit} of ${knownKeys(error).join(', ')} is allowed`
    default:
      return `${value} ${message}`
  }
}
