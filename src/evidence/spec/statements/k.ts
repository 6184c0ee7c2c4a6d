import type { Inputs } from '../forms.ts'
import * as is from '../forms.ts'

import { at } from '../json.ts'
import {
  always,
  answers,
  any4xx,
  asks,
  declared,
  elsewhere,
  fields,
  moves,
  replies,
  sentAll,
  success,
} from '../predicates.ts'
import { statementsOf } from '../statement.ts'

const presets = '/v1/general/advanced-presets-elements'
/** One state shows no change of states; a word that is none contradicts it. */
const states = is.neverShown(is.oneOf('submitted', 'processing', 'succeeded', 'failed'))
const slowStates = is.oneOf('submitted', 'processing', 'succeed', 'failed')
const created = {
  'data.id': is.text,
  'data.status': is.text,
  'data.create_time': is.whole,
  'data.update_time': is.whole,
}
const oneTask = {
  data: is.such('an array of one task', value => Array.isArray(value) && value.length === 1, [{}], []),
}
const envelope = {
  code: is.only(0, 1),
  message: is.only('SUCCEED', 'OK'),
  request_id: is.text,
  data: is.object,
}
const withFirstFrame = is.inParts(
  is.such(
    'an array of {type, url} with a first_frame',
    value => Array.isArray(value) && value.some(item => at(item, 'type') === 'first_frame'),
    [{ type: 'first_frame' }],
    undefined,
    ({ picture }: Inputs) => [{ type: 'last_frame', url: picture }],
  ),
  {
    absent: value => value === undefined,
    'no first frame': value => Array.isArray(value) && value.length > 0,
  },
)
const slowRecord = {
  'data.task_id': is.text,
  'data.task_status': is.text,
  'data.task_status_msg': is.present,
  'data.task_result': is.present,
  'data.created_at': is.whole,
  'data.updated_at': is.whole,
}

// biome-ignore format: a table, one row a line
export const familyK = statementsOf('k', {
  'create.reply': [130, 'A create answers 200 with code 0, message SUCCEED, request_id and data.', replies('k.create', envelope)],
  'create.data': [130, 'data has id, status, create_time, update_time and external_id.', fields('k.create', created, always), fields('k.create', { 'data.external_id': is.text }, sentAll('external_task_id'), elsewhere)],
  'create.submitted': [130, 'The first status is submitted.', fields('k.create', { 'data.status': is.only('submitted', 'queued') }, always)],
  'avatar.data': [131, 'data of an avatar task has task_id, task_status, task_status_msg, task_result and times.', fields('k.avatar.get', slowRecord, always, elsewhere)],
  'avatar.videos': [131, 'task_result.videos has id, url and duration, a string.', fields('k.avatar.get', { 'data.task_result.videos[].id': is.text, 'data.task_result.videos[].url': is.link, 'data.task_result.videos[].duration': is.decimal }, success, elsewhere)],
  'voice.voices': [131, 'task_result.voices has voice_id, voice_name, trial_url and owned_by.', fields('k.voice.get', { 'data.task_result.voices[].voice_id': is.text, 'data.task_result.voices[].voice_name': is.text, 'data.task_result.voices[].trial_url': is.link, 'data.task_result.voices[].owned_by': is.present }, success, elsewhere)],
  'voice.usable': [131, 'A voice_id can be the audio_id of an avatar.'],
  'presets.element-id': [131, 'task_result.elements has element_id.', fields('k.presets.list', { 'data[].task_result.elements[].element_id': is.required }, always)],
  'presets.usable': [131, 'An element_id can be used in omni and motion-control requests.'],
  'presets.token': [131, 'task_id of a preset is a signed token that routes to its channel.', 'K-presets'],
  'tasks.item': [132, 'A batch item has id, status, create_time, update_time, external_id and outputs.', fields('k.record', { id: is.text, status: is.text, create_time: is.whole, update_time: is.whole, outputs: is.list }, always), fields('k.record', { external_id: is.text }, undefined, elsewhere)],
  'tasks.outputs': [132, 'outputs has id, url and duration, a string.', fields('k.record', { 'outputs[].id': is.text, 'outputs[].url': is.link, 'outputs[].duration': is.decimal }, success)],
  'states.submitted': [190, 'submitted becomes processing.', moves('k', ['submitted'], ['processing'])],
  'states.finish': [191, 'processing becomes succeeded or failed.', moves('k', ['processing'], ['succeeded', 'failed']), fields('k.record', { status: states }, always)],
  'states.avatar': [196, 'Avatar and voice tasks are submitted, processing, succeed or failed.', fields('k.presets.list', { 'data[].task_status': is.neverShown(slowStates) }, always), fields('k.slow-record', { task_status: slowStates }, always, elsewhere)],
  'create.path-model': [246, 'The path has one of the two models.', answers(any4xx, { method: 'POST', path: '/image-to-video/no-model', body: () => ({ prompt: 'it moves' }) })],
  'create.prompt': [246, 'The body has prompt, a string.', asks('k.create', { prompt: is.text }, undefined, any4xx)],
  'create.settings': [246, 'settings has resolution, a string, and duration, a whole number.', 'K-settings', asks('k.create', { 'settings.resolution': is.text, 'settings.duration': is.whole }, undefined, any4xx)],
  'create.contents': [246, 'contents has items {type, url} with first_frame and optionally last_frame.', 'K-contents', asks('k.create', { contents: withFirstFrame }, undefined, any4xx)],
  'avatar.only-here': [247, 'Avatar tasks are queried at their own path and not through GET /tasks.'],
  'avatar.prefix': [247, 'The avatar query takes an optional /v1 prefix.'],
  'voice.reply': [248, 'A voice query answers 200 with the voice task.', replies('k.voice.get', { 'data.task_id': is.text }, elsewhere)],
  'voice.no-prefix': [248, 'No /v1 prefix is stated for voices.'],
  'presets.paged': [249, 'The list of presets is paged.', 'K-presets'],
  'presets.prefix': [249, 'The list of presets takes an optional /v1 prefix.', answers(200, { path: presets }, { data: is.list })],
  'presets.reply': [249, 'It answers 200 with data, a list of task objects.', replies('k.presets.list', { data: is.list, 'data[].task_id': is.text, 'data[].task_status': is.text })],
  'tasks.ids': [250, 'GET /tasks takes task_ids or external_task_ids, separated by commas.', answers(200, { path: '/tasks?task_ids={task},selfcheck-none' }, oneTask), answers(200, { path: '/tasks?external_task_ids=selfcheck-none,selfcheck-nothing' }, { data: is.list })],
  'tasks.ids-win': [250, 'With both, task_ids wins.', answers(200, { path: '/tasks?task_ids={task}&external_task_ids=none' }, oneTask)],
  'tasks.array': [250, 'It answers 200 with data, always an array.', replies('k.tasks.get', { data: is.list })],
  'tasks.no-prefix': [250, 'No /v1 prefix is stated for GET /tasks and image-to-video.', answers(404, { path: '/v1/tasks?task_ids=none', isNoPath: true })],
  'errors.shape': [281, 'An error is {error: {code, message, param, type}}.', fields('k.error', { 'error.code': is.present, 'error.message': is.text, 'error.param': is.present, 'error.type': is.text }, always)],
  'errors.4xx': [281, 'Refusals have a status of 4xx.', declared('k.', any4xx)],
})
