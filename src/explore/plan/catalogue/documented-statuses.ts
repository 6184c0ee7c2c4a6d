import type { operations } from '../../../scenarios/operations.ts'

type Operation = (typeof operations)[number]

/** The statuses with which an operation is documented to refuse, and the line of the specification. */
export interface Documented {
  statuses: readonly number[]
  source: string
}

const said = (source: string, ...statuses: number[]): Documented => ({ statuses, source })
const errors = (family: string, text: string, ...statuses: number[]) =>
  said(`Spec, "Errors": ${family}: ${text}`, ...statuses)
/** An endpoint whose own line lists these statuses. */
const endpoint = (path: string, statuses: readonly number[]) =>
  said(`Spec, "Endpoints": ${path}: ${statuses.join(', ')}`, ...statuses)

const queryA = errors('A', '401, 404 on query', 401, 404)
const keyOnly = said('Spec, "Authentication" 3', 401)
const createC = errors('C', 'standard: 400, 401, 429 create', 400, 401, 429)
const otherC = errors('C', 'standard: 401 others', 401)
const createSpecial = endpoint('/special/v2/video_generation', [400, 401, 403, 404, 429])
const makeSpecial = errors('special', '400, 401, 403, 404, 429', 400, 401, 403, 404, 429)
const querySpecial = endpoint('/special/v2/query/video_generation', [401, 403, 404])
const k = (...statuses: number[]) =>
  errors('K', '4xx responses are declared without distinguishing status codes', ...statuses)

/** The documented refusals of each operation. A download answers as an object store does (A-downloads). */
export const documentedStatuses: Readonly<Record<Operation, Documented>> = {
  'a.create': errors('A', '400, 401, 429 on create', 400, 401, 429),
  'a.get': queryA,
  'a.list': keyOnly,
  'a.delete': said('A-delete', 401, 404, 409),
  'b.create': errors('B', '400, 401, 403, 429 on create', 400, 401, 403, 429),
  'b.get': errors('B', '401, 404 on query', 401, 404),
  'b.list': keyOnly,
  'b.cancel': keyOnly,
  'c.create': createC,
  'c.get': otherC,
  'c.list': otherC,
  'c.delete': otherC,
  'c.enhance': createC,
  'c.regenerate': createC,
  'special.create': createSpecial,
  'special.get': querySpecial,
  'special.list': querySpecial,
  'special.delete': endpoint('DELETE /special/v2/video_generation/{task_id}', [401, 403, 404, 501]),
  'special.enhance': makeSpecial,
  'special.regenerate': makeSpecial,
  'k.create': k(400, 401, 403, 429),
  'k.avatar.create': k(400, 401, 403, 429),
  'k.avatar.get': k(401, 429),
  'k.voice.create': k(400, 401, 403, 429),
  'k.voice.get': k(401, 429),
  'k.omni.create': k(400, 401, 403, 429),
  'k.motion.create': k(400, 401, 403, 429),
  'k.presets.list': k(401, 429),
  'k.tasks.get': k(400, 401, 429),
  'image.generate': errors('Image', '400, 401, 403, 413, 429, 5XX', 400, 401, 403, 413, 429, 500, 503),
  'media.download': said('A-downloads', 403),
}
