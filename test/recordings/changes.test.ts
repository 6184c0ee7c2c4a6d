import { afterAll, describe, expect, it } from 'vitest'
import { connectEmulator } from '../../src/client/client.ts'
import { compareRecording } from '../../src/recordings/comparison.ts'
import { readHarFile } from '../../src/recordings/har-file.ts'
import { readSteps } from '../../src/recordings/steps.ts'
import { exitCode, type Verdict, verdictOf } from '../../src/recordings/verdict.ts'
import { changedGateway, type Passing } from '../support/changing-proxy.ts'
import { openGateway } from '../support/gateway.ts'
import { journeyWorld, type Traveller, traveller } from '../support/journey.ts'
import { recordAt } from '../support/recorder.ts'

const gateway = await openGateway({ strict: false })
const own = await openGateway()
const emulator = connectEmulator(own.url)
const changed = await changedGateway(gateway.url)
afterAll(() => changed.close())

const a = '/api/v3/contents/generations/tasks'
const text =
  (more: object = {}) =>
  (to: Traveller, tags = to.tags(4, 8)) => ({
    model: 'model_a_25',
    content: [{ type: 'text', text: `a pier ${tags}` }],
    resolution: '480p',
    ratio: '16:9',
    duration: 4,
    ...more,
  })
const plain = text()
const c = (to: Traveller, more: object = {}) => ({
  model: 'model_c',
  content: [{ type: 'text', text: `a pier ${to.tags(3, 5)}` }],
  resolution: '768P',
  duration: 5,
  ratio: '16:9',
  ...more,
})
const still = ['queued', 'running', 'PENDING', 'RUNNING', 'submitted', 'processing']

let otherFile = ''

/** Short jobs, each a world of its own. */
const jobs = {
  async a(to: Traveller) {
    const { body } = await to.ask('POST', a, plain(to))
    await to.until(`${a}/${body.id}`, still)
    await to.ask('GET', `${a}?page_size=50`)
  },
  async aFile(to: Traveller) {
    const other = await to.ask('POST', a, text({ resolution: '720p' })(to))
    await to.until(`${a}/${other.body.id}`, still)
    const { body } = await to.ask('POST', a, { ...plain(to), return_last_frame: true })
    const { content } = await to.until(`${a}/${body.id}`, still)
    await to.download(content.video_url)
  },
  async aFailure(to: Traveller) {
    const { body } = await to.ask('POST', a, plain(to, `${to.tags(3, 5)} [[fail:InternalServiceError]]`))
    await to.until(`${a}/${body.id}`, still)
  },
  async aDelete(to: Traveller) {
    const { body } = await to.ask('POST', a, plain(to, to.tags(1, 60_000)))
    await to.until(`${a}/${body.id}`, ['queued'])
    await to.ask('DELETE', `${a}/${body.id}`)
    const waiting = await to.ask('POST', a, plain(to, to.tags(60_000, 1)))
    await to.ask('DELETE', `${a}/${waiting.body.id}`)
    await to.ask('GET', `${a}/${waiting.body.id}`)
  },
  async aRefused(to: Traveller) {
    await to.ask('POST', a, text({ duration: 31 })(to))
    await to.ask('GET', `${a}/cgt-20200101000000-zzzzz`)
    await to.ask('POST', a, plain(to), null)
  },
  async aLimited(to: Traveller) {
    for (let made = 0; made < 7; made++)
      await to.ask('POST', a, plain(to), `sk-test-${journeyWorld}.throttled`)
  },
  async b(to: Traveller) {
    const request = {
      model: 'model_b',
      input: { prompt: `a pier ${to.tags(3, 5)}` },
      parameters: { resolution: '480P', ratio: '16:9', duration: 2 },
    }
    const { body } = await to.ask('POST', '/api/v1/services/aigc/video-generation/video-synthesis', request)
    await to.until(`/api/v1/tasks/${body.output.task_id}`, still)
    await to.ask('GET', '/api/v1/tasks/0f0f0f0f-0000-4000-8000-000000000000')
  },
  async bRefused(to: Traveller) {
    await to.ask('POST', '/api/v1/services/aigc/video-generation/video-synthesis', {
      model: 'model_b',
      input: { prompt: 'x' },
      parameters: { resolution: '9P' },
    })
  },
  async c(to: Traveller) {
    const { body } = await to.ask('POST', '/v2/video_generation', c(to))
    await to.until(`/v2/query/video_generation/${body.task_id}`, still)
    await to.ask('GET', '/v2/query/video_generation')
    await to.ask('DELETE', `/v2/video_generation/${body.task_id}`)
    await to.ask('GET', `/v2/query/video_generation/${body.task_id}`)
  },
  async cPages(to: Traveller) {
    for (let made = 0; made < 12; made++) await to.ask('POST', '/v2/video_generation', c(to))
    await to.ask('GET', '/v2/query/video_generation')
  },
  async cRefused(to: Traveller) {
    await to.ask('POST', '/v2/video_generation', c(to, { duration: 3 }))
  },
  async special(to: Traveller) {
    const { body } = await to.ask('POST', '/special/v2/video_generation', {
      ...c(to),
      content: [{ type: 'text', text: `a pier ${to.tags(1, 60_000)}` }],
    })
    await to.until(`/special/v2/query/video_generation/${body.task_id}`, ['queued'])
    await to.ask('DELETE', `/special/v2/video_generation/${body.task_id}`)
    await to.ask('GET', '/special/v2/query/video_generation/123456789012345')
  },
  async k(to: Traveller) {
    const request = {
      prompt: `walk ${to.tags(3, 5)}`,
      settings: { duration: 3 },
      contents: [{ type: 'first_frame', url: `${to.samples}/landscape.jpg` }],
    }
    const { body } = await to.ask('POST', '/image-to-video/model_k_30', request)
    await to.until(`/tasks?task_ids=${body.data.id}`, still)
    await to.ask('GET', '/videos/avatar/image2video/123456789012345678')
  },
  async image(to: Traveller) {
    await to.ask('POST', '/api/v3/images/generations', {
      model: 'model_image',
      prompt: 'a pier',
      size: '1024x1024',
    })
    await to.ask('POST', '/api/v3/images/generations', {
      model: 'model_image',
      prompt: 'a pier',
      stream: true,
    })
  },
} satisfies Record<string, (to: Traveller) => Promise<void>>

