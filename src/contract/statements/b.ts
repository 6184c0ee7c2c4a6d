import { statementsOf } from '../statement.ts'

/** Family B. */
export const familyB = statementsOf('b', {
  'What the service does': {
    'service.native-wire': 'The interface is wire-compatible with that of the upstream.',
    'service.same-usage': 'Both models are used in the same way.',
  },
  'Family B': {
    'create.header': 'The header X-Vendor-Async is optional; its value is enabled.',
    'create.model': 'model is required.',
    'create.prompt': 'input.prompt is the text prompt.',
    'create.media': 'input.media is an optional array; its combination selects the mode.',
    'create.modes': 'The modes are text-to-video, first frame, first and last frame, and reference-to-video.',
    'create.resolution': 'parameters.resolution is a string such as 1080P.',
    'create.ratio': 'parameters.ratio is a string such as adaptive.',
    'create.duration': 'parameters.duration is whole seconds.',
    'create.prompt-extend': 'parameters.prompt_extend is a boolean that switches rewriting of the prompt.',
    'create.reply': 'A create answers with output.task_id, output.task_status and request_id.',
    'create.pending': 'The first task_status is PENDING.',
    'get.request-id': 'A query answers with request_id.',
    'get.task-id': 'output.task_id is the identifier.',
    'get.status': 'output.task_status is PENDING, RUNNING, SUCCEEDED, FAILED, CANCELED or UNKNOWN.',
    'get.times': 'submit_time, scheduled_time and end_time have the form YYYY-MM-DD HH:MM:SS.mmm.',
    'get.orig-prompt': 'output.orig_prompt is a string.',
    'get.video-url': 'A succeeded task has output.video_url.',
    'get.download': 'The video is downloaded without an Authorization header.',
    'get.video-count': 'usage.video_count is a whole number.',
    'get.seconds': 'usage.duration, input_video_duration and output_video_duration are numbers of seconds.',
    'get.fps': 'usage.fps is a whole number.',
    'get.sr': 'usage.SR is a whole number.',
    'get.ratio': 'usage.ratio has the form W:H.',
    'host.no-workspace': 'No workspace sub-domain is needed.',
  },
  'States and transitions': {
    'states.start': 'PENDING becomes RUNNING when work starts.',
    'states.finish': 'RUNNING becomes SUCCEEDED, FAILED or CANCELED.',
    'states.unknown-missing': 'A task that does not exist is reported as UNKNOWN.',
    'states.unknown-past': 'A task whose query validity has passed is reported as UNKNOWN.',
  },
  Endpoints: {
    'create.refusals': 'A create may answer 400, 401, 403 and 429.',
  },
  Errors: {
    'errors.shape': 'An error is {code, message, request_id}, code as in InvalidParameter.',
    'errors.foreign': 'A task of another account is reported as UNKNOWN.',
  },
  Versioning: {
    'versioning.path': 'The paths carry /api/v1.',
  },
})
