import { distance } from 'fastest-levenshtein'
import { FaultError } from '../faults/fault.ts'
import { callerOf } from '../http/account.ts'
import { plainSteps, type Surface } from '../pipeline/exchange.ts'
import { suggestion } from '../wording/shown.ts'
import { requestRandom } from '../worlds/world.ts'
import { commonHeaders } from './emulated.ts'
import { families } from './index.ts'

/**
 * An unknown path: a plain JSON 404 (A-paths) with the common headers, so that a page of another origin can read it. With a key,
 * the journal of the key's world gets an entry, so that the caller can find a mistyped path.
 */
export const unknownPath: Surface<undefined> = {
  ...plainSteps,
  identify(exchange) {
    const { request, services } = exchange
    try {
      const caller = callerOf(request.headers.authorization, services.worlds)
      exchange.world = caller.world
      exchange.account = caller.account.id
      exchange.keyLabel = caller.keyLabel
    } catch {
      // An unknown path is a 404 with any key, also a wrong one (A-order).
    }
    exchange.requestId = requestRandom(exchange.world).hex(32)
  },
  handle({ path }) {
    const shown = path.slice(0, 200)
    throw new FaultError('not_found', { reason: `The path ${shown} does not exist${hintFor(shown)}` })
  },
  headers: commonHeaders,
  isJournaled: ({ request }) => request.headers.authorization !== undefined,
  refuse({ trace }, thrown) {
    if (!(thrown instanceof FaultError)) return undefined
    trace.fault = thrown.fault
    const { status, code } = wire[thrown.fault === 'not_found' ? 'not_found' : 'internal']
    return { status, body: { error: { code, message: thrown.message } } }
  },
}

const wire = {
  not_found: { status: 404, code: 'not_found' },
  internal: { status: 500, code: 'internal' },
} as const

/** The question that ends the message: which known paths, nearest to the unknown one, may be meant. */
function hintFor(path: string): string {
  const near = nearPaths(path)
  return near.length > 0 ? `; ${suggestion(near.join(' or '))}` : ''
}

/**
 * The known paths that differ from an unknown one in the fewest parts. Spec, "Endpoints": "The `/api` prefix is mandatory", family C
 * has "no `/api` prefix", and family K an optional `/v1` "where stated". So a client may have a prefix or version too many, too few or
 * wrong; also a slash twice, because its base address ends in one, and a part in capitals or misspelled.
 */
function nearPaths(path: string): string[] {
  const given = path.split('/').filter(part => part !== '' && part !== '.')
  const found = families.flatMap(family =>
    family.endpoints.flatMap(({ paths }) =>
      paths.flatMap(known => nearestSpelling(known.split('/').slice(1), given)),
    ),
  )
  const fewest = Math.min(...found.map(({ changes }) => changes))
  return [...new Set(found.filter(({ changes }) => changes === fewest).map(({ meant }) => meant))]
}

const prefixes: ReadonlySet<string> = new Set(['api', 'v1', 'v2', 'v3'])
const mostChanges = 3

/** A known path with the parameters of the given one, and how many parts differ; none when they are too different. */
function nearestSpelling(
  known: readonly string[],
  given: readonly string[],
): { meant: string; changes: number }[] {
  const longer = given.length - known.length
  const fits = (at: number, shift: number) =>
    known[at]?.startsWith(':') || known[at] === given[at + shift]?.toLowerCase()
  const shortest = Math.min(known.length, given.length)
  let start = 0
  while (start < shortest && fits(start, 0)) start++
  let end = known.length
  while (end > start && end + longer > start && fits(end - 1, longer)) end--
  const [own, other] = [known.slice(start, end), given.slice(start, end + longer)]
  const isMisspelled = longer === 0 && own.every((part, at) => distance(part, other[at] ?? '') <= 2)
  if (!isMisspelled && !own.every(part => prefixes.has(part))) return []
  const strange = isMisspelled ? 0 : other.filter(part => !prefixes.has(part)).length
  const changes = Math.max(own.length, other.length) + strange
  if (changes > mostChanges) return []
  const parts = known.map((part, at) => (part.startsWith(':') ? given[at < start ? at : at + longer] : part))
  return [{ meant: `/${parts.join('/')}`, changes }]
}
