import type { Inputs } from '../forms.ts'
import * as is from '../forms.ts'
import type { SpecFamily } from '../observation.ts'
import { type Ask, always, answers, any4xx, asks, fields, files, type Predicate } from '../predicates.ts'
import { is25, statementsOf } from '../statement.ts'

const taskA = '/api/v3/contents/generations/tasks'
const createB = '/api/v1/services/aigc/video-generation/video-synthesis'

/** The create of each family. */
const creates: Readonly<Record<SpecFamily, readonly [operation: string, path: string]>> = {
  a: ['a.create', taskA],
  b: ['b.create', createB],
  c: ['c.create', '/v2/video_generation'],
  special: ['special.create', '/special/v2/video_generation'],
  k: ['k.create', '/image-to-video/model_k_30_turbo'],
  image: ['image.generate', '/api/v3/images/generations'],
}

/** A request of each family that costs nothing. */
const free: Readonly<Record<SpecFamily, Ask>> = {
  a: { path: `${taskA}/none` },
  b: { path: '/api/v1/tasks/none' },
  c: { path: '/v2/query/video_generation' },
  special: { path: '/special/v2/query/video_generation' },
  k: { path: '/tasks?task_ids=none' },
  image: { method: 'POST', path: '/api/v3/images/generations', body: () => ({}) },
}

/** A key that was never right, and a disabled or deleted one. */
const keys = ['wrong key', 'key that worked before']

const withKey = (authorization: (key: string) => string | null) => (family: SpecFamily) =>
  answers(401, { ...free[family], authorization })

const statusesOf = (family: SpecFamily) => (family === 'k' ? any4xx : [400])

const realFace = (inputs: Inputs) => ({
  model: inputs.model('model_a_25'),
  content: [{ type: 'image_url', image_url: { url: inputs.sample('real-face.jpg') }, role: 'first_frame' }],
  duration: 4,
})
const moderated = answers(403, { method: 'POST', path: taskA, body: realFace, needs: 'samples' })
const inFamilyA = (predicate: Predicate) => (family: SpecFamily) => (family === 'a' ? predicate : undefined)
const not4k = is.such('another one than 4k', value => value !== '4k', '720p', '4k')
const resolutions: Readonly<Partial<Record<SpecFamily, Predicate>>> = {
  a: asks('a.create', { resolution: not4k }, { holds: is25, change: () => ({}) }),
  special: asks('special.create', {
    resolution: is.such('768P or 2K', value => /^(?:768P|2K)$/.test(String(value)), '2K', '1080P'),
  }),
}

/** The only field of the reply to a create, where there is only one. */
const idOf: Readonly<Record<string, string>> = { a: 'id', c: 'task_id', special: 'task_id' }

function onlyId(family: SpecFamily): Predicate | undefined {
  const id = idOf[family]
  return id === undefined
    ? undefined
    : fields(creates[family][0], { [id]: is.required }, always, { nothingElse: true })
}

// biome-ignore format: a table, one row a line
export const allFamilies = statementsOf('all', {
  'service.async-video': [8, 'A video create answers with only a task identifier; the client polls for the result.', onlyId],
  'service.sync-image': [9, 'One call of the image operation answers with the images.', family => (family === 'image' ? fields('image.generate', { data: is.notNone }, always) : undefined)],
  'service.upstream-clients': [21, 'Clients of the upstream work with another base address and key.'],
  'service.face-refused': [22, 'A real face sent directly in a generation request is a 403 of content moderation.', inFamilyA(moderated)],
  'service.face-certified': [22, 'A face that passed certification is sent as an asset:// reference.'],
  'service.no-charge': [23, 'Rejected requests are not charged.'],
  'service.charges': [23, 'A charge is reserved first and then settled, for each request, visible in a log.'],
  'auth.bearer': [262, 'Every endpoint requires Authorization: Bearer with a key that begins with sk-.', withKey(key => `Bearer ${key.replace(/^sk-/, 'ak-')}`)],
  'auth.one-key': [262, 'One key serves all operations and the asset library.'],
  'auth.many-places': [263, 'A key may be used from many places at once.'],
  'auth.owner': [263, 'Tasks and assets belong to the account.', inFamilyA(answers(404, { path: `${taskA}/{task}`, needs: 'other account' }))],
  'auth.missing': [264, 'A missing key is a 401.', withKey(() => null)],
  'auth.no-prefix': [264, 'A key without the Bearer prefix is a 401.', withKey(key => key)],
  'auth.disabled': [264, 'A key that is not valid, such as a disabled or deleted one, is a 401.', () => ({ ...answers(401), cases: keys })],
  'auth.whitespace': [264, 'A key with extra blanks is a 401.', withKey(key => `Bearer  ${key}`)],
  'auth.model-right': [265, 'A model that the token may not use is a 403.', () => answers(403)],
  'auth.moderated': [265, 'A request that content moderation refuses is a 403.', inFamilyA(moderated)],
  'auth.two-403': [265, 'The two causes of 403 differ by the text of the message.'],
  'auth.asset-secret': [266, 'Asset identifiers are treated like keys: masked wherever keys are.'],
  'auth.download': [267, 'Result links are fetched without the Authorization header.', family => files(family, /^(?:video|image)\//)],
  'events.none': [271, 'The service sends no events and no callbacks.'],
  'events.polling': [272, 'Clients learn of the end of a task only by polling.'],
  'errors.resolution-group': [286, 'A resolution that the model or the group does not allow is a 400.', family => resolutions[family], inFamilyA(answers(400))],
  'errors.callback': [287, 'A request with callback_url is a 400.', family => asks(creates[family][0], { callback_url: is.never('https://example.org/') })],
  'limits.rate-account': [309, 'Rate limits hold for each account.'],
  'limits.rate-queue': [309, 'Beyond the requests per minute the gateway queues requests and retries.', 'A-rate'],
  'endpoints.json': [200, 'JSON requests send Content-Type: application/json.', family => answers(statusesOf(family), { method: 'POST', path: creates[family][1], body: () => '{' })],
})