// biome-ignore lint/suspicious/noExplicitAny: a change reaches into replies of every shape
type Edit = (body: any, passing: Passing) => void
type Change = [what: string, job: keyof typeof jobs, operation: string, edit: Edit, row: string]

const succeeded =
  (edit: Edit): Edit =>
  (body, passing) => {
    const word = body.status ?? body.output?.task_status ?? body.task?.status ?? body.data?.[0]?.status
    if (/^(succeeded|SUCCEEDED)$/.test(word)) edit(body, passing)
  }
const status =
  (to: number): Edit =>
  (_, passing) => {
    passing.status = to
  }
const shorter = (link: string, seconds: number) =>
  link.replace(/Expires=(\d+)/, (_, end) => `Expires=${Number(end) - seconds}`)

/** One thing that is different about the gateway, and the row that it is against. */
const changes: readonly Change[] = [
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
    'null for a content that is not there yet',
    'a',
    'a.get',
    body => {
      body.content ??= null
    },
    'a.record.video-url',
  ],
  [
    'null for an error that is not there',
    'a',
    'a.get',
    succeeded(body => {
      body.error = null
    }),
    'a.record.error',
  ],
  [
    'total tokens that are no total',
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
    'a seed that is no number',
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
    'a.record.fps',
  ],
  [
    'no output_format',
    'a',
    'a.get',
    succeeded(body => {
      delete body.output_format
    }),
    'a.record.format',
  ],
  [
    'another ratio than was asked for',
    'a',
    'a.get',
    succeeded(body => {
      body.ratio = '4:3'
    }),
    'a.record.resolution-ratio',
  ],
  [
    'a link that lives an hour',
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
    'a.get',
    succeeded((body, { count }) => {
      if (body.resolution === '720p') otherFile = body.content.video_url
      else if (count > 0) body.content.video_url = otherFile
    }),
    'a.record.resolution-ratio',
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
    'another code for it',
    'aDelete',
    'a.delete',
    body => {
      if (body.error) body.error.code = 'TaskRunning'
    },
    'A-delete',
  ],
  [
    'a delete that tells something',
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
    'a.create.duration-25',
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
    'a.errors.shape',
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
    'a task of B starts as QUEUED',
    'b',
    'b.create',
    body => {
      body.output.task_status = 'QUEUED'
    },
    'b.create.pending',
  ],
  [
    'times of B with a T',
    'b',
    'b.get',
    body => {
      if (body.output.submit_time) body.output.submit_time = body.output.submit_time.replace(' ', 'T')
    },
    'b.get.times',
  ],
  [
    'seconds of B that do not add up',
    'b',
    'b.get',
    succeeded(body => {
      body.usage.duration = 7
    }),
    'B-usage',
  ],
  [
    'SR of B as a text',
    'b',
    'b.get',
    succeeded(body => {
      body.usage.SR = '480'
    }),
    'b.get.sr',
  ],
  [
    'no end_time',
    'b',
    'b.get',
    succeeded(body => {
      delete body.output.end_time
    }),
    'B-states',
  ],
  [
    'an unknown task of B is 404',
    'b',
    'b.get',
    (body, passing) => {
      if (body.output.task_status === 'UNKNOWN') passing.status = 404
    },
    'b.states.unknown-missing',
  ],
  [
    'an error of B in another shape',
    'bRefused',
    'b.create',
    (body, passing) => {
      passing.body = { error: body }
    },
    'b.errors.shape',
  ],
  [
    'another code of B',
    'bRefused',
    'b.create',
    body => {
      body.code = 'InvalidArgument'
    },
    'B-errors',
  ],
  [
    'ids of C with letters',
    'c',
    'c.create',
    body => {
      body.task_id = `t${body.task_id}`
    },
    'C-ids',
  ],
  [
    'another modality',
    'c',
    'c.get',
    body => {
      if (body.task) body.task.modality = 'movie'
    },
    'c.task.modality',
  ],
  [
    'seconds of C that do not add up',
    'c',
    'c.get',
    (body, passing) => {
      if (passing.status === 200)
        succeeded(inner => {
          inner.task.usage.total_seconds = 9
        })(body, passing)
    },
    'C-usage',
  ],
  [
    'another action of DELETE',
    'c',
    'c.delete',
    body => {
      body.action = 'removed'
    },
    'c.delete.reply',
  ],
  [
    'pages of ten',
    'cPages',
    'c.list',
    body => {
      body.items.length = 10
    },
    'c.list.page-size',
  ],
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
  [
    'http_code as a number',
    'cRefused',
    'c.create',
    body => {
      body.error.http_code = 400
    },
    'c.errors.shape',
  ],
  [
    'another type of error',
    'cRefused',
    'c.create',
    body => {
      body.error.type = 'invalid_request_error'
    },
    'c.errors.bad-request',
  ],
  ['a running special task is 409', 'special', 'special.delete', status(409), 'special.delete.running'],
  [
    'a foreign special task is 400',
    'special',
    'special.get',
    (_, passing) => {
      if (passing.status === 404) passing.status = 400
    },
    'special.get.namespace',
  ],
  [
    'success is spelled succeed',
    'k',
    'k.tasks.get',
    succeeded(body => {
      body.data[0].status = 'succeed'
    }),
    'k.states.finish',
  ],
  [
    'data of K is no list',
    'k',
    'k.tasks.get',
    body => {
      body.data = body.data[0]
    },
    'k.tasks.array',
  ],
  [
    'durations of K as numbers',
    'k',
    'k.tasks.get',
    succeeded(body => {
      body.data[0].outputs[0].duration = 3.041
    }),
    'k.tasks.outputs',
  ],
  [
    'another length of K',
    'k',
    'k.tasks.get',
    succeeded(body => {
      body.data[0].outputs[0].duration = '3.000'
    }),
    'K-duration',
  ],
  ['an unknown avatar is 404', 'k', 'k.avatar.get', status(404), 'K-not-found'],
  [
    'a picture of another size',
    'image',
    'image.generate',
    body => {
      if (body.data) body.data[0].size = '1024x1000'
    },
    'I-size',
  ],
  [
    'tokens of pictures counted otherwise',
    'image',
    'image.generate',
    body => {
      if (body.usage) body.usage.total_tokens += 5
    },
    'I-usage',
  ],
  [
    'a link of a picture that lives an hour',
    'image',
    'image.generate',
    body => {
      if (body.data) body.data[0].url = shorter(body.data[0].url, 82_800)
    },
    'image.request.link-life',
  ],
  [
    'stream is not refused with 400',
    'image',
    'image.generate',
    (_, passing) => {
      if (passing.status === 400) passing.status = 422
    },
    'image.request.stream',
  ],
]

