import { pageSize } from '../agreements.ts'
import type { Inputs } from '../forms.ts'
import * as is from '../forms.ts'

import { at } from '../json.ts'
import {
  always,
  answers,
  asks,
  type Due,
  declared,
  deletes,
  elsewhere,
  failure,
  fields,
  filtered,
  moves,
  type RequestKind,
  replies,
  sentAll,
  success,
  successOf,
  withStatus,
} from '../predicates.ts'
import { statementsOf } from '../statement.ts'

export const states = is.oneOf('queued', 'running', 'succeeded', 'failed', 'cancelled')
export const types = is.oneOf('generation', 'h3_context_ir', 'regeneration')
const actions = is.oneOf('cancelled', 'deleted')
const tokens = {
  'usage.total_tokens': is.whole,
  'usage.prompt_tokens': is.whole,
  'usage.completion_tokens': is.whole,
}
const seconds = {
  'usage.total_seconds': is.whole,
  'usage.input_seconds': is.whole,
  'usage.output_seconds': is.whole,
}
const usageOf = (family: string) => ({
  ...seconds,
  'usage.input_image_count': is.whole,
  ...(family === 'c' && tokens),
})
const videos = successOf('modality', 'video')
const prompts = successOf('modality', 'text')
const enhanced = { modality: is.only('text', 'video'), 'content.prompt': is.notEmpty }
/** Parameters of lists that both variants have. */
export const page = is.inParts(
  is.such('an integer from 1', value => /^[1-9]\d*$/.test(String(value)), '1', '0', '1.5'),
  { '0': value => String(value) === '0', fraction: value => /^\d+\.\d+$/.test(String(value)) },
)

const prompt = { type: 'text', text: 'a lighthouse at dawn' }
const baseVideo = (inputs: Inputs) => ({
  type: 'video_url',
  video_url: { url: inputs.sample('clip-768p-107f.mp4') ?? 'https://example.org/video.mp4' },
  role: 'base_video',
})
/** The content of a regeneration. */
export const oneBaseVideo = is.such(
  'with exactly one base_video',
  content => Array.isArray(content) && content.filter(item => at(item, 'role') === 'base_video').length === 1,
  [{ role: 'base_video' }],
  (inputs: Inputs) => [prompt, baseVideo(inputs), baseVideo(inputs)],
)
/** The source of a regeneration. */
export const oneSource = is.such(
  'with exactly one of source_task_id and content',
  body => (at(body, 'source_task_id') === undefined) !== (at(body, 'content') === undefined),
  { source_task_id: '123' },
  (inputs: Inputs) => ({ source_task_id: '123', content: [prompt, baseVideo(inputs)] }),
  { source_task_id: undefined, content: undefined },
)
const ofRegeneration: Due = {
  holds: (record, { made, operation }) =>
    !operation.endsWith('.list') &&
    (at(made, 'source_task_id') !== undefined || oneBaseVideo.has(at(made, 'content'))) &&
    at(record, 'id') !== undefined,
  example: { record: { id: '1' }, made: { source_task_id: '2' } },
}
/** A regeneration of a video that the request has. */
export const fromContent: RequestKind = {
  holds: body => at(body, 'content') !== undefined && at(body, 'source_task_id') === undefined,
  change: () => ({ source_task_id: undefined }),
}
const code = is.such('an HTTP status', value => /^[45]\d\d$/.test(String(value)), '400', 'bad')

