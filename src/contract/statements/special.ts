import { statementsOf } from '../statement.ts'

/** The special variant of family C. */
export const special = statementsOf('special', {
  'What the service does': {
    'service.namespace': 'The special variant has a task namespace of its own.',
  },
  'States and transitions': {
    'delete.finished':
      'DELETE of a succeeded or failed task removes the record and leaves charges as they are.',
    'delete.running': 'DELETE of a running task changes nothing and answers 501.',
  },
  Endpoints: {
    'create.model': 'model stays the model of family C.',
    'create.resolution': 'resolution is 768P or 2K.',
    'create.duration': 'duration is 5 to 15 seconds.',
    'create.ratio': 'ratio must be explicit; adaptive is not supported.',
    'create.reply': 'A create answers 200 with {task_id}.',
    'create.refusals': 'A create may answer 400, 401, 403, 404 and 429.',
    'get.namespace': 'A task that was created through /v2 is a 404.',
    'get.account': 'Only tasks that this account created through /special/v2 can be queried.',
    'get.reply': 'A query answers 200 with {task}.',
    'get.before': 'Before the end only queued or running is shown.',
    'list.parameters': 'The list has the paging and filters of the standard list.',
    'list.own': 'It lists only special tasks of this account.',
    'enhance.duration': 'The duration of a prompt enhancement is a whole number from 4 to 15.',
    'enhance.no-tokens': 'No token usage is given, and no time or money in its place.',
    'enhance.reply': 'It answers 200 with {task_id}.',
    'regenerate.resolution': 'A regeneration takes model and the resolution 2K.',
    'regenerate.source': 'source_task_id is a succeeded special generation task of this account.',
    'regenerate.content': 'content has exactly one item with the role base_video.',
    'regenerate.exclusive': 'source_task_id and content exclude each other.',
    'regenerate.no-mix': 'Frames and ordinary reference material cannot be mixed.',
    'regenerate.base-video':
      'The source must satisfy the requirements for audio track, 24 fps, sides divisible by 32 and frame count.',
    'regenerate.not-assumed': 'An arbitrary video is not assumed to be compatible.',
    'regenerate.reply': 'It answers 200 with {task_id}.',
    'delete.reply': 'DELETE answers 200 with {task_id, action: deleted, status: deleted}.',
    'delete.statuses': 'DELETE may answer 401, 403, 404 and 501.',
  },
  Errors: {
    'errors.statuses': 'Errors have the statuses 400, 401, 403, 404, 429 and 501.',
  },
  Limits: {
    'limits.duration': 'Videos have 5 to 15 s, prompt enhancements 4 to 15 s.',
  },
  Versioning: {
    'versioning.path': 'The paths carry /special/v2.',
  },
})
