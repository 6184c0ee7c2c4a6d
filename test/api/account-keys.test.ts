// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { describe, expect, it } from 'vitest'
import type { ScenarioDocument } from '../../src/emulator/scenarios/scenario.ts'
import { readKey } from '../../src/emulator/worlds/record-values.ts'
import { connectEmulator } from '../../src/explore/play/emulator-client.ts'
import { traceText } from '../../src/kits/client/trace-views.ts'
import { expectError, tasksPath, textBody } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { refusal } from '../support/own-world.ts'

const accounts = { default: { keys: { web: {}, old: { disabled: true } } } }
const gateway = await openGateway({ accounts })

function inWorld() {
  const world = connectEmulator(gateway.url).worldNamed(gateway.freshWorld())
  const create = (label?: string, text = 'a kite') =>
    gateway.post(tasksPath, textBody({ content: [{ type: 'text', text }] }), world.keyFor('default', label))
  const poll = (id: string, label?: string) =>
    gateway.get(`${tasksPath}/${id}`, world.keyFor('default', label))
  return { world, create, poll }
}

const disabled = { status: 401, code: 'AuthenticationError', message: 'the key is disabled' }

const workerRefused: ScenarioDocument = {
  name: 'worker-refused',
  rules: [{ when: { key: { matches: ':worker$' } }, then: { refuse: { fault: 'rate_limited' } } }],
}

it.each([
  ['sk-emulator:web', { world: 'default', account: 'default', label: 'web' }],
  ['sk-test-w1:web', { world: 'w1', account: 'default', label: 'web' }],
  ['sk-test-w1.shop:web', { world: 'w1', account: 'shop', label: 'web' }],
  ['sk-test-w1', { world: 'w1', account: 'default', label: undefined }],
  ['sk-emulator:', undefined],
  ['sk-real', undefined],
])('the key %s is read by one reader, whoever asks for its world (A-keys)', (key, address) => {
  expect(readKey(key)).toEqual(address)
})

describe('several keys of one account (Spec, "Authentication" 2 and 3; A-keys)', () => {
  it('have its tasks, its balance and its limits in common', async () => {
    const { world, create, poll } = inWorld()
    await world.accounts.change('default', { balance: 100, requests_per_minute: 1 })
    const { id } = (await create('web')).body
    for (const label of ['worker', undefined]) expect((await poll(id, label)).body).toMatchObject({ id })
    const [account, ...others] = (await world.accounts.list()).filter(({ id }) => id !== 'shop')
    expect(others).toEqual([])
    expect(account?.balance).toBeLessThan(100)
    expect(account?.keys.map(({ label }) => label)).toEqual(['web', 'old', 'worker'])
    await create('worker')
    expect((await create()).status).toBe(429)
  })

  it('are disabled one by one, and a task goes on when its key is disabled', async () => {
    const { world, create, poll } = inWorld()
    const { id } = (await create('first')).body
    await world.accounts.change('default', { keys: { first: { disabled: true }, next: {} } })
    expectError(await poll(id, 'first'), disabled)
    expectError(await create('first'), disabled)
    await world.clock.advanceUntil('idle')
    expect((await poll(id, 'next')).body.status).toBe('succeeded')
    await world.accounts.change('default', { keys: { first: { disabled: false }, '': { disabled: true } } })
    expectError(await poll(id), disabled)
    for (const label of ['first', 'next']) expect((await poll(id, label)).status).toBe(200)
  })

  it('that the config gives are there from the start, disabled ones too', async () => {
    const { create } = inWorld()
    expect((await create('web')).status).toBe(200)
    expectError(await create('old'), disabled)
  })

  it('are named in the journal, in stories, traces and their lines, and rules can choose one', async () => {
    const { world, create, poll } = inWorld()
    const { id } = (await create('web')).body
    await poll(id, 'worker')
    await poll(id)
    await world.scenarios.use(workerRefused)
    expect((await poll(id, 'worker')).status).toBe(429)
    expect((await poll(id, 'web')).status).toBe(200)
    const labels = (await world.requests.list()).map(({ key_label = 'none' }) => key_label)
    expect(labels.join(' ')).toBe('web worker none worker web')
    const trace = await world.trace()
    const grouped = trace.attempts.map(({ calls }) =>
      calls.map(({ key_label = 'none' }) => key_label).join(' '),
    )
    expect(grouped).toEqual(['web', 'worker worker', 'none', 'web'])
    expect(traceText(trace)).toMatch(/a\.get .*-> 200, key worker$/m)
    const story = await gateway.control('GET', `/worlds/${world.id}/tasks/${id}/story`)
    expect(JSON.stringify(story.body)).toMatch(
      /the task was made \(key web\).*GET a.get -> 200: queued \(key worker\)/s,
    )
  })

  it('are callers of their own for findings: one does not know what another has polled', async () => {
    const { world, create, poll } = inWorld()
    const { id } = (await create('web')).body
    await world.clock.advanceUntil('idle')
    for (const label of ['web', 'worker', 'mail']) await poll(id, label)
    expect(await world.findings()).toEqual([])
    await poll(id, 'mail')
    expect((await world.findings()).map(({ kind }) => kind)).toEqual(['polls_after_end'])
    const other = inWorld()
    for (const label of ['web', 'worker']) await other.create(label)
    expect(await other.world.findings()).toEqual([])
    await other.create('web')
    expect((await other.world.findings()).map(({ kind }) => kind)).toEqual(['created_again_while_running'])
  })

  it('make room for those that a change names: what was only seen is forgotten', async () => {
    const { world } = inWorld()
    const many = (from: number) =>
      Object.fromEntries(Array.from({ length: 999 }, (_, n) => [`k${from + n}`, {}]))
    await world.accounts.change('default', { keys: many(0) })
    const more = { last: { disabled: true }, another: {} }
    const { keys } = await world.accounts.change('default', { keys: more })
    expect(keys.length).toBe(1000)
    expect(keys.find(({ label }) => label === 'last')?.disabled).toBe(true)
  })

  it('stay with their account in snapshots and state documents', async () => {
    const { world, create } = inWorld()
    await create('first')
    await world.accounts.change('default', { keys: { first: { disabled: true } } })
    await world.snapshots.save('rotated')
    await world.accounts.change('default', { keys: { first: { disabled: false } } })
    await world.snapshots.restore('rotated')
    expectError(await create('first'), disabled)
    const { body } = await gateway.control('GET', `/worlds/${world.id}/state`)
    const other = inWorld()
    expect((await gateway.control('PUT', `/worlds/${other.world.id}/state`, body)).status).toBe(200)
    expectError(await other.create('first'), disabled)
  })

  it.each([
    [{ 'a b': {} }, /"a b" is not a key's label: 1 to 64 letters/],
    [{ 'sk-test-mine:worker': {} }, /"sk-test…" is a key, not its label/],
    [{ first: { enabled: true } }, /enabled/],
    [{ first: true }, /keys.first: true is not of type object/],
    [Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`k${n}`, {}])), /at most 1000 keys/],
  ])('refuse a wrong change: %.80j', async (keys, message) => {
    expect(refusal(await gateway.control('PATCH', '/accounts/default', { keys })).message).toMatch(message)
  })
})