async function verdictWith(
  job: keyof typeof jobs,
  operation = '',
  edit: Edit = () => undefined,
): Promise<Verdict> {
  changed.change = passing => {
    if (passing.operation === operation) edit(passing.body, passing)
  }
  const recorder = await recordAt(changed.url)
  try {
    // A change may end a job early for its client, as it would in life.
    await jobs[job](traveller(gateway, recorder.url, 0)).catch(() => undefined)
  } finally {
    await recorder.close()
  }
  const { log } = await readHarFile(recorder.path)
  recorder.drop()
  return verdictOf([await compareRecording(readSteps(job, log.entries), emulator)], () => false)
}

const contradicted = ({ rows }: Verdict) =>
  rows.filter(row => row.status === 'contradicted').map(({ id }) => id)

describe('a gateway with one thing changed is told by the row that it is against (recordings, "Compare")', () => {
  it('looks at forty changes at least', () => {
    expect(changes.length).toBeGreaterThanOrEqual(40)
  })

  it.each(changes)('%s', async (_, job, operation, edit, row) => {
    const verdict = await verdictWith(job, operation, edit)
    expect(contradicted(verdict)).toContain(row)
    expect(contradicted(verdict).length).toBeLessThanOrEqual(3)
    expect(exitCode(verdict, 'unknown')).toBe(1)
  })

  it.each(Object.keys(jobs) as (keyof typeof jobs)[])(
    'the job %s comes out clean when nothing is changed',
    async job => {
      const verdict = await verdictWith(job)
      expect(contradicted(verdict)).toEqual([])
      expect(verdict.unclaimed).toEqual([])
      expect(exitCode(verdict, 'unknown')).toBe(0)
    },
  )

  it('a field that no row knows is told, and is an end of its own (exit 4)', async () => {
    const verdict = await verdictWith('a', 'a.get', body => {
      body.service_level = 'gold'
    })
    expect(contradicted(verdict)).toEqual([])
    expect(verdict.unclaimed).toMatchObject([{ aspect: 'more', path: 'service_level', recorded: 'gold' }])
    expect(exitCode(verdict, 'unknown')).toBe(4)
    expect(exitCode(verdict, 'changed')).toBe(0)
  })
})
