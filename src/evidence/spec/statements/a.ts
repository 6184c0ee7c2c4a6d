import { lives } from '../agreements.ts'
import type { Inputs } from '../forms.ts'
import * as is from '../forms.ts'
import { at } from '../json.ts'
import {
  always,
  answers,
  asks,
  declared,
  deletes,
  elsewhere,
  expires,
  failure,
  fields,
  files,
  filtered,
  madeWith,
  moves,
  type RequestKind,
  replies,
  success,
} from '../predicates.ts'
import { is25, name20, name25, statementsOf } from '../statement.ts'

const tasks = '/api/v3/contents/generations/tasks'
const prompt = { type: 'text', text: 'a lighthouse at dawn' }
const image = ({ picture }: Inputs, role: string) => ({
  type: 'image_url',
  image_url: { url: picture },
  role,
})
const video = (inputs: Inputs) => ({
  type: 'video_url',
  video_url: { url: inputs.sample('clip-720p-5s.mp4') },
  role: 'reference_video',
})

const v25: RequestKind = { holds: is25, change: () => ({}) }
const v20: RequestKind = {
  holds: body => name20.test(String(at(body, 'model'))),
  change: inputs => ({ model: inputs.model('model_a_20') }),
}
const firstFrame: RequestKind = {
  holds: body => is25(body) && contents(body).some(item => at(item, 'role') === 'first_frame'),
  change: inputs => ({ content: [prompt, image(inputs, 'first_frame')], ratio: 'adaptive' }),
}
/** A multimodal reference of 2.5 that declares its task type. */
const typed = (type: string): RequestKind => ({
  holds: body => is25(body) && at(body, 'omni_reference_task_type') === type,
  change: inputs => ({
    content: [prompt, video(inputs)],
    ratio: 'adaptive',
    duration: -1,
    omni_reference_task_type: type,
  }),
  by: 'omni_reference_task_type',
  needs: 'samples',
})
const edit = typed('edit')
const extend = typed('extend')

function contents(body: unknown): unknown[] {
  const content = at(body, 'content')
  return Array.isArray(content) ? content : []
}

const array = is.inParts(is.such('an array', Array.isArray, [prompt], undefined, 'text'), {
  absent: value => value === undefined,
  'no array': value => value !== undefined,
})
const adaptive = is.only('adaptive', '16:9')
const withVideo = is.such(
  'with a reference video',
  content => Array.isArray(content) && content.some(item => at(item, 'type') === 'video_url'),
  [{ type: 'video_url' }],
  (inputs: Inputs) => [prompt, image(inputs, 'reference_image')],
)
const ratios = is.oneOf('16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive')
const states = is.oneOf('queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired')
const ended = ['succeeded', 'failed', 'cancelled', 'expired']
const times = { created_at: is.whole, updated_at: is.whole }
const cancelled = moves('a', ['queued'], ['cancelled'], { never: ['running'] })

