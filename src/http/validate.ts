import type { Ajv, AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv'
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

/** Of alternatives that all fail, the one of the value's own type is what the caller meant: `[]` is an empty list, not a bad text. */
function tellingError(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const [first] = errors
  const last = errors.at(-1)
  if (first === undefined || last?.keyword !== 'anyOf') return first
  const isOtherType = ({ keyword, instancePath }: ErrorObject) =>
    keyword === 'type' && instancePath === last.instancePath
  const meant = errors.find(error => error !== last && !isOtherType(error))
  if (meant) return meant
  const types = errors.flatMap(error => (isOtherType(error) ? error.params.type : []))
  return { ...first, params: { type: types } }
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
  return invalid(param || 'body', reasonOf(error))
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

function reasonOf({ keyword, params, data, message }: ErrorObject): string {
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
    default:
      return `${value} ${message}`
  }
}
