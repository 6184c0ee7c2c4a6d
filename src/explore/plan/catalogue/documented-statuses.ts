import type { operations } from '../../../scenarios/operations.ts'

type Operation = (typeof operations)[number]

/** The statuses with which an operation is documented to refuse, and the line of the specification. */
export interface Documented {
  statuses: readonly number[]
  source: string
}

const errors = (family: string, statuses: string) => `Spec, "Errors": ${family}: ${statuses}`
const endpoint = (path: string, statuses: string) => `Spec, "Endpoints": ${path}: ${statuses}`

const createA: Documented = { statuses: [400, 401, 429], source: errors('A', '400, 401, 429 on create') }
const queryA: Documented = { statuses: [401, 404], source: errors('A', '401, 404 on query') }
const createB: Documented = {
  statuses: [400, 401, 403, 429],
  source: errors('B', '400, 401, 403, 429 on create'),
}
const queryB: Documented = { statuses: [401, 404], source: errors('B', '401, 404 on query') }
const keyOnly: Documented = { statuses: [401], source: 'Spec, "Authentication" 3' }
const createC: Documented = {
  statuses: [400, 401, 429],
  source: errors('C', 'standard: 400, 401, 429 create'),
}
const otherC: Documented = { statuses: [401], source: errors('C', 'standard: 401 others') }
const makeC = (path: string): Documented => ({
  statuses: [400, 401],
  source: endpoint(path, '400, 401'),
})
const createSpecial: Documented = {
  statuses: [400, 401, 403, 404, 429],
  source: endpoint('/special/v2/video_generation', '400, 401, 403, 404, 429'),
}
const makeSpecial = (path: string): Documented => ({
  statuses: [400, 401, 403, 404],
  source: endpoint(`/special/v2/${path}`, '400, 401, 403, 404'),
})
const querySpecial: Documented = {
  statuses: [401, 403, 404],
  source: endpoint('/special/v2/query/video_generation', '401, 403, 404'),
}
const k = (statuses: readonly number[]): Documented => ({
  statuses,
  source: errors('K', '4xx responses are declared without distinguishing status codes'),
})

/** The documented refusals of each operation. A download answers as an object store does (A-downloads). */
export const documentedStatuses: Readonly<Record<Operation, Documented>> = {
  'a.create': createA,
  'a.get': queryA,
  'a.list': keyOnly,
  'a.delete': { statuses: [401, 404], source: 'A-delete' },
  'b.create': createB,
  'b.get': queryB,
  'b.list': keyOnly,
  'b.cancel': keyOnly,
  'c.create': createC,
  'c.get': otherC,
  'c.list': otherC,
  'c.delete': otherC,
  'c.enhance': makeC('/v2/h3_context_ir'),
  'c.regenerate': createC,
  'special.create': createSpecial,
  'special.get': querySpecial,
  'special.list': querySpecial,
  'special.delete': {
    statuses: [401, 403, 404],
    source: endpoint('DELETE /special/v2/video_generation/{task_id}', '401, 403, 404, 501'),
  },
  'special.enhance': makeSpecial('h3_context_ir'),
  'special.regenerate': makeSpecial('video_regeneration'),
  'k.create': k([400, 401, 403, 429]),
  'k.avatar.create': k([400, 401, 403, 429]),
  'k.avatar.get': k([401, 429]),
  'k.voice.create': k([400, 401, 403, 429]),
  'k.voice.get': k([401, 429]),
  'k.omni.create': k([400, 401, 403, 429]),
  'k.motion.create': k([400, 401, 403, 429]),
  'k.presets.list': k([401, 429]),
  'k.tasks.get': k([400, 401, 429]),
  'image.generate': {
    statuses: [400, 401, 403, 429, 500, 503],
    source: errors('Image', '400, 401, 403, 413, 429, 5XX'),
  },
  'media.download': { statuses: [403], source: 'A-downloads' },
}
