// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { expect, it } from 'vitest'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const tasks = '/api/v3/contents/generations/tasks'
const body = { model: 'model_a_20', content: [{ type: 'text', text: 'a kite' }] }

/** The parts of a world that can be removed: everything that a person sees. */
async function seen(world: string) {
  const read = async (path: string) => (await gateway.control('GET', `/worlds/${world}${path}`)).body
  return {
    tasks: (await read('/tasks')).items.map(({ id }: { id: string }) => id),
    requests: (await read('/requests')).items.map(({ request_id }: { request_id: string }) => request_id),
    assets: (await read('/assets')).items,
    snapshots: (await read('/snapshots')).items,
    scenarios: await read('/scenarios'),
    clock: await read('/clock'),
  }
}

async function worldWithAll(world: string): Promise<{ asset: string }> {
  const control = gateway.controlOf(world)
  await gateway.post(tasks, body, `sk-test-${world}`)
  await control('POST', '/clock/advance', { by: '5s' })
  await control('POST', '/snapshots', { name: 'ready' })
  const rules = [{ when: { operation: 'b.create' }, then: { refuse: { fault: 'internal' } } }]
  await control('POST', '/scenarios', { name: 'mine', rules })
  await control('PATCH', '/scenarios/active', { names: ['mine', 'slow-queue'] })
  const url = `${gateway.url}/__emulator/samples/square.png`
  const asset = await control('POST', '/assets', { kind: 'image', url })
  await gateway.post(tasks, body, `sk-test-${world}`)
  return { asset: asset.body.id }
}

it.each([
  ['a reset', 'POST', '/reset'],
  ['an empty journal', 'DELETE', '/requests'],
  ['a removed scenario', 'DELETE', '/scenarios/mine'],
  ['a removed snapshot', 'DELETE', '/snapshots/ready'],
  ['a restored snapshot', 'POST', '/snapshots/ready/restore'],
  ['a removed asset', 'DELETE', '/assets/{asset}'],
  ['a dropped world', 'DELETE', ''],
])('%s can be undone; then everything is as before', async (_, method, path) => {
  const world = `undo${path.replaceAll(/\W/g, '')}${method}`
  const { asset } = await worldWithAll(world)
  const before = await seen(world)
  const call = `/worlds/${world}${path.replace('{asset}', asset)}`
  const { status, body: reply } = await gateway.control(method, `${call}?undo=true`)
  expect([status, typeof reply.undo]).toEqual([200, 'string'])
  if (path !== '') expect(await seen(world)).not.toEqual(before)
  expect((await gateway.control('POST', `/undo/${reply.undo}`)).status).toBe(200)
  expect(await seen(world)).toEqual(before)
  expect((await gateway.control('POST', `/undo/${reply.undo}`)).status).toBe(404)
})

it('undoing an emptied journal keeps later entries, and undo is offered only on request', async () => {
  await gateway.post(tasks, body, 'sk-test-later')
  expect((await gateway.control('DELETE', '/worlds/later/requests')).body).toEqual({})
  await gateway.post(tasks, body, 'sk-test-later')
  const { body: cleared } = await gateway.control('DELETE', '/worlds/later/requests?undo=true')
  await gateway.post(tasks, body, 'sk-test-later')
  await gateway.control('POST', `/undo/${cleared.undo}`)
  const { items } = (await gateway.control('GET', '/worlds/later/requests')).body
  expect(items.map(({ id }: { id: number }) => id)).toEqual([2, 3])
})

it('undo in a world that no longer exists is refused and changes nothing', async () => {
  await gateway.post(tasks, body, 'sk-test-gone')
  const { body: reset } = await gateway.control('POST', '/worlds/gone/reset?undo=true')
  await gateway.control('DELETE', '/worlds/gone')
  const reply = await gateway.control('POST', `/undo/${reset.undo}`)
  expect([reply.status, reply.body.error.message]).toEqual([409, 'The world gone was dropped'])
  expect((await gateway.control('GET', '/worlds/gone')).status).toBe(404)
})