// biome-ignore format: a table, one row a line
export const familyA = statementsOf('a', {
  'create.model': [31, 'model is required.', asks('a.create', { model: is.required })],
  'create.content': [32, 'content is a required array.', asks('a.create', { content: array })],
  'create.content-kinds': [32, 'An item of content is a text, an image, a video or an audio.', 'A-content', asks('a.create', { 'content[].type': is.oneOf('text', 'image_url', 'video_url', 'audio_url') })],
  'create.modes': [32, 'The combination of items selects text-to-video, image-to-video or multimodal reference.', 'A-content'],
  'create.resolution-20': [33, 'On 2.0 resolution is one of 480p, 720p, 1080p and 4k.', asks('a.create', { resolution: is.oneOf('480p', '720p', '1080p', '4k') }, v20)],
  'create.resolution-25': [33, 'On 2.5 resolution is one of 480p, 720p and 1080p.', asks('a.create', { resolution: is.oneOf('480p', '720p', '1080p') }, v25)],
  'create.resolution-default-25': [33, 'The default resolution of 2.5 is 720p.', fields('a.record', { resolution: is.byDefault('720p', '480p') }, madeWith({ model: name25, resolution: undefined }), elsewhere)],
  'create.resolution-4k-25': [33, '4k on 2.5 is a 400.', asks('a.create', { resolution: is.such('another one than 4k', value => value !== '4k', '720p', '4k') }, v25)],
  'create.resolution-group': [33, 'A resolution outside the group of the account is a 400.', answers(400)],
  'create.ratio': [34, 'ratio is one of 16:9, 4:3, 1:1, 3:4, 9:16, 21:9 and adaptive.', asks('a.create', { ratio: ratios })],
  'create.ratio-default': [34, 'The default ratio is adaptive.'],
  'create.duration-20': [35, 'On 2.0 duration is a whole number from 4 to 15, or -1.', asks('a.create', { duration: is.between(4, 15, -1) }, v20)],
  'create.duration-25': [35, 'On 2.5 duration is a whole number from 4 to 30, or -1.', asks('a.create', { duration: is.between(4, 30, -1) }, v25)],
  'create.duration-default-25': [35, 'The default duration of 2.5 is -1: the service chooses.'],
  'create.audio-default': [36, 'generate_audio is a boolean, true by default.', asks('a.create', { generate_audio: is.flag }), fields('a.record', { generate_audio: is.byDefault(true, false) }, madeWith({ generate_audio: undefined }))],
  'create.audio-mono': [36, 'Audible output is mono.'],
  'create.watermark': [37, 'watermark is a boolean.', asks('a.create', { watermark: is.flag })],
  'create.mark': [37, 'watermark is false by default; true puts a mark on the video.'],
  'create.format': [38, 'output_format is mp4 or mov on 2.5, mp4 by default.', asks('a.create', { output_format: is.oneOf('mp4', 'mov') }, v25), fields('a.record', { output_format: is.byDefault('mp4', 'mov') }, madeWith({ model: name25, output_format: undefined }))],
  'create.format-20': [38, 'output_format must not be sent to other models than 2.5.', asks('a.create', { output_format: is.never('mp4') }, v20)],
  'create.format-mov': [38, 'mov is the native file of the upstream.'],
  'create.task-type': [39, 'omni_reference_task_type is auto, reference, edit or extend.', asks('a.create', { omni_reference_task_type: is.oneOf('auto', 'reference', 'edit', 'extend') }, v25)],
  'create.task-type-default': [39, 'The default omni_reference_task_type is auto.'],
  'create.task-type-20': [39, 'omni_reference_task_type must not be sent to other models than 2.5.', asks('a.create', { omni_reference_task_type: is.never('auto') }, v20)],
  'create.seed': [40, 'seed must not be sent with 2.0 or 2.5.', asks('a.create', { seed: is.never(7) })],
  'create.last-frame': [41, 'With the flag, a succeeded task has a PNG of the last frame, in the size of the video.', 'A-flags', files('a', /^image\/png$/, 'image/')],
  'create.last-frame-unmarked': [41, 'The picture of the last frame has no mark.'],
  'create.expiry': [42, 'The expiry is 3600 to 259200 seconds.', 'A-flags', asks('a.create', { execution_expires_after: is.between(3600, 259_200) })],
  'create.expiry-expires': [42, 'A task that is unfinished at its expiry, counted from its creation, becomes expired.'],
  'create.callback': [43, 'callback_url is rejected with 400.', asks('a.create', { callback_url: is.never('https://example.org/') })],
  'create.no-correction': [45, 'On 2.5 the platform does not correct ratio or duration.', asks('a.create', { ratio: adaptive, duration: is.only(-1, 5) }, edit), asks('a.create', { ratio: adaptive }, firstFrame)],
  'create.first-frame-ratio': [47, 'First-frame and first-and-last-frame tasks of 2.5 accept only the ratio adaptive.', asks('a.create', { ratio: adaptive }, firstFrame)],
  'create.edit-ratio': [47, 'Edit tasks accept only the ratio adaptive.', asks('a.create', { ratio: adaptive }, edit)],
  'create.edit-duration': [48, 'Edit tasks accept only the duration -1.', asks('a.create', { duration: is.only(-1, 5) }, edit)],
  'create.edit-video': [48, 'Edit tasks must include a reference video.', asks('a.create', { content: withVideo }, edit)],
  'create.edit-length': [48, 'The reference video of an edit task has 4 to 30 seconds.'],
  'create.extend-video': [49, 'Extend tasks must include a reference video.', asks('a.create', { content: withVideo }, extend)],
  'create.extend-ratio': [49, 'Extend tasks accept only the ratio adaptive.', asks('a.create', { ratio: adaptive }, extend)],
  'create.extend-duration': [49, 'The duration of extend tasks is -1 or a whole number from 4 to 30.', asks('a.create', { duration: is.between(4, 30, -1) }, extend)],
  'create.free-ratio': [50, 'Text-to-video and plain reference generation may set any listed ratio.'],
  'record.id': [56, 'id is the identifier of the task.', fields('a.record', { id: is.text }, always)],
  'record.model': [57, 'model is a string.', fields('a.record', { model: is.text }, always)],
  'record.status': [58, 'status is queued, running, succeeded, failed, cancelled or expired.', fields('a.record', { status: states }, always)],
  'record.video-url': [59, 'A succeeded task has content.video_url.', fields('a.record', { 'content.video_url': is.link }, success)],
  'record.last-frame-url': [60, 'content.last_frame_url is present when the last frame was requested.', fields('a.record', { 'content.last_frame_url': is.link }, madeWith({ return_last_frame: true }))],
  'record.error': [61, 'A failed task has error.code and error.message.', fields('a.record', { 'error.code': is.text, 'error.message': is.text }, failure, elsewhere)],
  'record.usage': [62, 'usage has whole completion_tokens and total_tokens.', fields('a.record', { 'usage.completion_tokens': is.whole, 'usage.total_tokens': is.whole }, success)],
  'record.seed': [63, 'seed is a whole number.', fields('a.record', { seed: is.whole }, success)],
  'record.resolution-ratio': [64, 'resolution and ratio are strings.', fields('a.record', { resolution: is.text, ratio: is.text }, success)],
  'record.duration': [65, 'duration is whole seconds.', fields('a.record', { duration: is.whole }, success)],
  'record.duration-25': [65, 'On 2.5 duration is the frames divided by 24, rounded down.'],
  'record.fps': [66, 'framespersecond is a whole number.', fields('a.record', { framespersecond: is.whole }, success)],
  'record.audio': [67, 'generate_audio is a boolean.', fields('a.record', { generate_audio: is.flag }, success)],
  'record.format': [68, 'output_format is mp4 or mov, on 2.5 only.', fields('a.record', { output_format: is.oneOf('mp4', 'mov') }), fields('a.record', { output_format: is.never('mp4') }, madeWith({ model: name20 }), elsewhere)],
  'record.times': [69, 'created_at and updated_at are whole numbers.', 'A-times', fields('a.record', times, always)],
  'link.no-authorization': [71, 'The video is downloaded without an Authorization header.', files('a', /^video\/(?:mp4|quicktime)$/, 'video/')],
  'link.upstream-life': [71, 'The original upstream link is valid for 24 hours.', 'A-links', expires('a', 24)],
  'link.downloads-25': [71, 'A link of 2.5 allows at most 100 downloads.', 'A-downloads'],
  'link.relayed-life': [71, 'The relayed link expires after about 2 hours.', 'A-links', lives('a.record', 2, 24), expires('a', 2)],
  'states.start': [175, 'queued becomes running when work starts.', moves('a', ['queued'], ['running'])],
  'states.success': [176, 'running becomes succeeded on success.', moves('a', ['running'], ['succeeded'])],
  'states.failure': [177, 'running becomes failed on failure.', moves('a', ['running'], ['failed'], elsewhere)],
  'states.cancel': [178, 'DELETE of a queued task makes it cancelled.', 'A-delete', cancelled],
  'states.expire': [179, 'A queued or running task becomes expired when its expiry has passed.', moves('a', ['queued', 'running'], ['expired'], elsewhere)],
  'states.terminal': [195, 'succeeded, failed, cancelled and expired are final.', moves('a', ended, ended)],
  'create.reply': [206, 'A create answers 200 with {id}.', replies('a.create', { id: is.text })],
  'create.refusals': [206, 'A create may answer 400, 401 and 429.', declared('a.create', [400, 401, 429], 403, 413)],
  'get.reply': [207, 'A query answers 200 with the record.', replies('a.get', { id: is.required, status: is.required })],
  'get.missing': [207, 'A query of a task that does not exist is a 404.', answers(404, { path: `${tasks}/cgt-20200101000000-zzzzz` })],
  'get.foreign': [207, 'A query of a task of another account is a 404.', answers(404, { path: `${tasks}/{task}`, needs: 'other account' })],
  'list.paged': [208, 'The list is paged.', 'A-list'],
  'list.status': [208, 'The list can be filtered by status.', 'A-list', filtered('a.list', 'filter.status', 'status')],
  'delete.queued': [209, 'DELETE cancels a queued task.', 'A-delete', deletes('a', ['queued'], [200, 204])],
  'path.prefix': [211, 'A path without /api is a 404.', answers(404, { method: 'POST', path: '/v3/contents/generations/tasks', isNoPath: true })],
  'errors.shape': [278, 'An error is {error: {code, message, param, type}}, type as in BadRequest.', fields('a.error', { 'error.code': is.present, 'error.message': is.text, 'error.param': is.present, 'error.type': is.text }, always)],
  'versioning.path': [314, 'The paths carry /api/v3.', answers(404, { method: 'POST', path: '/api/contents/generations/tasks', isNoPath: true })],
  'versioning.snapshot': [315, 'Model identifiers carry the suffix of a snapshot date.'],
  'versioning.model': [315, 'The version of the model changes the permitted values.', asks('a.create', { output_format: is.never('mov') }, v20), asks('a.create', { resolution: is.such('another one than 4k', value => value !== '4k', '720p', '4k') }, v25)],
})
