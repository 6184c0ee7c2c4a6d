import type { Answer, Gateway } from '../gateway.ts'
import { refusals, refused } from '../refusals.ts'
import { at, must, oneOf, type Rule, same, shown, textAt, wholeAt } from '../rule.ts'
import { isFiltered, isVideo, pollUntil, reads } from '../watch.ts'
import { common, onlySpecial, plain } from './c-refusals.ts'

type Variant = 'c' | 'special'

const prefixes: Readonly<Record<Variant, string>> = { c: '/v2', special: '/special/v2' }
const states = ['queued', 'running', 'succeeded', 'failed', 'cancelled']

interface Finished {
  made: Answer
  seen: string[]
  task: unknown
}

function finished(variant: Variant, path: string, change: Record<string, unknown>) {
  const prefix = prefixes[variant]
  return (gateway: Gateway): Promise<Finished> =>
    gateway.once(`${variant}${path}`, async () => {
      const made = await gateway.ask('POST', prefix + path, { body: { ...plain(gateway), ...change } })
      same(`The status (${shown(made.body)})`, made.status, 200)
      const id = textAt(made.body, 'task_id')
      const { seen, body } = await pollUntil(
        gateway,
        `${prefix}/query/video_generation/${id}`,
        found => textAt(found, 'task', 'status'),
        ['queued', 'running'],
      )
      return { made, seen, task: at(body, 'task') }
    })
}

const enhancing = { resolution: undefined }

/** Needs no task. */
function listing(variant: Variant): Rule {
  return {
    id: `${variant}.list`,
    family: variant,
    says: 'a list has items and a total',
    cites: '"Endpoints", list',
    costs: false,
    async check(gateway) {
      const { status, body } = await gateway.ask('GET', `${listOf(variant)}?page_num=1&page_size=3`)
      same('The status', status, 200)
      const items = at(body, 'items')
      must(Array.isArray(items) && items.length <= 3, 'items is not a list of at most 3')
      must(wholeAt(body, 'total') >= items.length, 'The total is less than the page')
    },
  }
}

function listOf(variant: Variant): string {
  return `${prefixes[variant]}/query/video_generation`
}

function watching(variant: Variant): Rule[] {
  const video = reads(variant, finished(variant, '/video_generation', {}))
  const words = reads(variant, finished(variant, '/h3_context_ir', enhancing))
  return [
    video('create', 'a create answers with only the task’s id', '"Endpoints"', ({ made }) => {
      same('The fields', Object.keys(made.body as object).join(), 'task_id')
    }),
    video(
      'states',
      'a task reaches succeeded through the listed states',
      '"States and transitions"',
      ({ seen }) => {
        for (const state of seen) oneOf('A state', state, states)
        same('The last state', seen.at(-1), 'succeeded')
      },
    ),
    video('task', 'a succeeded task describes its result', '"task object"', ({ task }) => {
      same('task_type', at(task, 'task_type'), 'generation')
      same('modality', at(task, 'modality'), 'video')
      same('resolution', at(task, 'resolution'), '768P')
      same('duration', at(task, 'duration'), 5)
      same('ratio', at(task, 'ratio'), '16:9')
      for (const name of ['created_at', 'updated_at']) wholeAt(task, name)
    }),
    video(
      'link',
      'the video is downloaded without a key',
      '"Authentication" 6',
      async ({ task }, gateway) => {
        isVideo(await gateway.download(textAt(task, 'content', 'url')))
      },
    ),
    video('list-status', 'a list can be filtered by status', '"Endpoints", list', (_, gateway) =>
      isFiltered(gateway, listOf(variant), 'status', ['succeeded', 'failed']),
    ),
    video('list-type', 'a list can be filtered by the type of task', '"Endpoints", list', (_, gateway) =>
      isFiltered(gateway, listOf(variant), 'task_type', ['generation', 'regeneration']),
    ),
    words('enhance', 'an enhancement answers with a prompt', '"Endpoints"', ({ task }) => {
      same('task_type', at(task, 'task_type'), 'h3_context_ir')
      same('modality', at(task, 'modality'), 'text')
      must(textAt(task, 'content', 'prompt').length > 0, 'The prompt is empty')
    }),
    words(
      'delete',
      'a succeeded task can be deleted',
      '"States and transitions"',
      async ({ task }, gateway) => {
        const id = textAt(task, 'id')
        const { status, body } = await gateway.ask('DELETE', `${prefixes[variant]}/video_generation/${id}`)
        same(`The status (${shown(body)})`, status, 200)
        same('action', at(body, 'action'), 'deleted')
        same('status', at(body, 'status'), 'deleted')
        same('task_id', at(body, 'task_id'), id)
      },
    ),
  ]
}

export const cRules: readonly Rule[] = [
  ...refusals('c', '/v2/video_generation', plain, common('/v2', '"Family C"')),
  listing('c'),
  ...watching('c'),
]

export const specialRules: readonly Rule[] = [
  ...refusals('special', '/special/v2/video_generation', plain, [
    ...common('/special/v2', '"Family C-special"'),
    ...onlySpecial,
  ]),
  listing('special'),
  {
    id: 'special.missing',
    family: 'special',
    says: 'a task that does not exist is a 404',
    cites: '"Family C-special"',
    costs: false,
    async check(gateway) {
      refused('special', await gateway.ask('GET', '/special/v2/query/video_generation/123456789'), [404])
    },
  },
  ...watching('special'),
  reads('special', finished('c', '/video_generation', {}))(
    'wall',
    'a task made through /v2 is a 404 here',
    '"Errors" 4',
    async ({ task }, gateway) => {
      const path = `/special/v2/query/video_generation/${textAt(task, 'id')}`
      refused('special', await gateway.ask('GET', path), [404])
    },
  ),
]
