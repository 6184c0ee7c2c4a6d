import * as is from '../forms.ts'
import {
  answers,
  asks,
  declared,
  deletes,
  elsewhere,
  fields,
  filtered,
  replies,
  successOf,
} from '../predicates.ts'
import { statementsOf } from '../statement.ts'
import { fromContent, oneBaseVideo, oneSource, page, states, types } from './c.ts'

const explicit = is.such('an explicit ratio', value => value !== 'adaptive', '16:9', 'adaptive')
const record = 'special.record'
const queryOf = (id: string) => ({ path: `/special/v2/query/video_generation/${id}` })
const removal = {
  task_id: is.text,
  action: is.only('deleted', 'cancelled'),
  status: is.only('deleted', 'cancelled'),
}
const noTokens = {
  'usage.total_tokens': is.never(7),
  'usage.prompt_tokens': is.never(7),
  'usage.completion_tokens': is.never(7),
}
const lists = { page_num: page, page_size: page, 'filter.status': states, 'filter.task_type': types }
const prompts = successOf('modality', 'text')
const resolutions = is.oneOf('768P', '2K')

// biome-ignore format: a table, one row a line
export const special = statementsOf('special', {
  'service.namespace': [17, 'The special variant has a task namespace of its own.', answers(404, { ...queryOf('{task}'), taskOf: 'c' })],
  'delete.finished': [188, 'DELETE of a succeeded or failed task answers the action deleted.', deletes('special', ['succeeded', 'failed'], [200], 'deleted')],
  'delete.charges': [188, 'DELETE removes the record only: media and settled charges stay.'],
  'delete.running': [189, 'DELETE of a running task is refused with 501.', deletes('special', ['running'], [501])],
  'create.model': [235, 'model stays the model of family C.', asks('special.create', { model: is.required })],
  'create.resolution': [235, 'resolution is 768P or 2K.', asks('special.create', { resolution: resolutions })],
  'create.duration': [235, 'duration is 5 to 15 seconds.', asks('special.create', { duration: is.between(5, 15) })],
  'create.ratio': [235, 'ratio must be explicit; adaptive is not supported.', asks('special.create', { ratio: explicit })],
  'create.reply': [235, 'A create answers 200 with {task_id}.', replies('special.create', { task_id: is.text })],
  'create.refusals': [235, 'A create may answer 400, 401, 403, 404 and 429.', declared('special.create', [400, 401, 403, 404, 429], 413)],
  'get.namespace': [236, 'A task that was created through /v2 is a 404.', answers(404, { ...queryOf('{task}'), taskOf: 'c' })],
  'get.account': [236, 'Only tasks that this account created through /special/v2 can be queried.', answers(404, { ...queryOf('{task}'), needs: 'other account' }), answers(404, queryOf('123456789'))],
  'get.reply': [236, 'A query answers 200 with {task}.', replies('special.get', { task: is.object })],
  'get.before': [236, 'Before the end only queued or running is shown.'],
  'list.parameters': [237, 'The list has the paging and filters of the standard list.', asks('special.list', lists), filtered('special.list', 'filter.status', 'status'), filtered('special.list', 'filter.model', 'model'), filtered('special.list', 'filter.task_type', 'task_type')],
  'list.reply': [237, 'The list answers 200 with {items, total}.', replies('special.list', { items: is.list, total: is.whole })],
  'list.own': [237, 'It lists only special tasks of this account.'],
  'enhance.duration': [238, 'The duration of a prompt enhancement is a whole number from 4 to 15.', asks('special.enhance', { duration: is.between(4, 15) })],
  'enhance.no-tokens': [238, 'No token usage is given.', fields(record, noTokens, prompts)],
  'enhance.reply': [238, 'It answers 200 with {task_id}.', replies('special.enhance', { task_id: is.text })],
  'regenerate.resolution': [239, 'A regeneration takes model and the resolution 2K.', asks('special.regenerate', { model: is.required, resolution: is.only('2K', '768P') })],
  'regenerate.source': [239, 'source_task_id is a succeeded special generation task of this account.'],
  'regenerate.content': [239, 'content has exactly one item with the role base_video.', asks('special.regenerate', { content: oneBaseVideo }, fromContent)],
  'regenerate.exclusive': [239, 'source_task_id and content exclude each other.', asks('special.regenerate', { '': oneSource })],
  'regenerate.no-mix': [239, 'Frames and ordinary reference material cannot be mixed.'],
  'regenerate.base-video': [239, 'The source must satisfy the requirements for audio track, 24 fps, sides divisible by 32 and frame count.', 'C-base-video'],
  'regenerate.not-assumed': [239, 'An arbitrary video is not assumed to be compatible.', 'C-base-video'],
  'regenerate.reply': [239, 'It answers 200 with {task_id}.', replies('special.regenerate', { task_id: is.text }, elsewhere)],
  'delete.reply': [240, 'DELETE answers 200 with {task_id, action: deleted, status: deleted}.', replies('special.delete', removal)],
  'delete.statuses': [240, 'DELETE may answer 401, 403, 404 and 501.', declared('special.delete', [401, 403, 404, 501]), answers(404, { method: 'DELETE', path: '/special/v2/video_generation/123456789' })],
  'errors.statuses': [280, 'Errors have the statuses 400, 401, 403, 404, 429 and 501.', declared('special.', [400, 401, 403, 404, 429, 501], 413)],
  'limits.duration': [299, 'Videos have 5 to 15 s, prompt enhancements 4 to 15 s.', asks('special.create', { duration: is.between(5, 15) }), asks('special.enhance', { duration: is.between(4, 15) })],
  'versioning.path': [314, 'The paths carry /special/v2.', answers(404, { method: 'POST', path: '/api/special/v2/video_generation', isNoPath: true })],
})
