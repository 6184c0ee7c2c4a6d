import { type Fault, FaultError } from '../faults/fault.ts'
import { ScenarioError } from '../scenarios/scenario-error.ts'
import { didYouMean, nearestOf, suggestion } from '../wording/shown.ts'
import { readMoment } from '../worlds/clock.ts'
import type { Worlds } from '../worlds/worlds.ts'

/** A refusal of the control API: `{"error":{"code","message","path?","hint?"}}`. */
export class ControlError extends Error {
  readonly status: number
  readonly code: string
  readonly detail: { path?: string; hint?: string }
  /** Methods that the path allows, for 405. */
  allow?: readonly string[]

  constructor(status: number, code: string, message: string, detail: { path?: string; hint?: string } = {}) {
    super(message)
    this.status = status
    this.code = code
    this.detail = detail
  }
}

export function notFound(what: string, detail: ControlError['detail'] = {}): ControlError {
  return new ControlError(404, 'not_found', `${what} does not exist`, detail)
}

/** Most names in the hint about a world that is not open. */
const mostNames = 5

/** The refusal of a call that reads a world that is not open. The hint has the nearest names of open worlds. */
export function noSuchWorld(id: string, { worlds }: { worlds: Pick<Worlds, 'list'> }): ControlError {
  const open = worlds.list().map(world => world.id)
  const near = nearestOf(id, open).slice(0, mostNames)
  const few = open.slice(0, mostNames).join(', ')
  const hint =
    near.length > 0
      ? suggestion(near.join(' or '))
      : `open ${open.length > mostNames ? `are ${open.length} worlds, such as` : 'are'} ${few}`
  return notFound(`The world ${id}`, { path: 'world', hint })
}

/** The refusal of a call about a task that the world does not have. The hint names other worlds with a task of this id. */
export function noSuchTask(id: string, { worlds }: { worlds: Pick<Worlds, 'list'> }): ControlError {
  const others = worlds.list().flatMap(({ id: world, state }) => (state.tasks.has(id) ? [world] : []))
  const few = others.slice(0, mostNames).join(', ')
  const hint = `a task of this id is in ${others.length === 1 ? 'the world' : `${others.length} worlds:`} ${few}`
  return notFound(`The task ${id}`, others.length > 0 ? { hint } : {})
}

export function badRequest(message: string, detail: ControlError['detail'] = {}): ControlError {
  return new ControlError(400, 'bad_request', message, detail)
}

/** The refusal of an unknown cursor. To begin again at the first page would make a client that reads all pages loop for ever. */
export function unknownCursor(cursor: unknown): ControlError {
  return badRequest(`${JSON.stringify(cursor)} is not a cursor of this list`, {
    path: 'cursor',
    hint: 'take next_cursor from the previous page; after a reset or restore, begin without a cursor',
  })
}

export function conflict(message: string): ControlError {
  return new ControlError(409, 'conflict', message)
}

/** A moment of virtual time in a body, in epoch milliseconds. Throws 400, naming the parameter, the value and the range. */
export function momentIn(value: unknown, path: string): number {
  const read = readMoment(value)
  if ('fault' in read) throw badRequest(read.fault, { path })
  return read.ms
}

/** Checks that a word is a known one. Throws 400 with the path, and the nearest known word as hint. */
export function checkKnown(
  word: string,
  known: readonly string[],
  { path, what = path }: { path: string; what?: string },
): void {
  if (known.includes(word)) return
  const hint = didYouMean(word, known)
  throw badRequest(`${JSON.stringify(word)} is not a known ${what}`, { path, ...(hint && { hint }) })
}

/** The faults of the emulated API that have another status than 400 in the control API. */
const statuses: Readonly<Partial<Record<Fault, number>>> = {
  too_large: 413,
  not_operable: 409,
  not_found: 404,
  forbidden_model: 403,
  moderated: 403,
  insufficient_balance: 403,
  rate_limited: 429,
  not_implemented: 501,
  unavailable: 503,
  internal: 500,
}

/** Faults of a request that is wrong in itself. The control API has one code for them, whoever finds the mistake. */
const wrongRequest: readonly Fault[] = [
  'invalid_parameter',
  'missing_parameter',
  'invalid_json',
  'invalid_content_type',
]

/** A thrown error as a refusal of the control API; undefined for an internal error. */
export function controlErrorOf(error: unknown): ControlError | undefined {
  if (error instanceof ControlError) return error
  if (error instanceof ScenarioError) {
    const { message, path, hint, line } = error
    const where = [...(line === undefined ? [] : [`line ${line}`]), ...(path ? [path] : [])].join(', ')
    return badRequest(where ? `${where}: ${message}` : message, detailOf(path, hint))
  }
  if (!(error instanceof FaultError)) return undefined
  const { param, hint } = error.detail
  const code = wrongRequest.includes(error.fault) ? 'bad_request' : error.fault
  return new ControlError(statuses[error.fault] ?? 400, code, error.sentence, detailOf(param, hint))
}

function detailOf(path: string | undefined, hint: string | undefined): ControlError['detail'] {
  return { ...(path && { path }), ...(hint && { hint }) }
}
