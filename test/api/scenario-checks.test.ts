// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { describe, expect, it } from 'vitest'
import { parseScenario } from '../../src/emulator/scenarios/load.ts'
import { asynchronous, clientOf, wordsOf } from '../support/any-family.ts'
import { ofEachFamily, rowNamed } from '../support/contract.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const withoutTags = await openGateway({ promptTags: 'off' })

describe.each(ofEachFamily(asynchronous))('the end of $title that a scenario lets expire (A-expire)', row => {
  const isA = row.title.startsWith('a.')

  it.each(['scenario', 'tag'])(
    'comes, by %s, as the family expresses it, and the charge is refunded',
    async by => {
      const c = await clientOf(row, gateway)
      const isTagged = by === 'tag' && (row.endpoint.reads?.prompts.length ?? 0) > 0
      if (!isTagged) await c.use('expiry')
      const id = await c.made(isTagged ? 'a cat [[expire]]' : undefined)
      await c.advance('2h59m')
      const words = wordsOf(row, (await c.newest()).kind)
      expect((await c.poll(id)).text).toContain(`"${words.running}"`)
      await c.advance(isA ? '48h' : '1m')
      const { status, charges, view } = await c.newest()
      expect(status).toBe(isA ? 'expired' : words.failed)
      if (row.title === 'b.create') expect(view.error.code).toBe('InternalError.Timeout')
      if (charges.length > 0) expect(charges.at(-1).kind).toBe('refunded')
    },
  )
})

it.each(ofEachFamily(asynchronous).map(row => [row.title, row] as const))(
  'a rule for the task of a label, given by %s, acts on every call that names the task, by path, query or body, and on no other',
  async (_, row) => {
    const c = await clientOf(row, gateway)
    const then = { refuse: { status: 418 } }
    await c.post({
      name: 'own',
      rules: [{ then: { task: { label: 'mine' } } }, { when: { task: { of: 'mine' } }, then }],
    })
    const id = await c.made()
    const asked = row.family.endpoints.flatMap(({ method, paths: [path], tasksIn = {} }) => {
      const send = (address: string, body?: object) => (name: string) =>
        gateway.call(
          method,
          address.replaceAll('TASK', name),
          body && { ...body, [tasksIn.body?.slice(1) ?? '']: name },
          { key: c.key },
        )
      return [
        ...(path.includes(':task_id') ? [send(path.replace(':task_id', 'TASK'))] : []),
        ...(tasksIn.query ?? []).map(word => send(`${path}?${word}=other,TASK`)),
        ...(tasksIn.body ? [send(path, {})] : []),
      ]
    })
    expect(asked.length).toBeGreaterThan(1)
    for (const ask of asked) {
      expect((await ask('0000')).status).not.toBe(418)
      expect((await ask(id)).status).toBe(418)
    }
  },
)

it('a rule for the task of a label acts on a task that family K names by its external id', async () => {
  const post = (path: string, body: object) => gateway.call('POST', path, body, { key: 'sk-test-external' })
  const rules = [
    { then: { task: { label: 'mine' } } },
    { when: { task: { of: 'mine' } }, then: { refuse: { status: 418 } } },
  ]
  await gateway.control('POST', '/worlds/external/scenarios', { name: 'own', rules })
  const contents = [{ type: 'first_frame', url: 'http://pictures.example/a.jpg' }]
  expect((await post('/image-to-video/kling-3.0', { contents, external_task_id: 'my-1' })).status).toBe(200)
  expect((await gateway.get('/tasks?external_task_ids=my-1', 'sk-test-external')).status).toBe(418)
  expect((await gateway.get('/tasks?external_task_ids=my-2', 'sk-test-external')).status).toBe(200)
})

it('a rule for the task of one label does not act on a task with another label', async () => {
  const post = (path: string, body: object) => gateway.call('POST', path, body, { key: 'sk-test-labels' })
  const rules = [
    { then: { task: { label: 'yours' } } },
    { when: { task: { of: 'mine' } }, then: { refuse: { status: 418 } } },
  ]
  await gateway.control('POST', '/worlds/labels/scenarios', { name: 'own', rules })
  const contents = [{ type: 'first_frame', url: 'http://pictures.example/a.jpg' }]
  expect((await post('/image-to-video/kling-3.0', { contents, external_task_id: 'my-1' })).status).toBe(200)
  expect((await gateway.get('/tasks?external_task_ids=my-1', 'sk-test-labels')).status).toBe(200)
})

it('a scenario lets a task of family A expire early: when it has run as long as the rule says (A-expire)', async () => {
  const c = await clientOf(rowNamed('a.create'), gateway, 'expire-early')
  const rules = [{ then: { task: { queued: '1m', running: '1h', outcome: 'expired' } } }]
  await c.control('POST', '/scenarios', { name: 'early', rules })
  await c.use('early')
  await c.made()
  await c.advance('60m59s')
  expect((await c.newest()).status).toBe('running')
  await c.advance('1s')
  expect((await c.newest()).status).toBe('expired')
})

describe('prompt tags switched off', () => {
  it.each(['[[Anna]] says hi', 'a cat [[refuse:moderated]]', 'a cat [[never]] [[never]]'])(
    'stay in the prompt %j of the task, in rules and in verifications',
    async prompt => {
      const c = await clientOf(rowNamed('a.create'), withoutTags)
      const id = await c.made(prompt)
      const task = (await c.control('GET', `/tasks/${id}`)).body
      expect(JSON.stringify(task.request)).toContain(JSON.stringify(prompt).slice(1, -1))
      const { body } = await c.control('POST', '/requests/verify', { match: { prompt } })
      expect(body.found).toBe(1)
      expect((await c.control('GET', '/prompt-tags')).body.items).toEqual([])
    },
  )
})

describe('the tag [[refuse:rate_limited]]', () => {
  it.each(ofEachFamily(asynchronous).filter(({ endpoint }) => (endpoint.reads?.prompts.length ?? 0) > 0))(
    'sends Retry-After for $title (spec, "Errors")',
    async row => {
      const c = await clientOf(row, gateway)
      const reply = await c.create('a cat [[refuse:rate_limited]]')
      expect([reply.status, reply.headers['retry-after']]).toEqual([429, '5'])
    },
  )
})

describe('a scenario document', () => {
  const refusing = (body: string) =>
    `name: mine\nrules:\n  - then:\n      refuse:\n        status: 500\n        body: ${body}\n`

  it('that contains itself is refused with the place', () => {
    expect(() => parseScenario(refusing('&a { next: *a }'), 'mine.yaml')).toThrow(/contains itself/)
    expect(() => parseScenario(refusing('&a [1, { deep: [*a] }]'), 'mine.yaml')).toThrow(/contains itself/)
  })

  it('that becomes too large by its aliases is refused', () => {
    const levels = Array.from(
      { length: 9 },
      (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(', ')}]`,
    )
    expect(() => parseScenario(refusing(`{ l0: &l0 [x], ${levels.join(', ')} }`))).toThrow(/alias/i)
    const pairs = Array.from({ length: 24 }, (_, i) => `l${i + 1}: &l${i + 1} [*l${i}, *l${i}]`)
    expect(() => parseScenario(refusing(`{ l0: &l0 [x], ${pairs.join(', ')} }`))).toThrow(/alias|values/i)
  })

  it('may use an alias twice', () => {
    expect(() => parseScenario(refusing('{ one: &a { x: 1 }, two: *a }'))).not.toThrow()
  })
})
