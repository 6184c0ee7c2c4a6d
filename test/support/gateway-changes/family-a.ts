import {
  accepted,
  acceptedInstead,
  type Change,
  insteadOf,
  refused,
  shorter,
  status,
  succeeded,
} from './edits.ts'

/** Possible differences in family A. */
export const changesOfA: readonly Change[] = [
  [
    'an id of another form',
    'a',
    'a.create',
    body => {
      body.id = body.id.replaceAll('-', '_')
    },
    'A-times',
  ],
  ['a create is 201', 'a', 'a.create', status(201), 'a.create.reply'],
  [
    'another word for success',
    'a',
    'a.get',
    succeeded(body => {
      body.status = 'completed'
    }),
    'a.record.status',
  ],
  [
    'a failed task is cancelled',
    'aFailure',
    'a.get',
    body => {
      if (body.status === 'failed') {
        body.status = 'cancelled'
        delete body.error
      }
    },
    'a.states.cancel',
  ],
  [
    'no error in a failed task',
    'aFailure',
    'a.get',
    body => {
      delete body.error
    },
    'a.record.error',
  ],
  [
    'the error of a failed task has no code',
    'aFailure',
    'a.get',
    body => {
      if (body.error) delete body.error.code
    },
    'a.record.error',
  ],
  [
    'running comes before queued',
    'a',
    'a.get',
    (body, { count }) => {
      if (count === 0) body.status = 'running'
      else if (count === 1) body.status = 'queued'
    },
    'a.states.start',
  ],
  [
    'null for a missing content',
    'a',
    'a.get',
    body => {
      body.content ??= null
    },
    'A-record',
  ],
  [
    'null for a missing error',
    'a',
    'a.get',
    succeeded(body => {
      body.error = null
    }),
    'A-record',
  ],
  [
    'total tokens that are not the sum',
    'a',
    'a.get',
    succeeded(body => {
      body.usage.total_tokens += 1
    }),
    'A-usage',
  ],
  [
    'tokens counted in another way',
    'a',
    'a.get',
    succeeded(body => {
      body.usage.total_tokens *= 2
      body.usage.completion_tokens *= 2
    }),
    'A-usage',
  ],
  [
    'no usage',
    'a',
    'a.get',
    succeeded(body => {
      delete body.usage
    }),
    'a.record.usage',
  ],
  [
    'tokens as a text',
    'a',
    'a.get',
    succeeded(body => {
      body.usage.total_tokens = String(body.usage.total_tokens)
    }),
    'a.record.usage',
  ],
  [
    'the duration as a text',
    'a',
    'a.get',
    succeeded(body => {
      body.duration = '4'
    }),
    'a.record.duration',
  ],
  [
    'a seed that is not a number',
    'a',
    'a.get',
    succeeded(body => {
      body.seed = null
    }),
    'a.record.seed',
  ],
  [
    'times in milliseconds',
    'a',
    'a.get',
    body => {
      body.created_at *= 1000
      body.updated_at *= 1000
    },
    'A-times',
  ],
  [
    '30 frames a second',
    'a',
    'a.get',
    succeeded(body => {
      body.framespersecond = 30
    }),
    'A-record',
  ],
  [
    'no output_format',
    'a',
    'a.get',
    succeeded(body => {
      delete body.output_format
    }),
    'A-record',
  ],
  [
    'another ratio than the requested one',
    'a',
    'a.get',
    succeeded(body => {
      body.ratio = '4:3'
    }),
    'A-record',
  ],
  [
    'a link that is valid for an hour',
    'a',
    'a.get',
    succeeded(body => {
      body.content.video_url = shorter(body.content.video_url, 3600)
    }),
    'a.link.relayed-life',
  ],
  [
    'a list under another name',
    'a',
    'a.list',
    body => {
      body.tasks = body.items
      delete body.items
    },
    'A-list',
  ],
  [
    'a list without total',
    'a',
    'a.list',
    body => {
      delete body.total
    },
    'A-list',
  ],
  [
    'a file of other pixels',
    'aFile',
    'media.download',
    (_, { media }) => {
      if (media) media.width = 1280
    },
    'A-record',
  ],
  [
    'no last frame',
    'aFile',
    'a.get',
    succeeded(body => {
      delete body.content.last_frame_url
    }),
    'a.record.last-frame-url',
  ],
  [
    'a running task cannot be deleted: 400',
    'aDelete',
    'a.delete',
    (_, passing) => {
      if (passing.status === 409) passing.status = 400
    },
    'A-delete',
  ],
  [
    'another code for a running task',
    'aDelete',
    'a.delete',
    body => {
      if (body.error) body.error.code = 'TaskRunning'
    },
    'A-delete',
  ],
  [
    'a delete with a body in its reply',
    'aDelete',
    'a.delete',
    (body, passing) => {
      if (passing.status === 200) body.id = 'x'
    },
    'A-delete',
  ],
  [
    'a bad duration is 422',
    'aRefused',
    'a.create',
    (_, passing) => {
      if (passing.status === 400) passing.status = 422
    },
    'a.create.duration-25',
  ],
  [
    'another parameter is named',
    'aRefused',
    'a.create',
    body => {
      if (body.error?.param) body.error.param = 'content'
    },
    'A-errors',
  ],
  [
    'errors have no type',
    'aRefused',
    'a.create',
    body => {
      if (body.error) delete body.error.type
    },
    'a.errors.shape',
  ],
  [
    'another code of an error',
    'aRefused',
    'a.create',
    body => {
      if (body.error?.code === 'InvalidParameter') body.error.code = 'BadParameter'
    },
    'A-errors',
  ],
  ['a missing task is 400', 'aRefused', 'a.get', status(400), 'a.get.missing'],
  [
    'a missing key is 403',
    'aRefused',
    'a.create',
    (_, passing) => {
      if (passing.status === 401) passing.status = 403
    },
    'all.auth.missing',
  ],
  [
    'no X-Request-Id',
    'aRefused',
    'a.create',
    (_, { headers }) => {
      delete headers['x-request-id']
    },
    'A-headers',
  ],
  [
    'no Retry-After',
    'aLimited',
    'a.create',
    (_, { headers }) => {
      delete headers['retry-after']
    },
    'A-rate',
  ],
  [
    'null for the usage',
    'a',
    'a.get',
    succeeded(body => {
      body.usage = null
    }),
    'a.record.usage',
  ],
  [
    'a usage of a failed task',
    'aFailure',
    'a.get',
    body => {
      if (body.error) body.usage = { completion_tokens: 0, total_tokens: 0 }
    },
    'A-usage',
  ],
  [
    'a seed that is missing',
    'a',
    'a.get',
    succeeded(body => {
      delete body.seed
    }),
    'a.record.seed',
  ],
  [
    'the resolution in another case',
    'a',
    'a.get',
    succeeded(body => {
      body.resolution = '480P'
    }),
    'A-record',
  ],
  [
    'a new word for a state',
    'a',
    'a.get',
    (body, { count }) => {
      if (count === 0) body.status = 'validating'
    },
    'a.record.status',
  ],
  [
    'a boolean as a text',
    'a',
    'a.get',
    succeeded(body => {
      body.generate_audio = 'true'
    }),
    'a.record.audio',
  ],
  [
    'half frames',
    'a',
    'a.get',
    succeeded(body => {
      body.framespersecond = 23.976
    }),
    'a.record.fps',
  ],
  [
    'a time as a date',
    'a',
    'a.get',
    body => {
      body.created_at = '2026-03-01T08:00:00Z'
    },
    'a.record.times',
  ],
  [
    'a change before the create',
    'a',
    'a.get',
    body => {
      body.updated_at = body.created_at - 5
    },
    'A-times',
  ],
  [
    'another expiry by default',
    'a',
    'a.get',
    body => {
      body.execution_expires_after = 86_400
    },
    'A-flags',
  ],
  [
    'a link without an origin',
    'a',
    'a.get',
    succeeded(body => {
      body.content.video_url = new URL(body.content.video_url).pathname
    }),
    'a.record.video-url',
  ],
  [
    'a link to webm',
    'a',
    'a.get',
    succeeded(body => {
      body.content.video_url = body.content.video_url.replace('.mp4', '.webm')
    }),
    'A-record',
  ],
  [
    'the ratio as requested',
    'aDraws',
    'a.get',
    succeeded(body => {
      body.ratio = 'adaptive'
    }),
    'A-record',
  ],
  [
    'the duration as requested',
    'aDraws',
    'a.get',
    succeeded(body => {
      body.duration = -1
    }),
    'A-record',
  ],
  [
    'an error that is a text',
    'aFailure',
    'a.get',
    body => {
      if (body.error) body.error = 'failed'
    },
    'a.record.error',
  ],
  [
    'the code of a failure in another style',
    'aFailure',
    'a.get',
    body => {
      if (body.error) body.error.code = 'internal_error'
    },
    'A-errors',
  ],
  [
    'an expired task is failed',
    'aExpires',
    'a.get',
    body => {
      if (body.status === 'expired')
        Object.assign(body, { status: 'failed', error: { code: 'Expired', message: 'late' } })
    },
    'a.states.expire',
  ],
  [
    'a task that does not expire',
    'aExpires',
    'a.get',
    body => {
      if (body.status === 'expired') body.status = 'queued'
    },
    'a.states.expire',
  ],
  [
    'a task that changes after its end',
    'aEnded',
    'a.get',
    (body, { count }) => {
      if (count === 4) body.status = 'cancelled'
    },
    'a.states.terminal',
  ],
  [
    'the oldest task first',
    'aLists',
    'a.list',
    body => {
      body.items.reverse()
    },
    'A-list',
  ],
  [
    'a filter that is ignored',
    'aLists',
    'a.list',
    (body, { path }) => {
      if (!path.includes('filter')) return
      body.items.push({ ...body.items[0], id: 'cgt-20260301080001-abcde', status: 'queued' })
      body.total += 1
    },
    'a.list.status',
  ],
  [
    'the total of the page',
    'aLists',
    'a.list',
    (body, { path }) => {
      if (path.includes('page_size')) body.total = body.items.length
    },
    'A-list',
  ],
  [
    'a total that is a text',
    'aLists',
    'a.list',
    body => {
      body.total = String(body.total)
    },
    'A-list',
  ],
  [
    'rows without a model',
    'aLists',
    'a.list',
    body => {
      for (const item of body.items) delete item.model
    },
    'a.record.model',
  ],
  [
    'a running task that is cancelled',
    'aDelete',
    'a.delete',
    (_, passing) => {
      if (passing.status !== 409) return
      passing.status = 200
      passing.body = {}
    },
    'A-delete',
  ],
  ['the task of another account: 403', 'others', 'a.get', insteadOf(404, 403), 'a.get.foreign'],
  [
    'the task of another account is shown',
    'others',
    'a.get',
    acceptedInstead(/./, { id: 'x', status: 'queued' }),
    'a.get.foreign',
  ],
  [
    'a callback that is accepted',
    'others',
    'a.create',
    acceptedInstead(/callback/, { id: 'cgt-20260301080001-abcde' }),
    'all.errors.callback',
  ],
  [
    '4k on 2.5 that is accepted',
    'others',
    'a.create',
    acceptedInstead(/resolution/, { id: 'cgt-20260301080001-abcde' }),
    'a.create.resolution-4k-25',
  ],
  [
    'a refusal with 200',
    'aRefused',
    'a.create',
    (_, passing) => {
      if (passing.status === 400) passing.status = 200
    },
    'a.create.duration-25',
  ],
  [
    'errors as HTML',
    'aRefused',
    'a.create',
    refused((_, { headers }) => {
      headers['content-type'] = 'text/html'
    }),
    'A-errors',
  ],
  [
    'null for the parameter of an error',
    'aRefused',
    'a.create',
    refused(body => {
      if (body.error.param) body.error.param = null
    }),
    'A-errors',
  ],
  [
    'another code of moderation',
    'aModerated',
    'a.create',
    (body, passing) => {
      if (passing.status === 403) body.error.code = 'ContentBlocked'
    },
    'A-403',
  ],
  ['moderation is 400', 'aModerated', 'a.create', insteadOf(403, 400), 'all.auth.moderated'],
  ['a rate limit is 503', 'aModerated', 'a.create', insteadOf(429, 503), 'A-rate'],
  [
    'Retry-After as a date',
    'aLimited',
    'a.create',
    (_, { headers }) => {
      if (headers['retry-after']) headers['retry-after'] = 'Sun, 01 Mar 2026 08:00:05 GMT'
    },
    'A-rate',
  ],
  ['a range gets the whole file', 'aLink', 'media.download', insteadOf(206, 200), 'A-downloads'],
  [
    'files without an ETag',
    'aLink',
    'media.download',
    (_, { headers }) => {
      delete headers.etag
    },
    'A-downloads',
  ],
  [
    'files of an unknown type',
    'aLink',
    'media.download',
    accepted((_, { headers }) => {
      headers['content-type'] = 'application/octet-stream'
    }),
    'A-downloads',
  ],
  ['a link that accepts a key', 'aLink', 'media.download', insteadOf(400, 200), 'A-downloads'],
  ['an expired link is 404', 'aLink', 'media.download', insteadOf(403, 404), 'A-downloads'],
  [
    'a last frame of other pixels',
    'aLink',
    'media.download',
    (_, { media }) => {
      if (media?.type === 'image/png') media.width = 100
    },
    'A-record',
  ],
  [
    'a file of 30 frames',
    'aFile',
    'media.download',
    (_, { media }) => {
      if (media) media.fps = 30
    },
    'A-record',
  ],
  [
    'a file without sound',
    'aFile',
    'media.download',
    (_, { media }) => {
      if (media) media.audio = false
    },
    'A-record',
  ],
  [
    'a longer file',
    'aFile',
    'media.download',
    (_, { media }) => {
      if (media) media.seconds = 5
    },
    'A-record',
  ],
  [
    'a link that is valid for a day',
    'a',
    'a.get',
    succeeded(body => {
      body.content.video_url = shorter(body.content.video_url, -22 * 3600)
    }),
    'A-links',
  ],
  [
    'an accepted create without a type',
    'a',
    'a.create',
    (_, { headers }) => {
      delete headers['content-type']
    },
    undefined,
  ],
  [
    'a list without the task',
    'a',
    'a.list',
    body => {
      Object.assign(body, { items: [], total: 0 })
    },
    'A-list',
  ],
  [
    'a row of a list without an id',
    'a',
    'a.list',
    body => {
      for (const item of body.items) delete item.id
    },
    'a.record.id',
  ],
  [
    'the moment of the create changes from reply to reply',
    'a',
    'a.get',
    (body, { count }) => {
      body.created_at -= count
    },
    'A-record',
  ],
  [
    'the moment of the last change never moves',
    'a',
    'a.get',
    body => {
      body.updated_at = body.created_at
    },
    'A-record',
  ],
  [
    'another seed in each reply',
    'a',
    'a.get',
    (body, { count }) => {
      if (body.seed !== undefined) body.seed = count
    },
    undefined,
  ],
  [
    'an empty request id',
    'a',
    'a.get',
    (_, { headers }) => {
      headers['x-request-id'] = ''
    },
    'A-headers',
  ],
  [
    'Retry-After in every reply',
    'a',
    'a.get',
    (_, { headers }) => {
      headers['retry-after'] = '5'
    },
    'A-rate',
  ],
  [
    'files without ranges',
    'aFile',
    'media.download',
    (_, { headers }) => {
      headers['accept-ranges'] = 'none'
    },
    'A-downloads',
  ],
  [
    'files that a browser shows',
    'aFile',
    'media.download',
    (_, { headers }) => {
      headers['content-disposition'] = 'inline'
    },
    'A-downloads',
  ],
  [
    'null for a DELETE',
    'aDelete',
    'a.delete',
    accepted((_, passing) => {
      passing.body = null
    }),
    'A-delete',
  ],
  [
    'a filter of models that is ignored',
    'aModels',
    'a.list',
    (body, { path }) => {
      if (path.includes('filter.model'))
        body.items.push({ ...body.items[0], id: 'cgt-20260301000000-abcde', model: 'model_a_25' })
    },
    'A-list',
  ],
  [
    'a total that counts one page only',
    'aModels',
    'a.list',
    (body, { path }) => {
      if (path.includes('page_size=1')) body.total = 1
    },
    'A-list',
  ],
  ['a path without its prefix is 401', 'noPrefix', 'unknown', insteadOf(404, 401), 'a.path.prefix'],
  ['a path without its version is 400', 'noPrefix', 'unknown', insteadOf(404, 400), 'c.versioning.path'],
]
