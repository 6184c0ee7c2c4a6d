import { describe, expect, it } from 'vitest'
import type { GatewayEntry } from '../../src/evidence/recordings/har.ts'
import { type Edit, withChange } from '../support/changed-recording.ts'
import { openGateway } from '../support/gateway.ts'
import { jobs } from '../support/gateway-changes/jobs.ts'
import { paths, type Traveller, videoC } from '../support/journey.ts'
import { contradictedIn, openJudge } from '../support/judged.ts'
import { recordedOn } from '../support/recorder.ts'

const gateway = await openGateway({ strict: false })
const judge = await openJudge()

const { a, b, images, k } = paths
const ofA = (more: object) => ({ model: 'model_a_25', content: [{ type: 'text', text: 'a pier' }], ...more })
const ofImage = (more: object) => ({ model: 'model_image', prompt: 'a pier', ...more })
const asked =
  (path: string, ...bodies: unknown[]) =>
  async (to: Traveller) => {
    for (const body of bodies) await to.ask('POST', path, body)
  }

const entriesOf = (journey: (to: Traveller) => Promise<unknown>) => recordedOn(journey, gateway)

const rowsOn = async (journey: (to: Traveller) => Promise<unknown>) => rowsOf(await entriesOf(journey))

async function rowsOf(entries: readonly GatewayEntry[]) {
  const verdict = await judge(entries)
  const { rows, unclaimed } = verdict
  const rowOf = (id: string) => rows.find(row => row.id === id)
  return {
    confirmed: rows.filter(({ status }) => status === 'confirmed').map(({ id }) => id),
    contradicted: contradictedIn(verdict),
    unclaimed,
    shownOf: (id: string) => rowOf(id)?.shown,
    placesOf: (id: string) => rowOf(id)?.differences.map(({ path }) => path),
  }
}

describe('a row is confirmed when the whole of its sentence was seen', () => {
  it.each([
    ['a.create.duration-25', 'one end of the range', [{ duration: 31 }]],
    [
      'a.create.duration-25',
      'values far from the range',
      [{ duration: 100 }, { duration: 1 }, { duration: 4.5 }],
    ],
    ['a.create.content', 'no array only', [{ content: 'text' }]],
    ['a.create.audio-default', 'the type only', [{ generate_audio: 'true' }]],
    ['image.request.size-pixels', 'one end of the range', [{ size: '960x959' }]],
    ['image.request.size-pixels', 'the other end', [{ size: '2151x2150' }]],
  ])('%s is left open by %s', async (row, _, changes) => {
    const isImage = row.startsWith('image.')
    const bodies = changes.map(change => (isImage ? ofImage(change) : ofA(change)))
    const { confirmed } = await rowsOn(asked(isImage ? images : a, ...bodies))
    expect(confirmed).not.toContain(row)
    expect(confirmed).toContain(isImage ? 'image.errors.shape' : 'a.errors.shape')
  })

  it.each([
    ['a.create.duration-25', a, [{ duration: 3 }, { duration: 31 }, { duration: 4.5 }].map(ofA)],
    ['a.create.content', a, [{ content: 'text' }, { content: undefined }].map(ofA)],
    ['image.request.size-pixels', images, [{ size: '960x959' }, { size: '2151x2150' }].map(ofImage)],
    ['image.request.prompt', images, [{ prompt: '' }, { prompt: undefined }].map(ofImage)],
  ])('%s is confirmed by all of its parts', async (row, path, bodies) => {
    const { confirmed, contradicted } = await rowsOn(asked(path, ...bodies))
    expect(confirmed).toContain(row)
    expect(contradicted).toEqual([])
  })

  it('a filter is shown only by a list that leaves a task out', async () => {
    const { confirmed } = await rowsOn(async to => {
      const { body } = await to.ask('POST', a, ofA({ resolution: '480p', ratio: '16:9', duration: 4 }))
      await to.until(`${a}/${body.id}`, ['queued', 'running'])
      await to.ask('GET', `${a}?filter.status=succeeded&filter.task_ids=${body.id}`)
    })
    expect(confirmed).toContain('a.record.id')
    expect(confirmed).not.toContain('a.list.status')
  })

  it.each([
    ['b.states.unknown-missing', 'a 404', 'b', 'b.get', 404],
    ['a.create.refusals', 'statuses that it does not name', 'aModerated', 'a.create', 403],
    ['all.auth.model-right', 'a 403 with a code that nobody knows', 'aModerated', 'a.create', 403],
  ] as const)('%s is not confirmed by %s', async (row, _, job, operation, status) => {
    const edit: Edit = (body, passing) => {
      const isTarget = job === 'b' ? body.output?.task_status === 'UNKNOWN' : passing.status >= 400
      if (!isTarget) return
      passing.status = status
      passing.body =
        job === 'b'
          ? { code: 'NotFound', message: 'none', request_id: 'x' }
          : { error: { code: 'Odd', message: 'no', param: '', type: 'Forbidden' } }
    }
    const { confirmed } = await rowsOf(withChange(await entriesOf(jobs[job]), operation, edit))
    expect(confirmed).not.toContain(row)
  })
})

