import { statementsOf } from '../statement.ts'

/** Family K. */
export const familyK = statementsOf('k', {
  'Family K: objects': {
    'create.reply': 'A create answers code 0, message SUCCEED, request_id and data.',
    'create.data': 'data has id, status, create_time, update_time and external_id.',
    'create.submitted': 'The first status is submitted.',
    'avatar.data': 'data of an avatar task has task_id, task_status, task_status_msg, task_result and times.',
    'avatar.videos': 'task_result.videos has id, url and duration, a string.',
    'voice.voices': 'task_result.voices has voice_id, voice_name, trial_url and owned_by.',
    'voice.usable': 'A voice_id can be the audio_id of an avatar.',
    'presets.element-id': 'task_result.elements has element_id, which omni and motion-control requests take.',
    'presets.token': 'task_id of a preset is a signed token that routes to its channel.',
    'tasks.item': 'A batch item has id, status, create_time, update_time, external_id and outputs.',
    'tasks.outputs': 'outputs has id, url and duration, a string.',
  },
  'States and transitions': {
    'states.submitted': 'submitted becomes processing.',
    'states.finish': 'processing becomes succeeded or failed.',
    'states.avatar': 'Avatar and voice tasks are submitted, processing, succeed or failed.',
  },
  Endpoints: {
    'create.path-model': 'The path has one of the two models.',
    'create.prompt': 'The body has prompt, a string.',
    'create.settings': 'settings has resolution, a string, and duration, a whole number.',
    'create.contents': 'contents has items {type, url} with first_frame and optionally last_frame.',
    'avatar.only-here': 'Avatar tasks are queried at their own path and not through GET /tasks.',
    'avatar.prefix': 'The avatar query takes an optional /v1 prefix.',
    'voice.reply': 'A voice query answers 200 with the voice task.',
    'voice.no-prefix': 'No /v1 prefix is stated for voices.',
    'presets.paged': 'The list of presets is paged.',
    'presets.prefix': 'The list of presets takes an optional /v1 prefix.',
    'presets.reply': 'It answers 200 with data, a list of task objects.',
    'tasks.ids': 'GET /tasks takes task_ids or external_task_ids, separated by commas.',
    'tasks.ids-win': 'With both, task_ids wins.',
    'tasks.array': 'data is always an array.',
    'tasks.no-prefix': 'No /v1 prefix is stated for GET /tasks and image-to-video.',
  },
  Errors: {
    'errors.shape': 'An error is {error: {code, message, param, type}}.',
    'errors.4xx': 'Refusals have a status of 4xx.',
  },
})
