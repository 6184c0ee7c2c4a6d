import {
  accepted,
  acceptedInstead,
  both,
  type Change,
  change,
  drop,
  file,
  header,
  insteadOf,
  nth,
  refused,
  set,
  shorter,
  status,
  succeeded,
} from './edits.ts'

/** Possible differences in family A. */
// biome-ignore format: a table, one row a line
export const changesOfA: readonly Change[] = [
  ['an id of another form', 'a', 'a.create', set('id', old => old.replaceAll('-', '_')), 'A-times'],
  ['a create is 201', 'a', 'a.create', status(201), 'a.create.reply'],
  ['another word for success', 'a', 'a.get', succeeded(set('status', 'completed')), 'a.record.status'],
  ['the error of a failed task has no code', 'aFailure', 'a.get', drop('error.code'), 'a.record.error'],
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
  ['null for a missing content', 'a', 'a.get', body => { body.content ??= null }, 'A-record'],
  ['null for a missing error', 'a', 'a.get', succeeded(set('error', null)), 'A-record'],
  ['total tokens that are not the sum', 'a', 'a.get', succeeded(set('usage.total_tokens', old => old + 1)), 'A-usage'],
  [
    'tokens counted in another way',
    'a',
    'a.get',
    succeeded(
      both(
        set('usage.total_tokens', old => old * 2),
        set('usage.completion_tokens', old => old * 2),
      ),
    ),
    'A-usage',
  ],
  ['tokens as a text', 'a', 'a.get', succeeded(set('usage.total_tokens', old => String(old))), 'a.record.usage'],
  ['times in milliseconds', 'a', 'a.get', both(set('created_at', old => old * 1000), set('updated_at', old => old * 1000)), 'A-times'],
  ['30 frames a second', 'a', 'a.get', succeeded(set('framespersecond', 30)), 'A-record'],
  ['no output_format', 'a', 'a.get', succeeded(drop('output_format')), 'A-record'],
  ['another ratio than the requested one', 'a', 'a.get', succeeded(set('ratio', '4:3')), 'A-record'],
  ['a link that is valid for an hour', 'a', 'a.get', succeeded(set('content.video_url', old => shorter(old, 3600))), 'a.link.relayed-life'],
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
  ['a list without total', 'a', 'a.list', drop('total'), 'A-list'],
  ['a file of other pixels', 'aFile', 'media.download', file('width', 1280), 'A-record'],
  ['no last frame', 'aFile', 'a.get', succeeded(drop('content.last_frame_url')), 'a.record.last-frame-url'],
  ['a running task cannot be deleted: 400', 'aDelete', 'a.delete', insteadOf(409, 400), 'A-delete'],
  ['another code for a running task', 'aDelete', 'a.delete', set('error.code', 'TaskRunning'), 'A-delete'],
  ['a delete with a body in its reply', 'aDelete', 'a.delete', (body, passing) => { if (passing.status === 200) body.id = 'x' }, 'A-delete'],
  ['a bad duration is 422', 'aRefused', 'a.create', insteadOf(400, 422), 'a.create.duration-25'],
  ['another parameter is named', 'aRefused', 'a.create', change('error.param', 'content'), 'A-errors'],
  ['another code of an error', 'aRefused', 'a.create', body => { if (body.error?.code === 'InvalidParameter') body.error.code = 'BadParameter' }, 'A-errors'],
  ['a missing task is 400', 'aRefused', 'a.get', status(400), 'a.get.missing'],
  ['a missing key is 403', 'aRefused', 'a.create', insteadOf(401, 403), 'all.auth.missing'],
  ['no X-Request-Id', 'aRefused', 'a.create', header('x-request-id'), 'A-headers'],
  ['no Retry-After', 'aLimited', 'a.create', header('retry-after'), 'A-rate'],
  ['a usage of a failed task', 'aFailure', 'a.get', body => { if (body.error) body.usage = { completion_tokens: 0, total_tokens: 0 } }, 'A-usage'],
  ['the resolution in another case', 'a', 'a.get', succeeded(set('resolution', '480P')), 'A-record'],
  ['a change before the create', 'a', 'a.get', body => { body.updated_at = body.created_at - 5 }, 'A-times'],
  ['another expiry by default', 'a', 'a.get', set('execution_expires_after', 86_400), 'A-flags'],
  ['a link to webm', 'a', 'a.get', succeeded(set('content.video_url', old => old.replace('.mp4', '.webm'))), 'A-record'],
  ['the ratio as requested', 'aDraws', 'a.get', succeeded(set('ratio', 'adaptive')), 'A-record'],
  ['the duration as requested', 'aDraws', 'a.get', succeeded(set('duration', -1)), 'A-record'],
  ['the code of a failure in another style', 'aFailure', 'a.get', set('error.code', 'internal_error'), 'A-errors'],
  ['a task that does not expire', 'aExpires', 'a.get', body => { if (body.status === 'expired') body.status = 'queued' }, 'a.states.expire'],
  ['a task that changes after its end', 'aEnded', 'a.get', nth(4, set('status', 'cancelled')), 'a.states.terminal'],
  ['the oldest task first', 'aLists', 'a.list', body => { body.items.reverse() }, 'A-list'],
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
  ['the total of the page', 'aLists', 'a.list', (body, { path }) => { if (path.includes('page_size')) body.total = body.items.length }, 'A-list'],
  ['a total that is a text', 'aLists', 'a.list', set('total', old => String(old)), 'A-list'],
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
  ['4k on 2.5 that is accepted', 'others', 'a.create', acceptedInstead(/resolution/, { id: 'cgt-20260301080001-abcde' }), 'a.create.resolution-4k-25'],
  ['errors as HTML', 'aRefused', 'a.create', refused(header('content-type', 'text/html')), 'A-errors'],
  ['null for the parameter of an error', 'aRefused', 'a.create', refused(change('error.param', null)), 'A-errors'],
  ['another code of moderation', 'aModerated', 'a.create', (body, passing) => { if (passing.status === 403) body.error.code = 'ContentBlocked' }, 'A-403'],
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
  ['files without an ETag', 'aLink', 'media.download', header('etag'), 'A-downloads'],
  ['files of an unknown type', 'aLink', 'media.download', accepted(header('content-type', 'application/octet-stream')), 'A-downloads'],
  ['a link that accepts a key', 'aLink', 'media.download', insteadOf(400, 200), 'A-downloads'],
  ['an expired link is 404', 'aLink', 'media.download', insteadOf(403, 404), 'A-downloads'],
  ['a last frame of other pixels', 'aLink', 'media.download', (_, { media }) => { if (media?.type === 'image/png') media.width = 100 }, 'A-record'],
  ['a file of 30 frames', 'aFile', 'media.download', file('fps', 30), 'A-record'],
  ['a file without sound', 'aFile', 'media.download', file('audio', false), 'A-record'],
  ['a longer file', 'aFile', 'media.download', file('seconds', 5), 'A-record'],
  ['a link that is valid for a day', 'a', 'a.get', succeeded(set('content.video_url', old => shorter(old, -22 * 3600))), 'A-links'],
  ['an accepted create without a type', 'a', 'a.create', header('content-type'), undefined],
  ['a list without the task', 'a', 'a.list', body => { Object.assign(body, { items: [], total: 0 }) }, 'A-list'],
  ['the moment of the create changes from reply to reply', 'a', 'a.get', (body, { count }) => { body.created_at -= count }, 'A-record'],
  ['the moment of the last change never moves', 'a', 'a.get', body => { body.updated_at = body.created_at }, 'A-record'],
  ['another seed in each reply', 'a', 'a.get', (body, { count }) => { if (body.seed !== undefined) body.seed = count }, undefined],
  ['an empty request id', 'a', 'a.get', header('x-request-id', ''), 'A-headers'],
  ['Retry-After in every reply', 'a', 'a.get', header('retry-after', '5'), 'A-rate'],
  ['files without ranges', 'aFile', 'media.download', header('accept-ranges', 'none'), 'A-downloads'],
  ['files that a browser shows', 'aFile', 'media.download', header('content-disposition', 'inline'), 'A-downloads'],
  ['null for a DELETE', 'aDelete', 'a.delete', accepted((_, passing) => { passing.body = null }), 'A-delete'],
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
  ['a total that counts one page only', 'aModels', 'a.list', (body, { path }) => { if (path.includes('page_size=1')) body.total = 1 }, 'A-list'],
  ['a path without its prefix is 401', 'noPrefix', 'unknown', insteadOf(404, 401), 'a.path.prefix'],
]
