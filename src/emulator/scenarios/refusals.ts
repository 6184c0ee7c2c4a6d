import type { Operation } from './operations.ts'

/**
 * Statuses with which an operation may refuse, and the line that says so: of the specification, of the operation's `own` or of
 * one that holds for `every` request of its kind, or an assumption.
 */
export interface Refusals {
  by: 'own' | 'every' | 'assumed'
  source: string
  statuses: readonly number[]
  /** Where the specification declares a whole class, of which the emulator uses these statuses. */
  wholeClass?: '4XX' | '5XX'
}

const errors = (line: string, ...statuses: number[]): Refusals => {
  return { by: 'own', source: `Spec, "Errors": ${line}`, statuses }
}
/** An endpoint whose own line lists these statuses. */
const endpoint = (path: string, ...statuses: number[]): Refusals => {
  return { by: 'own', source: `Spec, "Endpoints": ${path}: ${statuses.join(', ')}`, statuses }
}
const assumed = (source: string, ...statuses: number[]): Refusals => ({ by: 'assumed', source, statuses })
const key: Refusals = { by: 'every', source: 'Spec, "Authentication" 3', statuses: [401] }
/** For every request that names a model. A balance that is too low gives it too. */
const right: Refusals = { by: 'every', source: 'Spec, "Authentication" 4', statuses: [403] }
const running: Refusals = { by: 'every', source: 'Spec, "Errors" 5', statuses: [501] }
const body = assumed('A-body', 413)
/** In family A only with the option `--unknown-model`; in family K also for a name in the path. */
const unknownModel = assumed('A-unknown-model', 404)
/** Limits are per account, so a query can meet one, too, although most tables list 429 for creates only. */
const limited = assumed('A-limited-queries', 429)
const notInC = assumed('C-unknown-task', 400)
const createC = errors('C: standard: 400, 401, 429 create', 400, 401, 429)
const otherC = errors('C: standard: 401 others', 401)
/** A prompt enhancement and a regeneration make tasks, so limits hold for them. */
const alsoC: Refusals = { ...createC, by: 'assumed' }
const special = errors('special: 400, 401, 403, 404, 429', 429)
const k = (...statuses: number[]): Refusals => ({
  ...errors('K: 4xx responses are declared without distinguishing status codes', ...statuses),
  wholeClass: '4XX',
})
const makesK = [k(400, 401, 403, 429), body]

/** The refusals of each operation. Where several lines have a status, the first one counts. */
export const refusals: Readonly<Record<Operation, readonly Refusals[]>> = {
  'a.create': [errors('A: 400, 401, 429 on create', 400, 401, 429), right, body, unknownModel],
  'a.get': [errors('A: 401, 404 on query', 401, 404), limited],
  'a.list': [key, limited, assumed('A-list', 400)],
  'a.delete': [key, assumed('A-delete', 404, 409)],
  'b.create': [errors('B: 400, 401, 403, 429 on create', 400, 401, 403, 429), body],
  'b.get': [errors('B: 401, 404 on query', 401, 404), limited],
  'b.list': [key, limited, assumed('B-list', 400)],
  'b.cancel': [key, assumed('B-cancel', 400)],
  'c.create': [createC, right, body],
  'c.get': [otherC, limited, notInC],
  'c.list': [otherC, limited, assumed('C-list', 400)],
  'c.delete': [otherC, assumed('C-delete', 400), notInC],
  'c.enhance': [endpoint('/v2/h3_context_ir', 400, 401), alsoC, right, body],
  'c.regenerate': [alsoC, right, body],
  'special.create': [endpoint('/special/v2/video_generation', 400, 401, 403, 404, 429), body],
  'special.get': [endpoint('/special/v2/query/video_generation', 401, 403, 404), limited],
  'special.list': [
    endpoint('/special/v2/query/video_generation', 401, 403, 404),
    limited,
    assumed('C-list', 400),
  ],
  'special.delete': [running, endpoint('DELETE /special/v2/video_generation/{task_id}', 401, 403, 404, 501)],
  'special.enhance': [endpoint('/special/v2/h3_context_ir', 400, 401, 403, 404), special, body],
  'special.regenerate': [endpoint('/special/v2/video_regeneration', 400, 401, 403, 404), special, body],
  'k.create': [...makesK, unknownModel],
  'k.avatar.create': makesK,
  'k.avatar.get': [k(401, 429), assumed('K-not-found', 400)],
  'k.voice.create': makesK,
  'k.voice.get': [k(401, 429), assumed('K-not-found', 400)],
  'k.omni.create': [...makesK, unknownModel],
  'k.motion.create': [...makesK, unknownModel],
  'k.presets.list': [k(401, 429), assumed('K-presets', 400)],
  'k.tasks.get': [k(400, 401, 429)],
  'image.generate': [
    {
      ...errors('Image: 400, 401, 403, 413, 429, 5XX', 400, 401, 403, 413, 429, 500, 503),
      wholeClass: '5XX',
    },
  ],
  'media.download': [assumed('A-downloads', 403)],
}

/** Operations whose line ends in "and other failures" (Spec, "Endpoints": images): no status contradicts it. */
const openEnded: readonly string[] = ['image.generate']

/** Whether a line, or its silence, allows an operation to refuse with a status. */
export function mayRefuse(operation: string, status: number): boolean {
  return openEnded.includes(operation) || refusalBy(operation, status) !== undefined
}

/** The first line by which an operation may refuse with a status; undefined when none does. */
export function refusalBy(operation: string, status: number): Refusals | undefined {
  return refusals[operation as Operation]?.find(({ statuses }) => statuses.includes(status))
}
