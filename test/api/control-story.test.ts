// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.

import { describe, expect, test } from 'vitest'
import { connectEmulator } from '../../src/explore/play/emulator-client.ts'
import type { Finding } from '../../src/kits/client/types.ts'
import { text, textBody, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { oneVideoForAll } from '../support/job-answers.ts'

oneVideoForAll()

const gateway = await openGateway()

function inWorld() {
  const world = worldOfA(gateway)
  const bodyOf = (others: object, words: string) => textBody({ content: [text(words)], ...others })
  return {
    ...world,
    create: (others: object = {}, words = 'a kite') => world.create(bodyOf(others, words)),
    made: (others: object = {}, words = 'a kite') => world.made(bodyOf(others, words)),
    story: async (id: string) => (await world.control('GET', `/tasks/${id}/story`)).body,
    findings: async () => (await world.control('GET', '/findings')).body.items as Finding[],
  }
}
const it = test.extend('w', () => inWorld())

/** The story as `kind text` lines, so that a test reads as the log does. */
const linesOf = (story: { items: { kind: string; text: string }[] }) =>
  story.items.map(({ kind, text }) => `${kind} ${text}`)

describe('GET /tasks/{id}/story', () => {
  it('is one ordered list from the create to the next change', async ({ w }) => {
    const id = await w.made({ sed: 7 }, 'a kite [[queue:10s]] [[run:1m]]')
    for (let i = 0; i < 4; i++) await w.get(id)
    await w.advance('10s')
    await w.get(id)
    const story = await w.story(id)
    expect(linesOf(story)).toEqual([
      'request POST a.create -> 200: the task was made',
      'note these fields of the request are ignored: sed',
      'rule prompt/queue,prompt/run decided: waits 10s, runs 1m, then succeeded',
      expect.stringMatching(/^charge reserved [\d.]+ credits$/),
      'finding unread_fields: a.create sent fields that are ignored: sed',
      'request GET a.get -> 200: queued, 4 times',
      'transition queued -> running',
      'request GET a.get -> 200: running',
      'next becomes succeeded in 1m, as prompt/queue,prompt/run decided when it was made; the clock is manual and moves only when it is advanced',
    ])
    const times = story.items.map(({ at_ms }: { at_ms: number }) => at_ms)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(story.items[5]).toMatchObject({ count: 4, status: 200 })
    expect(story.items[5].request_ids).toHaveLength(4)
    expect(story.text.split('\n')).toHaveLength(story.items.length)
    expect(story.text).toContain('08:00:10.000  transition  queued -> running')
  })

  it('says the day where it changes, so that no line seems to run backwards', async ({ w }) => {
    const id = await w.made({}, 'a kite [[queue:1s]] [[run:36h]]')
    await w.advance({ until: 'idle' })
    const { text, items } = await w.story(id)
    const lines: string[] = text.split('\n')
    expect(lines.filter(line => line.startsWith('---'))).toHaveLength(1)
    const day = new Date(items.at(-2).at_ms).toISOString().slice(0, 10)
    expect(lines.indexOf(`--- ${day} ---`)).toBe(
      lines.findIndex(line => line.includes('running -> succeeded')) - 1,
    )
  })

  it('lists downloads, what broke them, the end of links, and removals', async ({ w }) => {
    const id = await w.made({}, 'a kite [[media:corrupt]]')
    await w.advance({ until: 'idle' })
    const { video_url: url } = (await w.get(id)).body.content
    await gateway.download(url)
    await w.control('POST', `/tasks/${id}/expire-link`)
    await gateway.download(url)
    await w.remove(id)
    await w.get(id)
    const lines = linesOf(await w.story(id))
    expect(lines.slice(4)).toEqual([
      'transition running -> succeeded',
      expect.stringMatching(/^charge settled/),
      'request GET a.get -> 200: succeeded',
      expect.stringMatching(
        /^download GET media\.download -> 200: video\.mp4, \d+ bytes; the file came with broken bytes$/,
      ),
      'rule its links were ended through the control API',
      'download GET media.download -> 403: Request has expired',
      'request DELETE a.delete -> 200',
      'removed its record was removed',
      expect.stringMatching(/^request GET a\.get -> 404: The specified task \S+ is not found$/),
      'next nothing: its record was removed',
    ])
  })

  it('keeps the order within one moment: request, effect, charge', async ({ w }) => {
    const [cancelled, forced] = [await w.made(), await w.made()]
    for (const id of [cancelled, forced]) await w.get(id)
    await w.remove(cancelled)
    await w.get(cancelled)
    const error = { code: 'X', message: 'No wind.' }
    await w.control('POST', `/tasks/${forced}/force`, { status: 'failed', error })
    await w.get(forced)
    expect(linesOf(await w.story(cancelled)).slice(2)).toEqual([
      'request GET a.get -> 200: queued',
      'request DELETE a.delete -> 200',
      'transition queued -> cancelled, on request',
      expect.stringMatching(/^charge refunded/),
      'request GET a.get -> 200: cancelled',
      'next nothing: it is "cancelled", which is final',
    ])
    expect(linesOf(await w.story(forced)).slice(2)).toEqual([
      'request GET a.get -> 200: queued',
      'transition queued -> failed, forced through the control API: X, No wind.',
      expect.stringMatching(/^charge refunded/),
      'request GET a.get -> 200: failed',
      'next nothing: it is "failed", which is final',
    ])
  })

  it('lists refusals by rules, broken connections, and requests of other accounts', async ({ w }) => {
    const id = await w.made()
    await w.control('POST', '/scenarios', {
      name: 'bad',
      rules:
        // biome-ignore format: a table, one row a line
        [
        { when: { operation: 'a.get', call: 1 }, then: { refuse: { fault: 'unavailable', retry_after: '30s' } } },
        { when: { operation: 'a.get', call: 2 }, then: { connection: { reset: 'before_headers' } } },
        { when: { operation: 'a.get', call: 4 }, then: { refuse: { fault: 'unavailable', message: 'Request has expired.' } } },
      ],
    })
    await w.get(id)
    await w.advance('500ms')
    await w.get(id).catch(() => 'broken off')
    await w.get(id, `${w.key}.bob`)
    await w.get(id)
    const lines = linesOf(await w.story(id)).join('\n')
    expect(lines).toContain(
      'GET a.get -> 503: The service is temporarily unavailable. Please try again later, by rule bad/1, try again after 30 s',
    )
    expect(lines).toContain('queued, by rule bad/2; the reply was broken off before the headers')
    expect(lines).toContain('-> 503: Request has expired, by rule bad/3')
    expect(lines).toMatch(/404: .*\(account bob\)/)
    expect(lines).toContain('finding retry_after_ignored')
  })

  it.for([
    ['[[never]] keeps it', 'becomes expired in', true],
    ['plain', "as drawn from the world's seed", true],
    ['[[link:expired]]', 'its links have expired', false],
  ] as const)('says which change comes next and why: %s', async ([text, wanted, isOpen], { w }) => {
    const id = await w.made({}, `a kite ${text}`)
    if (!isOpen) await w.advance({ until: 'idle' })
    const next = (await w.story(id)).items.at(-1)
    expect(next.kind).toBe('next')
    expect(next.text).toContain(wanted)
  })

  it('lists tasks that the control API made', async ({ w }) => {
    const { id } = (await w.control('POST', '/tasks', { family: 'k', kind: 'k.voice' })).body
    expect(linesOf(await w.story(id))[0]).toBe('request the task was made through the control API')
  })
})

describe('GET /findings (client lint)', () => {
  it('finds nothing in a client without mistakes', async ({ w }) => {
    const id = await w.made()
    await w.get(id)
    await w.advance({ until: 'idle' })
    const { video_url: url } = (await w.get(id)).body.content
    await gateway.download(url)
    expect(await w.findings()).toEqual([])
  })

  it.each([
    ['a kite --dur 5', '--dur 5'],
    ['a kite --rt 16:9 --wm true ', '--rt 16:9 --wm true'],
    ['a kite\n--ratio=9:16  --dur=5 [[queue:1s]]', '--ratio=9:16  --dur=5'],
    ['a kite --resolution 1080p-as-on-the-first-day', '--resolution 1080p-as-on-the-first-day'],
    ['--seed', '--seed'],
    ['a kite', undefined],
    ['--dur 5 is what the kite says', undefined],
    ['a kite -- so fast --', undefined],
    [`a kite ${'--dur '.repeat(60)}5 6`, undefined],
  ])('finds flags at the end of a prompt, which set nothing: %j (A-prompt-flags)', async (prompt, flags) => {
    const w = inWorld()
    const id = await w.made({ duration: 7 }, prompt)
    const found = (await w.findings()).filter(({ kind }: { kind: string }) => kind === 'prompt_flags')
    const text = expect.stringContaining(`the prompt ends in ${flags}: `)
    expect(found).toMatchObject(flags === undefined ? [] : [{ text, task_id: id, count: 1 }])
    const told = linesOf(await w.story(id)).filter(line => line.startsWith('finding prompt_flags: '))
    expect(told).toHaveLength(found.length)
  })

  it('counts tasks with the same flags as one finding, in every text and family (A-prompt-flags)', async () => {
    const w = inWorld()
    for (const seconds of [5, 6]) await w.made({}, `a kite --dur ${seconds} --ratio 1:1`)
    await w.made({}, 'a kite --dur 5')
    const body = {
      model: 'model_c',
      content: [text('a kite --dur 5')],
      resolution: '768P',
      duration: 5,
      ratio: '16:9',
    }
    expect((await gateway.post('/v2/video_generation', body, w.key)).status).toBe(200)
    const found = (await w.findings()).map(one => `${one.count} times ${one.text.split(':')[0]}`)
    expect(found).toEqual([
      '2 times the prompt ends in --dur 5 --ratio 1',
      '1 times the prompt ends in --dur 5',
      '1 times the prompt ends in --dur 5',
    ])
  })

  it('finds polls faster than once a second of virtual time, in realtime only', async () => {
    const [quick, manual] = [inWorld(), inWorld()]
    await quick.control('PATCH', '/clock', { mode: 'realtime', rate: 1 })
    for (const w of [quick, manual]) {
      const id = await w.made({}, 'a kite [[queue:1h]]')
      for (let i = 0; i < 3; i++) await w.get(id)
    }
    expect(await quick.findings()).toMatchObject([{ kind: 'polls_too_fast', request_ids: expect.any(Array) }])
    expect(await manual.findings()).toEqual([])
  })

  it('finds an Authorization header on a result link (Spec, "Authentication" 6)', async ({ w }) => {
    const id = await w.made()
    await w.advance({ until: 'idle' })
    const { video_url: url } = (await w.get(id)).body.content
    expect((await gateway.download(url, { Authorization: `Bearer ${w.key}` })).status).toBe(400)
    const found = await w.findings()
    expect(found).toMatchObject([{ kind: 'authorization_on_link', task_id: id }])
    expect(JSON.stringify(found)).not.toContain(w.key)
  })

  it('finds a Retry-After that the client ignored, and none when virtual time has passed', async ({ w }) => {
    await w.control('PUT', '/scenarios/active', { names: ['rate-limited'] })
    await w.create()
    await w.advance('10s')
    await w.create()
    expect(await w.findings()).toEqual([])
    await w.advance('9s')
    await w.create()
    expect(await w.findings()).toMatchObject([
      { kind: 'retry_after_ignored', request_ids: [expect.any(String), expect.any(String)] },
    ])
  })

  it('finds no ignored Retry-After when another worker of the client sends another request at the same time', async () => {
    const w = inWorld()
    await w.control('PUT', '/scenarios/active', { names: ['rate-limited'] })
    await w.create()
    await w.create({ content: [{ type: 'text', text: 'of another worker' }] })
    expect(await w.findings()).toEqual([])
  })

  it('finds ignored fields, once for all requests that sent them', async ({ w }) => {
    for (let i = 0; i < 3; i++)
      await w.made({ sed: 1, content: [{ type: 'text', text: `x ${i}`, txet: 'y' }] })
    const found = await w.findings()
    expect(found).toMatchObject([{ kind: 'unread_fields', count: 3 }])
    expect(found[0]?.request_ids).toHaveLength(3)
    expect(found[0]?.text).toContain('content[0].txet')
  })

  it('findings of one kind, operation and manner are one with a count, in lists and traces; each task has its own story', async () => {
    const w = inWorld()
    const ids: string[] = []
    for (let i = 0; i < 120; i++) ids.push(await w.made({ sed: 1 }))
    await w.made({ sed: 1, sead: 1 })
    const found = await w.findings()
    const about = found.map(({ kind, count, request_ids }) => [kind, count, request_ids.length].join(' '))
    expect(about).toEqual([
      'unread_fields 120 100',
      'created_again_while_running 119 100',
      'unread_fields 1 1',
    ])
    for (const { task_id } of found.slice(0, 2)) expect(task_id).toBe(ids[0])
    expect(found[0]?.text).toMatch(/sed \(the first of 120 alike\)$/)
    expect((await w.control('GET', '/trace')).body.findings).toEqual(found)
    const part = (await w.control('GET', `/trace?task=${ids[7]}`)).body.findings
    expect(part.map(({ count, task_id }: Finding) => [count, task_id])).toEqual([
      [1, ids[7]],
      [1, ids[7]],
    ])
    expect(linesOf(await w.story(ids[7] ?? '')).join('\n')).toContain(
      'finding unread_fields: a.create sent fields that are ignored: sed\n',
    )
  })

  it('finds polls after a final state', async ({ w }) => {
    const id = await w.made()
    await w.control('POST', `/tasks/${id}/force`, { status: 'failed' })
    await w.get(id)
    expect(await w.findings()).toEqual([])
    await w.get(id)
    expect(await w.findings()).toMatchObject([
      { kind: 'polls_after_end', task_id: id, request_ids: [expect.any(String)] },
    ])
  })

  it('finds no poll after a final state when the reply that showed the state was lost', async ({ w }) => {
    const id = await w.made()
    await w.control('POST', `/tasks/${id}/force`, { status: 'failed' })
    const rule = { when: { operation: 'a.get', call: 1 }, then: { connection: { reset: 'mid_body' } } }
    await w.control('POST', '/scenarios', { name: 'lost', rules: [rule] })
    await expect(w.get(id)).rejects.toThrow()
    await w.get(id)
    expect(await w.findings()).toEqual([])
    await w.get(id)
    expect(await w.findings()).toMatchObject([{ kind: 'polls_after_end', request_ids: [expect.any(String)] }])
  })

  it('finds a create repeated after a lost reply, which is charged twice', async ({ w }) => {
    const rule = { when: { operation: 'a.create', call: 1 }, then: { connection: { reset: 'mid_body' } } }
    await w.control('POST', '/scenarios', { name: 'lost', rules: [rule] })
    await expect(w.create()).rejects.toThrow()
    await w.create({}, 'another kite')
    expect(await w.findings()).toEqual([])
    const again = await w.made()
    const found = await w.findings()
    expect(found).toMatchObject([{ kind: 'create_repeated' }])
    expect(found[0]?.text).toContain(again)
    expect(linesOf(await w.story(found[0]?.task_id ?? '')).join('\n')).toContain('finding create_repeated')
  })
})

it('a download that has no whole reply yet is in the story, with its file and how long it is open', async () => {
  const world = connectEmulator(gateway.url).worldNamed('open-download')
  const { id } = await world.tasks.create({ kind: 'a' })
  await world.clock.advanceUntil('idle')
  const { media } = await world.tasks.get(id)
  await world.inject('media.download', 1, { connection: 'hang' })
  const left = new AbortController()
  const asked = fetch(media[0]?.url ?? '', { signal: left.signal }).catch(() => 'left')
  const open = async () => (await world.tasks.story(id)).items.filter(({ kind }) => kind === 'open')
  const text = /^download of video\.mp4, open for \d+\.\d s: a scenario holds its reply/
  await expect.poll(open).toMatchObject([{ text: expect.stringMatching(text) }])
  left.abort()
  expect(await asked).toBe('left')
  await expect.poll(open).toEqual([])
})

it('a task of another world is named as such by every call about one task', async () => {
  const [one, other] = ['story-one', 'story-other'].map(name => connectEmulator(gateway.url).worldNamed(name))
  if (!one || !other) throw new Error('two worlds are needed')
  const { id } = await one.tasks.create({ kind: 'b' })
  await other.clock.set({ mode: 'manual' })
  for (const ask of [
    () => other.tasks.get(id),
    () => other.tasks.story(id),
    () => other.tasks.force(id, { status: 'FAILED' }),
    () => other.clock.advanceUntil({ task: id, status: 'RUNNING' }),
    () => other.trace({ task: id }),
  ])
    await expect(ask()).rejects.toMatchObject({
      status: 404,
      reason: `The task ${id} does not exist`,
      hint: 'a task of this id is in the world story-one',
    })
  await expect(other.tasks.get('no-such-task')).rejects.toMatchObject({ status: 404, hint: undefined })
})
