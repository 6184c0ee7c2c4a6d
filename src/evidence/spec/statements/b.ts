import * as is from '../forms.ts'
import { always, answers, asks, declared, fields, files, moves, replies, success } from '../predicates.ts'
import { statementsOf } from '../statement.ts'

const missing = { path: '/api/v1/tasks/00000000-0000-4000-8000-000000000000' }
const unknown = { 'output.task_status': is.only('UNKNOWN', 'PENDING') }
const states = is.oneOf('PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED', 'UNKNOWN')
const ends = ['SUCCEEDED', 'FAILED', 'CANCELED']
const times = {
  'output.submit_time': is.moment,
  'output.scheduled_time': is.moment,
  'output.end_time': is.moment,
}
const seconds = {
  'usage.duration': is.number,
  'usage.input_video_duration': is.number,
  'usage.output_video_duration': is.number,
}

// biome-ignore format: a table, one row a line
export const familyB = statementsOf('b', {
  'service.native-wire': [15, 'The interface is wire-compatible with that of the upstream.'],
  'service.same-usage': [15, 'Both models are used in the same way.'],
  'create.header': [77, 'The header X-Vendor-Async is optional; its value is enabled.'],
  'create.model': [78, 'model is required.', asks('b.create', { model: is.required })],
  'create.prompt': [79, 'input.prompt is the text prompt.', 'B-prompt', asks('b.create', { 'input.prompt': is.text })],
  'create.media': [80, 'input.media, when it is sent, is an array.', 'B-media', asks('b.create', { 'input.media': is.list })],
  'create.modes': [80, 'The modes are text-to-video, first frame, first and last frame, and reference-to-video.', 'B-media'],
  'create.resolution': [81, 'parameters.resolution is a string such as 1080P.', 'B-parameters', asks('b.create', { 'parameters.resolution': is.text })],
  'create.ratio': [82, 'parameters.ratio is a string such as adaptive.', 'B-ratio', asks('b.create', { 'parameters.ratio': is.text })],
  'create.duration': [83, 'parameters.duration is whole seconds.', 'B-parameters', asks('b.create', { 'parameters.duration': is.whole })],
  'create.prompt-extend': [84, 'parameters.prompt_extend, the switch of rewriting, is a boolean.', 'B-parameters', asks('b.create', { 'parameters.prompt_extend': is.flag })],
  'create.reply': [86, 'A create answers 200 with output.task_id, output.task_status and request_id.', replies('b.create', { 'output.task_id': is.text, 'output.task_status': is.text, request_id: is.text })],
  'create.pending': [86, 'The first task_status is PENDING.', fields('b.create', { 'output.task_status': is.only('PENDING', 'QUEUED') }, always)],
  'get.request-id': [92, 'A query answers with request_id.', fields('b.get', { request_id: is.text }, always)],
  'get.task-id': [93, 'output.task_id is the identifier.', fields('b.get', { 'output.task_id': is.text }, always)],
  'get.status': [94, 'output.task_status is PENDING, RUNNING, SUCCEEDED, FAILED, CANCELED or UNKNOWN.', fields('b.get', { 'output.task_status': states }, always)],
  'get.times': [95, 'submit_time, scheduled_time and end_time have the form YYYY-MM-DD HH:MM:SS.mmm.', fields('b.get', times)],
  'get.orig-prompt': [96, 'output.orig_prompt is a string.', fields('b.get', { 'output.orig_prompt': is.text }, success)],
  'get.video-url': [97, 'A succeeded task has output.video_url.', fields('b.get', { 'output.video_url': is.link }, success)],
  'get.download': [97, 'The video is downloaded without an Authorization header.', files('b', /^video\//)],
  'get.video-count': [98, 'usage.video_count is a whole number.', fields('b.get', { 'usage.video_count': is.whole }, success)],
  'get.seconds': [99, 'usage.duration, input_video_duration and output_video_duration are numbers of seconds.', fields('b.get', seconds, success)],
  'get.fps': [100, 'usage.fps is a whole number.', fields('b.get', { 'usage.fps': is.whole }, success)],
  'get.sr': [101, 'usage.SR is a whole number.', fields('b.get', { 'usage.SR': is.whole }, success)],
  'get.ratio': [102, 'usage.ratio has the form W:H.', fields('b.get', { 'usage.ratio': is.ratio }, success)],
  'host.no-workspace': [104, 'No workspace sub-domain is needed.'],
  'states.start': [180, 'PENDING becomes RUNNING when work starts.', moves('b', ['PENDING'], ['RUNNING'])],
  'states.finish': [181, 'RUNNING becomes SUCCEEDED, FAILED or CANCELED.', moves('b', ['RUNNING'], ends)],
  'states.unknown-missing': [182, 'A task that does not exist is reported as UNKNOWN.', answers([200, 404], missing, unknown, 404)],
  'states.unknown-past': [182, 'A task whose query validity has passed is reported as UNKNOWN.', 'B-validity', answers([200, 404], undefined, unknown, 404)],
  'create.refusals': [217, 'A create may answer 400, 401, 403 and 429.', declared('b.create', [400, 401, 403, 429], 413)],
  'errors.shape': [279, 'An error is {code, message, request_id}, code as in InvalidParameter.', fields('b.error', { code: is.text, message: is.text, request_id: is.text }, always)],
  'errors.foreign': [289, 'A task of another account is reported as UNKNOWN.', answers([200, 404], { path: '/api/v1/tasks/{task}', needs: 'other account' }, unknown, 404)],
  'versioning.path': [314, 'The paths carry /api/v1.', answers(404, { method: 'POST', path: '/v1/services/aigc/video-generation/video-synthesis', isNoPath: true })],
})
