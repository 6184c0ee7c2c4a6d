import { ScenarioError, type Steps } from './scenario-error.ts'

/** The most values in a document. Values behind an alias count at each use. */
const mostValues = 100_000
const deepest = 64

/**
 * Refuses a document that contains itself, is nested too deeply, or gets too large when its aliases are written out, since it could
 * not be sent as JSON. Throws ScenarioError.
 */
export function checkSize(value: unknown): void {
  if (sizeOf(value, { steps: [], above: new Set(), known: new Map() }) > mostValues)
    throw new ScenarioError(`holds more than ${mostValues} values, aliases written out`, { steps: [] })
}

interface Walk {
  steps: Steps
  above: ReadonlySet<object>
  /** Known sizes of parts, since aliases may use a part many times. */
  known: Map<object, number>
}

function sizeOf(value: unknown, { steps, above, known }: Walk): number {
  if (typeof value !== 'object' || value === null) return 1
  if (above.has(value))
    throw new ScenarioError('contains itself', { steps, hint: 'write the value out in place of its alias' })
  if (above.size >= deepest) throw new ScenarioError(`is nested deeper than ${deepest} levels`, { steps })
  const size = known.get(value)
  if (size !== undefined) return size
  const below = new Set([...above, value])
  let sum = 1
  for (const [key, entry] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(key) : key
    sum += sizeOf(entry, { steps: [...steps, step], above: below, known })
  }
  known.set(value, sum)
  return sum
}
