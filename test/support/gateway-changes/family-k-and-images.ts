import {
  accepted,
  acceptedInstead,
  type Change,
  drop,
  file,
  insteadOf,
  set,
  shorter,
  status,
  succeeded,
} from './edits.ts'

/** Possible differences in family K and in pictures. */
// biome-ignore format: a table, one row a line
export const changesOfKAndImages: readonly Change[] = [
  ['durations of K as numbers', 'k', 'k.tasks.get', succeeded(set('data.0.outputs.0.duration', 3.041)), 'k.tasks.outputs'],
  ['another length of K', 'k', 'k.tasks.get', succeeded(set('data.0.outputs.0.duration', '3.000')), 'K-duration'],
  ['an unknown avatar is 404', 'k', 'k.avatar.get', status(404), 'K-not-found'],
  ['a picture of another size', 'image', 'image.generate', set('data.0.size', '1024x1000'), 'I-size'],
  ['tokens of pictures counted in another way', 'image', 'image.generate', set('usage.total_tokens', old => old + 5), 'I-usage'],
  ['a link of a picture that is valid for an hour', 'image', 'image.generate', set('data.0.url', old => shorter(old, 82_800)), 'image.request.link-life'],
  ['stream is not refused with 400', 'image', 'image.generate', insteadOf(400, 422), 'image.request.stream'],
  ['a task of K starts at once', 'k', 'k.create', accepted(set('data.status', 'processing')), 'k.create.submitted'],
  ['times of K in seconds', 'k', 'k.tasks.get', set('data[].create_time', old => Math.floor(old / 1000)), 'K-ids'],
  ['two outputs', 'k', 'k.tasks.get', succeeded(body => { body.data[0].outputs.push(body.data[0].outputs[0]) }), 'K-outputs'],
  ['one id of the caller for two tasks', 'kOthers', 'k.create', acceptedInstead(/./, { code: 0, message: 'SUCCEED', request_id: 'x', data: {} }), 'K-external-id'],
  [
    'a failure of K without a message',
    'kOthers',
    'k.tasks.get',
    body => {
      for (const item of body.data) if (item.status === 'failed') delete item.message
    },
    'K-outputs',
  ],
  ['a number of pictures that is wrong', 'pictures', 'image.generate', accepted(set('usage.generated_images', 2)), 'I-usage'],
  ['one pixel more', 'pictures', 'image.generate', accepted(set('data.0.size', '1025x1024')), 'I-size'],
  ['a moment of a picture in milliseconds', 'pictures', 'image.generate', accepted(set('created', old => old * 1000)), undefined],
  [
    'base64 for a link',
    'pictures',
    'image.generate',
    (body, { count }) => {
      if (count === 0) body.data = [{ ...body.data[0], url: undefined, b64_json: 'aGVsbG8=' }]
    },
    'I-defaults',
  ],
  ['base64 of another format', 'pictures', 'image.generate', accepted(set('data.0.b64_json.type', 'image/webp')), 'I-size'],
  ['base64 of other pixels', 'pictures', 'image.generate', accepted(set('data.0.b64_json.width', 1000)), 'I-size'],
  ['another model is echoed', 'pictures', 'image.generate', accepted(set('model', 'other')), undefined],
  ['a picture of other pixels than it says', 'pictures', 'media.download', file('height', 1000), 'I-size'],
  ['layers without boxes', 'layers', 'image.generate', drop('data[].bounding_box'), 'I-layers'],
  ['boxes beyond the picture', 'layers', 'image.generate', body => { for (const { bounding_box: box } of body.data) if (box) box.normalized[2] = 1200 }, 'I-layers'],
  [
    'a link of K that is valid for a day',
    'k',
    'k.tasks.get',
    accepted(body => {
      const [output] = body.data[0].outputs
      if (output) output.url = shorter(output.url, 29 * 86_400)
    }),
    'K-links',
  ],
  ['another external id', 'kOthers', 'k.create', accepted(set('data.external_id', 'mine-2')), 'K-external-id'],
  ['another task than the one that was asked for', 'k', 'k.tasks.get', set('data[].id', '123456789012345678'), 'K-batch'],
  ['a batch in another order', 'kBatch', 'k.tasks.get', body => { body.data.reverse() }, 'K-batch'],
  ['a motion task starts as queued', 'kBeyond', 'k.motion.create', set('data.status', 'queued'), 'K-beyond'],
  [
    'the owner of a voice is a word',
    'kBeyond',
    'k.voice.get',
    body => {
      for (const voice of body.data.task_result.voices ?? []) voice.owned_by = 'studio'
    },
    'K-voice',
  ],
  [
    'element ids of presets as texts',
    'kBeyond',
    'k.presets.list',
    body => {
      for (const { task_result: result } of body.data)
        for (const element of result.elements) element.element_id = `${element.element_id}`
    },
    'K-presets',
  ],
  ['layers in another order', 'manyLayers', 'image.generate', ({ data }) => { data.push(...data.splice(1, 1)) }, 'I-layers'],
]
