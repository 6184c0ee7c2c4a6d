import {
  accepted,
  acceptedInstead,
  both,
  type Change,
  change,
  drop,
  header,
  insteadOf,
  set,
  shorter,
  status,
  succeeded,
} from './edits.ts'

/** Possible differences in families B and C. */
// biome-ignore format: a table, one row a line
export const changesOfBAndC: readonly Change[] = [
  ['a task of B starts as QUEUED', 'b', 'b.create', set('output.task_status', 'QUEUED'), 'b.create.pending'],
  ['times of B with a T', 'b', 'b.get', change('output.submit_time', old => old.replace(' ', 'T')), 'b.get.times'],
  ['seconds of B that do not add up', 'b', 'b.get', succeeded(set('usage.duration', 7)), 'B-usage'],
  ['SR of B as a text', 'b', 'b.get', succeeded(set('usage.SR', '480')), 'b.get.sr'],
  ['no end_time', 'b', 'b.get', succeeded(drop('output.end_time')), 'B-states'],
  ['an unknown task of B is 404', 'b', 'b.get', (body, passing) => { if (body.output.task_status === 'UNKNOWN') passing.status = 404 }, undefined],
  ['an error of B in another shape', 'bRefused', 'b.create', (body, passing) => { passing.body = { error: body } }, 'b.errors.shape'],
  ['another code of B', 'bRefused', 'b.create', set('code', 'InvalidArgument'), 'B-errors'],
  ['ids of C with letters', 'c', 'c.create', set('task_id', old => `t${old}`), 'C-ids'],
  ['another modality', 'c', 'c.get', set('task.modality', 'movie'), 'c.task.modality'],
  [
    'seconds of C that do not add up',
    'c',
    'c.get',
    (body, passing) => {
      if (passing.status === 200) succeeded(set('task.usage.total_seconds', 9))(body, passing)
    },
    'C-usage',
  ],
  ['another action of DELETE', 'c', 'c.delete', set('action', 'removed'), 'c.delete.reply'],
  ['pages of ten', 'cPages', 'c.list', set('items.length', 10), 'c.list.page-size'],
  [
    'oldest first',
    'cPages',
    'c.list',
    body => {
      body.items.reverse()
      body.items.forEach((item: { created_at: number }, i: number) => {
        item.created_at += i
      })
    },
    'C-list',
  ],
  ['http_code as a number', 'cRefused', 'c.create', set('error.http_code', 400), 'C-errors'],
  ['another type of error', 'cRefused', 'c.create', set('error.type', 'invalid_request_error'), 'c.errors.bad-request'],
  ['a running special task is 409', 'special', 'special.delete', status(409), 'special.delete.running'],
  ['a special task of another account is 400', 'special', 'special.get', insteadOf(404, 400), 'C-unknown-task'],
  ['two videos in the usage', 'b', 'b.get', succeeded(set('usage.video_count', 2)), 'B-usage'],
  [
    'an end before the start',
    'b',
    'b.get',
    body => {
      if (body.output.end_time)
        body.output.end_time = body.output.submit_time.replace(/\d{3}$/, '000').replace(/^\d{4}/, '2025')
    },
    'B-states',
  ],
  ['a failure of B without a code', 'bEnds', 'b.get', drop('output.code'), 'B-states'],
  ['a cancel of B is 204', 'bEnds', 'b.cancel', status(204), 'B-cancel'],
  ['no Retry-After in B', 'bLimited', 'b.create', header('retry-after'), 'A-rate'],
  ['times of C in milliseconds', 'c', 'c.get', accepted(both(set('task.created_at', old => old * 1000), set('task.updated_at', old => old * 1000))), 'C-ids'],
  ['the resolution of C in another case', 'c', 'c.get', accepted(set('task.resolution', '768p')), 'C-task'],
  ['a removed task is 404', 'c', 'c.get', insteadOf(400, 404), 'C-unknown-task'],
  ['a removed task is shown', 'c', 'c.get', acceptedInstead(/./, { task: { id: '1', status: 'succeeded' } }), 'C-unknown-task'],
  ['the code of a failure of C as a word', 'cOthers', 'c.get', accepted(set('task.error.code', 'Internal')), 'C-errors'],
  ['a link of B that is valid for an hour', 'b', 'b.get', succeeded(set('output.video_url', old => shorter(old, 82_800))), 'A-links'],
  ['a link of C that is valid for an hour', 'c', 'c.get', accepted(set('task.content.url', old => shorter(old, 82_800))), 'C-links'],
  ['a running task of C cannot be deleted: 422', 'cLists', 'c.delete', insteadOf(400, 422), 'C-delete'],
  ['a complete list that leaves a task out', 'c', 'c.list', body => { Object.assign(body, { items: [], total: 0 }) }, 'C-list'],
  [
    'times of B in UTC',
    'b',
    'b.get',
    ({ output }) => {
      for (const name of ['submit_time', 'scheduled_time', 'end_time'])
        if (output[name])
          output[name] = new Date(Date.parse(`${output[name].replace(' ', 'T')}+08:00`))
            .toISOString()
            .replace('T', ' ')
            .replace('Z', '')
    },
    'B-times',
  ],
  ['a list of B that ignores its filter', 'bLists', 'b.list', set('data.0.status', 'FAILED'), 'B-list'],
]
