import { expect, it } from 'vitest'
import { openGateway } from '../support/gateway.ts'
import { shows } from '../support/shows.ts'

const gateway = await openGateway()
const tasks = '/api/v3/contents/generations/tasks'
const text = { type: 'text', text: 'a kite over dunes' }
const body = { model: 'model_a_20', content: [text], ratio: '16:9' }

it('a task that is cancelled while it waits gives its rate-limit slot to the next request (A-rate)', async () => {
  const key = 'sk-test-slots'
  const control = gateway.controlOf('slots')
  await control('PATCH', '/accounts/default', { requests_per_minute: 1 })
  await gateway.post(tasks, body, key)
  const waiting = (await gateway.post(tasks, body, key)).body.id
  // The next slot is two minutes ahead, past the longest wait.
  expect((await gateway.post(tasks, body, key)).status).toBe(429)
  expect((await gateway.delete(`${tasks}/${waiting}`, key)).status).toBe(200)
  const { status, body: made } = await gateway.post(tasks, body, key)
  expect(status).toBe(200)
  const { plan, created_at: createdAt } = (await control('GET', `/tasks/${made.id}`)).body
  expect(Date.parse(plan.starts_at) - Date.parse(createdAt)).toBeGreaterThanOrEqual(60_000)
  expect((await gateway.post(tasks, body, key)).status).toBe(429)
})

it('a slot that was given back allows no more once its moment has passed (A-rate)', async () => {
  const key = 'sk-test-past-slots'
  const control = gateway.controlOf('past-slots')
  await control('PATCH', '/accounts/default', { requests_per_minute: 1 })
  await gateway.post(tasks, body, key)
  const waiting = (await gateway.post(tasks, body, key)).body.id
  expect((await gateway.delete(`${tasks}/${waiting}`, key)).status).toBe(200)
  await control('POST', '/clock/advance', { by: '3m' })
  await gateway.post(tasks, body, key)
  const { id } = (await gateway.post(tasks, body, key)).body
  const { plan, created_at: createdAt } = (await control('GET', `/tasks/${id}`)).body
  expect(Date.parse(plan.starts_at) - Date.parse(createdAt)).toBeGreaterThanOrEqual(60_000)
})

it.each([
  ['before its moment serves a request in that moment', true],
  ['in its moment has been used', false],
])('a slot whose task is cancelled %s (A-rate)', async (name, isFree) => {
  const world = `slot-${isFree ? 'free' : 'used'}`
  const key = `sk-test-${world}`
  const control = gateway.controlOf(world)
  await control('PATCH', '/accounts/default', { requests_per_minute: 1 })
  await gateway.post(tasks, body, key)
  const waiting = (await gateway.post(tasks, body, key)).body.id
  const cancel = async () => expect((await gateway.delete(`${tasks}/${waiting}`, key)).status, name).toBe(200)
  if (isFree) await cancel()
  await control('POST', '/clock/advance', { by: '1m' })
  if (!isFree) await cancel()
  const { id } = (await gateway.post(tasks, body, key)).body
  const { plan, created_at: createdAt } = (await control('GET', `/tasks/${id}`)).body
  expect(Date.parse(plan.starts_at) - Date.parse(createdAt) < 60_000).toBe(isFree)
})

it('masks asset identifiers in journal, task and story, as keys are (Spec, "Authentication" 5)', async () => {
  const key = 'sk-test-secrets'
  const control = gateway.controlOf('secrets')
  const url = `${gateway.url}/__emulator/samples/landscape.jpg`
  const { reference, id: asset } = (await control('POST', '/assets', { kind: 'image', url })).body
  const image = { type: 'image_url', image_url: { url: reference }, role: 'first_frame' }
  const { body: made } = await gateway.post(tasks, { ...body, content: [text, image] }, key)
  await gateway.post(
    tasks,
    { ...body, content: [text, { ...image, image_url: { url: 'asset://asset-20260101000000-abcde' } }] },
    key,
  )
  for (const path of ['/requests', `/tasks/${made.id}`, `/tasks/${made.id}/story`]) {
    const { text: shown } = await control('GET', path)
    expect(shown, path).not.toContain(asset)
    expect(shown, path).not.toContain('asset-20260101000000-abcde')
  }
  expect((await control('GET', `/tasks/${made.id}`)).body.request.content[1].image_url.url).toBe('asset://…')
  shows('all.auth.asset-secret')
})

it('an edit keeps the length of its input file, and duration is that rounded down (A-frames)', async () => {
  const key = 'sk-test-edit'
  const call = (path: string) => gateway.call('GET', `/__emulator/worlds/edit${path}`)
  const advance = () => gateway.call('POST', '/__emulator/worlds/edit/clock/advance', { until: 'idle' })
  const small = { model: 'model_a_25', resolution: '480p' }
  const first = await gateway.post(tasks, { ...small, content: [text], duration: 5, ratio: '4:3' }, key)
  await advance()
  const source = (await gateway.get(`${tasks}/${first.body.id}`, key)).body.content.video_url
  const video = { type: 'video_url', video_url: { url: source }, role: 'reference_video' }
  const edit = await gateway.post(
    tasks,
    { ...small, content: [{ type: 'text', text: 'remove the kite' }, video], duration: -1 },
    key,
  )
  expect(edit.status, JSON.stringify(edit.body)).toBe(200)
  await advance()
  expect((await gateway.get(`${tasks}/${edit.body.id}`, key)).body.duration).toBe(5)
  expect((await call(`/tasks/${edit.body.id}`)).body.media[0].recipe.frames).toBe(121)
  shows('a.record.duration-25')
})

it('the id inside a preset’s token contains the time of its created_at (K-presets)', async () => {
  const { body: listed } = await gateway.get('/general/advanced-presets-elements', 'sk-test-presets')
  expect(listed.data.length).toBeGreaterThan(3)
  for (const { task_id: token, created_at: createdAt } of listed.data) {
    const inner = JSON.parse(Buffer.from(token.split('.')[0], 'base64url').toString())
    expect(Number(BigInt(inner.task) >> 22n) + 1_568_028_518_784).toBe(createdAt)
  }
})
