import { createRequire } from 'node:module'
import type { AnySchemaObject, ErrorObject } from 'ajv'
import { allowedBy, compiler, reasonOf, type SchemaFacts, schemaOptions } from '../http/validate.ts'
import { didYouMean, shown } from '../wording/shown.ts'
import { deepestJson, mostJsonValues } from '../worlds/json-depth.ts'
import { ScenarioError, type Steps } from './scenario-error.ts'

const require = createRequire(import.meta.url)

/** Checks a value of the scenario language against its schema. Throws ScenarioError for the first error, with the nearest valid word. */
export function checkShape<T>(schema: object, value: unknown): T {
  const validate = validatorOf(schema)
  if (validate(value)) return value as T
  // A wrong word also fails the schema rules that refer to it; the errors of those rules do not help the reader.
  const errors = (validate.errors ?? []).filter(
    ({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames',
  )
  const [first] = errors.sort((a, b) => rank(a) - rank(b))
  if (first) throw errorOf(first)
  throw new ScenarioError('does not have the shape of a scenario', { steps: [] })
}

/** Unknown keys first: they often cause the other errors. */
function rank({ keyword }: ErrorObject): number {
  return ['additionalProperties', 'enum', 'dependentRequired'].includes(keyword)
    ? 0
    : keyword === 'oneOf'
      ? 1
      : 2
}

/** Most runs only use shipped scenarios, which a test has checked, and compile none. */
const validatorOf = compiler(() => {
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js')
  return new Ajv2020({ ...schemaOptions, allErrors: true })
})

function errorOf(error: ErrorObject): ScenarioError {
  const steps = stepsOf(error)
  const { keyword, params, data, parentSchema: schema } = error
  const misfit = (message: string) => {
    const hint = hintOf(schema)
    const isSaid = hint !== undefined && message.includes(hint.replace(/^expected: /, ''))
    return new ScenarioError(message, { steps, hint: isSaid ? undefined : hint })
  }
  switch (keyword) {
    case 'additionalProperties': {
      const key = String(params.additionalProperty)
      const known = Object.keys(schema?.properties ?? {})
      return unknownWord(`the key ${shown(key)} is not known here`, {
        word: key,
        known,
        steps: [...steps, key],
      })
    }
    case 'enum': {
      const known: string[] = params.allowedValues
      return unknownWord(`${shown(data)} is not known here`, { word: String(data), known, steps })
    }
    case 'required': {
      const key = String(params.missingProperty)
      const hint = hintOf(schema?.properties?.[key])
      return new ScenarioError(`the key ${shown(key)} is missing`, { steps: [...steps, key], hint })
    }
    case 'dependentRequired': {
      const { property, missingProperty } = params
      const hint = `write ${missingProperty} too, or leave ${property} out`
      return new ScenarioError(`${property} goes only with ${missingProperty}`, {
        steps: [...steps, property],
        hint,
      })
    }
    case 'oneOf':
      return new ScenarioError('must have exactly one of fault, status and proxy_page', {
        steps,
        hint: 'write fault: rate_limited or another fault, status: 503 for a raw reply, or proxy_page: 502',
      })
    case 'type': {
      // YAML reads nothing as null.
      const found = data === null ? 'nothing is written here' : `${shown(data)} is not allowed`
      const keys: readonly string[] = schema?.required ?? []
      const allowed = `${allowedBy((schema ?? {}) as SchemaFacts)}${keys.length > 0 ? ` with ${keys.join(' and ')}` : ''}`
      return misfit(`${found}, must be ${allowed}`)
    }
    default:
      return misfit(reasonOf(error))
  }
}

function unknownWord(
  message: string,
  { word, known, steps }: { word: string; known: string[]; steps: Steps },
): ScenarioError {
  return new ScenarioError(message, { steps, hint: didYouMean(word, known) })
}

function hintOf(schema: AnySchemaObject | undefined): string | undefined {
  const description = schema?.description
  if (typeof description !== 'string') return undefined
  return `expected: ${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/, '')}`
}

/** `/rules/0/when/body/~1a` as steps; a number is an index. The name of a wrong key is the last step. */
function stepsOf({ instancePath, propertyName }: ErrorObject): (string | number)[] {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map(part => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))
  return propertyName === undefined ? steps : [...steps, propertyName]
}

/**
 * Refuses a document that contains itself, is nested too deeply, or gets too large when its aliases are written out, since it could
 * not be sent as JSON. Throws ScenarioError.
 */
export function checkSize(value: unknown): void {
  if (extentOf(value, { steps: [], above: new Set(), known: new Map() }).values > mostJsonValues)
    throw tooManyValues({ steps: [] })
}

export function tooManyValues(place: ConstructorParameters<typeof ScenarioError>[1]): ScenarioError {
  return new ScenarioError(`holds more than ${mostJsonValues} values, aliases written out`, place)
}

interface Walk {
  steps: Steps
  above: ReadonlySet<object>
  /** Known extents of parts, since aliases may use a part many times. */
  known: Map<object, Extent>
}

interface Extent {
  /** How many values a part holds, itself included. */
  values: number
  /** How many levels it has: 0 for a plain value. */
  levels: number
}

function extentOf(value: unknown, { steps, above, known }: Walk): Extent {
  if (typeof value !== 'object' || value === null) return { values: 1, levels: 0 }
  if (above.has(value))
    throw new ScenarioError('contains itself', { steps, hint: 'write the value out in place of its alias' })
  const seen = known.get(value)
  if (above.size + (seen?.levels ?? 1) > deepestJson)
    throw new ScenarioError(`is nested deeper than ${deepestJson} levels`, { steps })
  if (seen) return seen
  const below = new Set([...above, value])
  const extent: Extent = { values: 1, levels: 1 }
  for (const [key, entry] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(key) : key
    const part = extentOf(entry, { steps: [...steps, step], above: below, known })
    extent.values += part.values
    extent.levels = Math.max(extent.levels, part.levels + 1)
  }
  known.set(value, extent)
  return extent
}
