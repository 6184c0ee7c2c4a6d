import type { Answer, Gateway } from '../gateway.ts'
import { refused } from '../refusals.ts'
import { at, must, oneOf, type Rule, same, textAt, wholeAt } from '../rule.ts'
import { isFiltered, isPng, isVideo, pngSize, pollUntil, reads, videoSize } from '../watch.ts'
import { aRefusals, plain, tasks } from './a-refusals.ts'

const table = 'family A, "create request"'

/** One task for all rules about accepted requests. */
function finished(gateway: Gateway): Promise<{ made: Answer; seen: string[]; task: unknown }> {
  return gateway.once('a.finished', async () => {
    const made = await gateway.ask('POST', tasks, { body: { ...plain(gateway), return_last_frame: true } })
    same(`The status (${JSON.stringify(made.body)})`, made.status, 200)
    const { seen, body } = await pollUntil(
      gateway,
      `${tasks}/${textAt(made.body, 'id')}`,
      found => textAt(found, 'status'),
      ['queued', 'running'],
    )
    return { made, seen, task: body }
  })
}

const watched = reads('a', finished)

export const aRules: readonly Rule[] = [
  ...aRefusals,
  {
    id: 'a.prefix',
    family: 'a',
    says: 'the path without /api is a 404',
    cites: '"Endpoints", family A',
    costs: false,
    async check(gateway) {
      same('The status', (await gateway.ask('GET', tasks.replace('/api', ''))).status, 404)
    },
  },
  {
    id: 'a.missing',
    family: 'a',
    says: 'a task that does not exist is a 404',
    cites: '"Errors" 4',
    costs: false,
    async check(gateway) {
      refused('a', await gateway.ask('GET', `${tasks}/cgt-20200101000000-zzzzz`), [404])
    },
  },
  watched('create', 'a create answers with only the task’s id', '"Endpoints", family A', ({ made }) => {
    same('The fields', Object.keys(made.body as object).join(), 'id')
  }),
  watched(
    'states',
    'a task is queued, then running, then succeeded',
    '"States and transitions"',
    ({ seen }) => {
      const order = ['queued', 'running', 'succeeded']
      must(
        seen.join() === order.filter(state => seen.includes(state)).join() && seen.at(-1) === 'succeeded',
        `The states were ${seen.join(', ')}`,
      )
    },
  ),
  watched('record', 'a succeeded task describes its result', 'family A, "task record"', ({ task }) => {
    same('resolution', at(task, 'resolution'), '480p')
    same('ratio', at(task, 'ratio'), '16:9')
    for (const name of ['duration', 'framespersecond', 'created_at', 'updated_at']) wholeAt(task, name)
    must(wholeAt(task, 'usage', 'total_tokens') > 0, 'No tokens were used')
    wholeAt(task, 'usage', 'completion_tokens')
    same('generate_audio', at(task, 'generate_audio'), true)
  }),
  watched('list', 'the list can be filtered by status', '"Endpoints", family A', (_, gateway) =>
    isFiltered(gateway, tasks, 'status', ['succeeded', 'failed']),
  ),
  watched(
    'format',
    'output_format is mp4 or mov, when it is given',
    'family A, "task record"',
    ({ task }) => {
      oneOf('output_format', at(task, 'output_format'), ['mp4', 'mov', undefined])
    },
  ),
  watched('link', 'the video is downloaded without a key', '"Link rules"', async ({ task }, gateway) => {
    isVideo(await gateway.download(textAt(task, 'content', 'video_url')))
  }),
  watched('last-frame', 'the last frame is a PNG of the video’s size', table, async ({ task }, gateway) => {
    const video = await gateway.download(textAt(task, 'content', 'video_url'))
    const picture = await gateway.download(textAt(task, 'content', 'last_frame_url'))
    isVideo(video)
    isPng(picture)
    same('The size of the picture', pngSize(picture.bytes), videoSize(video.bytes))
  }),
  watched(
    'other-account',
    'a task of another account is a 404',
    '"Errors" 4',
    async ({ task }, gateway) => {
      const key = gateway.otherKey ?? ''
      refused('a', await gateway.ask('GET', `${tasks}/${textAt(task, 'id')}`, { key }), [404])
    },
    'other account',
  ),
]