describe('a confirmed row says how far it was seen', () => {
  const short = { resolution: '480p', ratio: '16:9', duration: 4 }

  it('a create, two polls and a list confirm an assumption for the fields that were in them, and no rule about others', async () => {
    const { confirmed, shownOf } = await rowsOn(async to => {
      const { body } = await to.ask('POST', a, ofA(short))
      await to.ask('GET', `${a}/${body.id}`)
      await to.ask('GET', `${a}/${body.id}`)
      await to.ask('GET', `${a}?page_size=5`)
    })
    expect(confirmed.filter(id => /^[A-Z]-/.test(id))).toEqual(['A-headers', 'A-flags', 'A-times'])
    expect(shownOf('A-flags')).toEqual(['execution_expires_after'])
    expect(shownOf('A-headers')).toEqual(['header.x-request-id'])
    expect(shownOf('all.service.async-video')).toEqual(['a'])
    expect(shownOf('a.record.id')).toEqual([])
  })

  it('a request with null that is accepted shows null, and one that is refused does not', async () => {
    const refused = await rowsOn(async to => {
      await to.ask('POST', a, ofA({ ...short, seed: null }), null)
      await to.ask('POST', b, { model: 'model_b', input: { prompt: 7 }, parameters: { seed: null } })
    })
    expect(refused.confirmed).not.toContain('A-null')
    const { shownOf } = await rowsOn(asked(a, ofA({ ...short, seed: null, tools: null })))
    expect(shownOf('A-null')).toEqual(['200 for seed', '200 for tools'])
  })

  it('a body that is no JSON shows what such a body gives, and not that a field is required', async () => {
    const { confirmed, shownOf } = await rowsOn(async to => {
      for (const path of [a, b, '/v2/video_generation', k, images]) await to.ask('POST', path, '{')
    })
    expect(shownOf('A-body')).toEqual(['400'])
    expect(confirmed.filter(id => /\.(?:create|request)\.(?!refusals)/.test(id))).toEqual([])
  })

  it('a request to a wrong path alone is no request to a gateway below that path', async () => {
    const { confirmed, contradicted, unclaimed } = await rowsOn(to =>
      to.ask('POST', '/api/v2/video_generation', {}),
    )
    expect([confirmed, contradicted, unclaimed]).toEqual([['c.path.no-api', 'A-headers'], [], []])
  })

  it('a request without a model shows no answer to an unknown one', async () => {
    const missing = await rowsOn(asked(a, { content: [{ type: 'text', text: 'a pier' }] }))
    expect(missing.confirmed).toContain('a.create.model')
    expect(missing.confirmed).not.toContain('A-unknown-model')
    const unknown = await rowsOn(asked(a, ofA({ model: 'nobody' })))
    expect(unknown.shownOf('A-unknown-model')).toEqual(['400 for model', 'error.code'])
  })

  it('a refusal that names another parameter does not confirm the assumption by which the emulator refuses', async () => {
    const entries = await entriesOf(asked(a, ofA({ ...short, frames: 29 })))
    const edit: Edit = body => {
      body.error.param = ''
      body.error.message = 'no'
    }
    expect((await rowsOf(withChange(entries, 'a.create', edit))).confirmed).not.toContain('A-forbidden')
  })

  it.each([
    ['a.states.terminal', 'a success', async (to: Traveller) => jobs.a(to)],
    ['a.create.refusals', 'a 400', asked(a, ofA({ duration: 100 }))],
    ['c.delete.finished', 'a task that succeeded', async (to: Traveller) => jobs.c(to)],
  ])('%s is about several, and %s is one of them', async (row, _, journey) => {
    const { confirmed, contradicted } = await rowsOn(journey)
    expect(confirmed).not.toContain(row)
    expect(contradicted).toEqual([])
  })
})