/** Family C, standard. Rows that are functions also hold for the special variant. */
// biome-ignore format: a table, one row a line
export const familyC = statementsOf('c', {
  'task.id': [112, 'id is a string.', family => fields(`${family}.record`, { id: is.text }, always)],
  'task.model': [113, 'model is a string.', family => fields(`${family}.record`, { model: is.text }, always)],
  'task.status': [114, 'status is queued, running, succeeded, failed or cancelled.', family => fields(`${family}.record`, { status: states }, always)],
  'task.error': [115, 'error has code and message.', family => fields(`${family}.record`, { 'error.code': is.text, 'error.message': is.text }, failure, elsewhere)],
  'task.url': [116, 'content.url is the final video of video tasks.', family => fields(`${family}.record`, { 'content.url': is.link }, videos)],
  'task.prompt': [117, 'content.prompt is the enhanced prompt of prompt enhancements.', family => fields(`${family}.record`, { 'content.prompt': is.text }, prompts)],
  'task.resolution': [118, 'resolution is a string.', family => fields(`${family}.record`, { resolution: is.text }, videos)],
  'task.duration': [119, 'duration is a whole number.', family => fields(`${family}.record`, { duration: is.whole }, success)],
  'task.ratio': [120, 'ratio is a string.', family => fields(`${family}.record`, { ratio: is.text }, success)],
  'task.type': [121, 'task_type is generation, h3_context_ir or regeneration.', family => fields(`${family}.record`, { task_type: types }, always)],
  'task.modality': [122, 'modality is video, or text for prompt enhancement.', family => fields(`${family}.record`, { modality: is.oneOf('video', 'text') }, always), family => fields(`${family}.record`, { modality: is.only('text', 'video') }, successOf('task_type', 'h3_context_ir'))],
  'task.usage': [123, 'usage has whole total_seconds, input_seconds, output_seconds, input_image_count and tokens.', family => fields(`${family}.record`, usageOf(family))],
  'task.times': [124, 'created_at and updated_at are whole numbers.', family => fields(`${family}.record`, { created_at: is.whole, updated_at: is.whole }, always)],
  'content.text': [126, 'A text item is {type, text}.'],
  'content.video': [126, 'A video item is {type: video_url, video_url: {url}, role}.'],
  'content.base-video': [126, 'The role base_video marks the source of a regeneration.', family => asks(`${family}.regenerate`, { content: oneBaseVideo }, fromContent)],
  'states.start': [183, 'queued becomes running when work starts.', family => moves(family, ['queued'], ['running'])],
  'states.finish': [184, 'running becomes succeeded, failed or cancelled.', family => moves(family, ['running'], ['succeeded', 'failed', 'cancelled'])],
  'delete.queued': [185, 'DELETE of a queued task answers the action cancelled.', deletes('c', ['queued'], [200], 'cancelled')],
  'delete.queued-free': [185, 'A task that DELETE cancelled is not charged.'],
  'delete.finished': [186, 'DELETE of a succeeded or failed task answers the action deleted.', deletes('c', ['succeeded', 'failed'], [200], 'deleted')],
  'delete.running': [187, 'DELETE of a running or cancelled task is refused.', 'C-delete', deletes('c', ['running', 'cancelled'], [400, 404, 405, 409, 422])],
  'create.fields': [224, 'A create takes model, content, resolution, duration in whole seconds and ratio.', 'C-required', family => asks(`${family}.create`, { model: is.required, content: is.notNone, duration: is.whole }), fields('c.create', { task_id: is.present }, sentAll('model', 'content', 'resolution', 'duration', 'ratio'))],
  'create.reply': [224, 'A create answers 200 with {task_id}, a string.', replies('c.create', { task_id: is.text })],
  'create.refusals': [224, 'A create may answer 400, 401 and 429.', declared('c.create', [400, 401, 429], 403, 413)],
  'path.no-api': [220, 'The paths have no /api prefix.', answers(404, { method: 'POST', path: '/api/v2/video_generation', isNoPath: true })],
  'get.reply': [225, 'A query answers 200 with {task}.', replies('c.get', { task: is.object })],
  'get.window': [225, 'Only tasks of the last 7 days can be queried.'],
  'list.page-num': [226, 'page_num is a whole number from 1.', asks('c.list', { page_num: page })],
  'list.first-page': [226, 'page_num is 1 by default.'],
  'list.page-size': [226, 'page_size is a whole number, 20 by default.', asks('c.list', { page_size: page }), pageSize('c.list', 'items', 20)],
  'list.status': [226, 'filter.status is one of the five states.', asks('c.list', { 'filter.status': states }), filtered('c.list', 'filter.status', 'status')],
  'list.model': [226, 'filter.model is a string.', filtered('c.list', 'filter.model', 'model')],
  'list.task-type': [226, 'filter.task_type is generation, h3_context_ir or regeneration.', asks('c.list', { 'filter.task_type': types }), filtered('c.list', 'filter.task_type', 'task_type')],
  'list.reply': [226, 'The list answers 200 with {items, total}.', replies('c.list', { items: is.list, total: is.whole })],
  'list.window': [226, 'The list reaches 7 days back.'],
  'list.ids': [226, 'The list can be filtered by task identifiers.', 'C-list', filtered('c.list', 'filter.task_ids', 'id', elsewhere)],
  'delete.reply': [227, 'DELETE answers 200 with {task_id, action, status}, both cancelled or deleted.', replies('c.delete', { task_id: is.text, action: actions, status: actions })],
  'enhance.fields': [228, 'A prompt enhancement takes model, content, duration and ratio.', family => asks(`${family}.enhance`, { model: is.required, content: is.notNone, duration: is.whole }), fields('c.enhance', { task_id: is.present }, sentAll('model', 'content', 'duration', 'ratio'))],
  'enhance.reply': [228, 'It answers 200 with {task_id}.', replies('c.enhance', { task_id: is.text })],
  'enhance.result': [228, 'Its result is task.content.prompt, with modality text and task_type h3_context_ir.', family => fields(`${family}.record`, enhanced, successOf('task_type', 'h3_context_ir'))],
  'enhance.billing': [228, 'Its usage has the tokens by which it is billed.', fields('c.record', { 'usage.total_tokens': is.present }, prompts)],
  'regenerate.resolution': [229, 'A regeneration takes model and resolution; the output is always 2K.', asks('c.regenerate', { model: is.required, resolution: is.only('2K', '768P') }), fields('c.record', { resolution: is.only('2K', '768P') }, successOf('task_type', 'regeneration'), elsewhere)],
  'regenerate.source': [229, 'source_task_id is a succeeded generation task.'],
  'regenerate.content': [229, 'content has all inputs of the original and exactly one item with the role base_video.', 'C-regeneration', asks('c.regenerate', { content: oneBaseVideo }, fromContent)],
  'regenerate.exclusive': [229, 'Exactly one of source_task_id and content must be sent.', asks('c.regenerate', { '': oneSource })],
  'regenerate.reply': [229, 'It answers 200 with {task_id}; task_type is regeneration.', replies('c.regenerate', { task_id: is.text }, elsewhere), fields('c.record', { task_type: is.only('regeneration', 'generation') }, ofRegeneration, elsewhere)],
  'errors.shape': [280, 'An error is {type: "error", error: {type, message, http_code}, request_id}.', family => fields(`${family}.error`, { type: is.only('error', 'fault'), 'error.type': is.text, 'error.message': is.text, 'error.http_code': code, request_id: is.text }, always)],
  'errors.bad-request': [280, 'The type of a 400 is bad_request_error.', family => fields(`${family}.error`, { 'error.type': is.only('bad_request_error', 'bad') }, withStatus(400))],
  'versioning.path': [314, 'The paths carry /v2.', answers(404, { method: 'POST', path: '/video_generation', isNoPath: true })],
})
