import { deepestJson, mostJsonValues } from '../worlds/json-depth.ts'
import { ScenarioError, type Steps } from './scenario-error.ts'

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