describe('a refusal confirms the rows about the parameter that it is about', () => {
  it.each([
    ['b.create.duration', b, { model: 'model_b', input: { prompt: 7 }, parameters: { duration: 'long' } }],
    ['image.request.stream', images, { prompt: 'a pier', stream: true }],
  ])('%s is left open by a request with an earlier mistake', async (row, path, body) => {
    const { confirmed, contradicted } = await rowsOn(asked(path, body))
    expect(confirmed).not.toContain(row)
    expect(contradicted).toEqual([])
  })

  it('the task of another account shows the rows about accounts, and not the one about missing tasks', async () => {
    const { confirmed } = await rowsOn(jobs.others)
    expect(confirmed).toEqual(expect.arrayContaining(['a.get.foreign', 'all.auth.owner']))
    expect(confirmed).not.toContain('a.get.missing')
  })

  it.each([
    ['special.get.namespace', 'a task of the standard variant', 'cOthers' as const, true],
    ['special.get.namespace', 'an id that nobody has', 'special' as const, false],
  ])('%s with %s', async (row, _, job, isConfirmed) => {
    expect((await rowsOn(jobs[job])).confirmed.includes(row)).toBe(isConfirmed)
  })

  it('paths without their prefix or version show the rows about paths', async () => {
    const { confirmed } = await rowsOn(jobs.noPrefix)
    expect(confirmed).toEqual(expect.arrayContaining(['a.path.prefix', 'c.versioning.path']))
    expect(confirmed).not.toContain('a.versioning.path')
  })

  it('a list need not count a task that the gateway no longer finds', async () => {
    const lost = ofA({ content: [{ type: 'text', text: 'a pier [[queue:1s]] [[run:1m]] [[gone:5s]]' }] })
    const { placesOf } = await rowsOn(async to => {
      const { body } = await to.ask('POST', a, lost)
      await to.advance('10s')
      await to.ask('GET', `${a}/${body.id}`)
      await to.ask('GET', a)
    })
    expect(placesOf('A-list')).toEqual(['items'])
  })

  it.each([
    ['600', undefined],
    ['400', ['items']],
  ])('a short page is blamed below the limit of a page only: page_size=%s', async (size, places) => {
    const entries = await entriesOf(async to => {
      for (let made = 0; made < 3; made++) await to.ask('POST', '/v2/video_generation', videoC('a pier'))
      await to.ask('GET', `/v2/query/video_generation?page_size=${size}`)
    })
    const short: Edit = body => {
      body.items.length = 1
    }
    const { placesOf, contradicted, unclaimed } = await rowsOf(withChange(entries, 'c.list', short))
    expect([...contradicted.flatMap(placesOf), ...unclaimed.map(({ path }) => path)]).toEqual(places ?? [])
  })

  it('a missing key says nothing about a wrong value (family K declares 4xx only)', async () => {
    const { confirmed, shownOf } = await rowsOn(to => to.ask('POST', k, { prompt: 7 }, null))
    expect(shownOf('all.auth.missing')).toEqual(['k'])
    expect(confirmed).not.toContain('k.create.prompt')
  })

  it('a refusal because of an earlier task blames no row', async () => {
    const body = (to: Traveller) => ({
      prompt: 'walk',
      contents: [{ type: 'first_frame', url: `${to.samples}/landscape.jpg` }],
      external_task_id: 'known-before',
      callback_url: '',
    })
    await entriesOf(to => to.ask('POST', k, body(to)))
    const { contradicted, unclaimed } = await rowsOn(to => to.ask('POST', k, body(to)))
    expect([contradicted, unclaimed]).toEqual([[], []])
  })
})

describe('wrong values contradict the rows that speak of them, and no others', () => {
  const succeeded =
    (change: (body: Record<string, unknown>) => void): Edit =>
    body => {
      if (body.status === 'succeeded') change(body)
      if (body.output?.task_status === 'SUCCEEDED') change(body)
      if (body.task?.status === 'succeeded') change(body.task)
      if (Array.isArray(body.data)) for (const item of body.data) change(item)
    }
  const set = (name: string, value: unknown): Edit =>
    succeeded(record => {
      const [first = '', second] = name.split('.')
      if (second === undefined) record[first] = value
      else record[first] = { ...(record[first] as object), [second]: value }
    })

  it.each<[keyof typeof jobs, string, string, unknown, string[]]>([
    ['a', 'a.get', 'generate_audio', 'true', ['a.record.audio']],
    ['a', 'a.get', 'generate_audio', null, ['a.record.audio']],
    ['a', 'a.get', 'resolution', 480, ['a.record.resolution-ratio']],
    ['a', 'a.get', 'id', 7, ['a.record.id']],
    ['a', 'a.get', 'seed', '11', ['a.record.seed']],
    ['a', 'a.get', 'usage', [], ['a.record.usage']],
    ['a', 'a.get', 'output_format', 'webm', ['a.create.format', 'a.record.format']],
    ['b', 'b.get', 'usage.ratio', '21x9', ['b.get.ratio']],
    ['b', 'b.get', 'usage.fps', '30', ['b.get.fps']],
    ['b', 'b.get', 'usage.SR', null, ['b.get.sr']],
    ['b', 'b.get', 'output.submit_time', '2026-03-01T08:00:00Z', ['b.get.times']],
    ['c', 'c.get', 'ratio', 1.78, ['c.task.ratio']],
    ['c', 'c.get', 'usage.total_seconds', '5', ['c.task.usage']],
    ['c', 'c.get', 'content', null, ['c.task.url']],
    ['image', 'image.generate', 'size', '1024*1024', ['image.reply.size']],
    ['image', 'image.generate', 'size', 1024, ['image.reply.size']],
    ['image', 'image.generate', 'output_format', 'gif', ['image.reply.format']],
  ])('%s: %s with %s = %j', async (job, operation, name, value, rows) => {
    const changed = withChange(await entriesOf(jobs[job]), operation, set(name, value))
    const { contradicted, unclaimed, confirmed } = await rowsOf(changed)
    expect(contradicted).toEqual(rows)
    expect(unclaimed).toEqual([])
    expect(confirmed.length).toBeGreaterThan(2)
  })
})
