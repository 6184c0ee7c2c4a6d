// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { expect, it } from 'vitest'
import { textBody } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const tasks = '/api/v3/contents/generations/tasks'
const create = (world: string) => gateway.post(tasks, textBody(), `sk-test-${world}`)

const refuses = (name: string, when: object, fault = 'internal') => ({
  name,
  rules: [{ when, then: { refuse: { fault } } }],
})

it('PATCH changes the order of active scenarios, and those that stay active keep their counters', async () => {
  const control = gateway.controlOf('order')
  await control('POST', '/scenarios', refuses('second', { operation: 'a.create', call: 2 }))
  await control('POST', '/scenarios', refuses('all', { operation: 'a.create' }, 'unavailable'))
  expect((await create('order')).status).toBe(503)
  const changed = await control('PATCH', '/scenarios/active', { names: ['all', 'second'] })
  expect(changed.body.active).toEqual(['all', 'second'])
  await control('PATCH', '/scenarios/active', { names: ['second'] })
  // The rule's second call: the first was counted before the changes.
  expect((await create('order')).status).toBe(500)
  const wrong = await control('PATCH', '/scenarios/active', { names: ['secnd'] })
  expect(wrong.body.error.hint).toContain('second')
})

it('GET gives the text of a scenario as it was posted, or as it is shipped', async () => {
  const $text = '# Mine\nname: mine\nrules:\n  - then: { refuse: { fault: internal } }\n'
  const posted = { name: 'mine', $text, rules: [{ then: { refuse: { fault: 'internal' } } }] }
  expect((await gateway.control('POST', '/worlds/text/scenarios', posted)).status).toBe(201)
  const { body: mine } = await gateway.control('GET', '/worlds/text/scenarios/mine')
  expect(mine.text).toBe($text)
  expect(mine.document).toEqual({ name: 'mine', rules: posted.rules })
  const { body: shipped } = await gateway.control('GET', '/scenarios/flaky-upstream')
  expect(shipped.text).toContain('# How to use')
})

it('GET gives the number of the last request before the present rules became active', async () => {
  const post = () =>
    gateway.control('POST', '/worlds/since/scenarios', refuses('own', { operation: 'a.create' }))
  await post()
  await create('since')
  await create('since')
  const read = async () => (await gateway.control('GET', '/worlds/since/scenarios/own')).body.since_request
  expect(await read()).toBe(0)
  await post()
  expect(await read()).toBe(2)
})

it('GET names the earlier rule that hides a rule, and whether it does so always', async () => {
  const control = gateway.controlOf('shadow')
  await control('POST', '/scenarios', refuses('wide', { operation: '*.create' }))
  await control('POST', '/scenarios', refuses('some', { operation: 'a.create', call: 1 }))
  await control('POST', '/scenarios', {
    name: 'late',
    rules: [
      { when: { operation: 'a.create' }, then: { task: { outcome: 'failed' } } },
      { when: { operation: 'image.generate' }, then: { refuse: { fault: 'internal' } } },
    ],
  })
  const shadowed = async (name: string) => (await control('GET', `/scenarios/${name}`)).body.shadowed
  expect(await shadowed('wide')).toEqual([[]])
  expect(await shadowed('some')).toEqual([[{ by: 'wide/1', effect: 'refuse', always: true }]])
  expect(await shadowed('late')).toEqual([[{ by: 'wide/1', effect: 'task', always: true }], []])
  await control('PATCH', '/scenarios/active', { names: ['some', 'late', 'wide'] })
  expect(await shadowed('late')).toEqual([[{ by: 'some/1', effect: 'task', always: false }], []])
  await control('PATCH', '/scenarios/active', { names: ['some'] })
  expect(await shadowed('late')).toEqual([])
})

it.each([
  [{ connection: { latency: '1ms' } }, undefined],
  [{ task: { queued: '5s' } }, 'inject-2'],
] as const)(
  'a task names the rule that shaped it, not one that changed its reply alone: %j',
  async (then, rule) => {
    const control = gateway.controlOf('shaped')
    await control('POST', '/inject', { operation: 'a.create', then })
    const { body } = await create('shaped')
    const told = (await control('GET', `/tasks/${body.id}`)).body.rule
    expect(told?.split('/')[0]).toBe(rule)
  },
)

it('changes of one moment come in the order of the creates, also when an older task was forced meanwhile', async () => {
  const control = gateway.controlOf('one-moment')
  const made = async (tags: string) => {
    const content = [{ type: 'text', text: `a kite ${tags}` }]
    return (await gateway.post(tasks, { model: 'model_a_20', content }, 'sk-test-one-moment')).body.id
  }
  const older = await made('[[queue:10s]] [[run:10s]]')
  await control('POST', '/clock/advance', { by: '5s' })
  const newer = await made('[[queue:5s]] [[run:10s]]')
  await control('POST', `/tasks/${older}/force`, { status: 'running' })
  const { body } = await control('POST', '/clock/advance', { by: '15s' })
  const ended = body.events.filter(({ to }: { to: string }) => to === 'succeeded')
  expect(ended.map(({ task_id }: { task_id: string }) => task_id)).toEqual([older, newer])
})
