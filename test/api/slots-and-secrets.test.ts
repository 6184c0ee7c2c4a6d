import { expect, it } from 'vitest'
import { image, text, textBody, video, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { shows } from '../support/shows.ts'

const gateway = await openGateway()

/** A world with one request a minute, in which a second task waits for its slot. */
async function withWaitingTask(name: string) {
  const world = worldOfA(gateway, name)
  await world.control('PATCH', '/accounts/default', { requests_per_minute: 1 })
  await world.made()
  const waiting = await world.made()
  return {
    ...world,
    cancel: async () => expect((await world.remove(waiting)).status).toBe(200),
    /** Makes a task; gives the milliseconds for which it waits. */
    async waited(): Promise<number> {
      const { plan, created_at } = (await world.control('GET', `/tasks/${await world.made()}`)).body
      return Date.parse(plan.starts_at) - Date.parse(created_at)
    },
  }
}

it('a task that is cancelled while it waits gives its rate-limit slot to the next request (A-rate)', async () => {
  const world = await withWaitingTask('slots')
  // The next slot is two minutes ahead, past the longest wait.
  expect((await world.create(textBody())).status).toBe(429)
  await world.cancel()
  expect(await world.waited()).toBeGreaterThanOrEqual(60_000)
  expect((await world.create(textBody())).status).toBe(429)
})

it('a slot that was given back allows no more once its moment has passed (A-rate)', async () => {
  const world = await withWaitingTask('past-slots')
  await world.cancel()
  await world.advance('3m')
  await world.made()
  expect(await world.waited()).toBeGreaterThanOrEqual(60_000)
})

it.each([
  ['before its moment serves a request in that moment', true],
  ['in its moment has been used', false],
])('a slot whose task is cancelled %s (A-rate)', async (_, isFree) => {
  const world = await withWaitingTask(`slot-${isFree ? 'free' : 'used'}`)
  if (isFree) await world.cancel()
  await world.advance('1m')
  if (!isFree) await world.cancel()
  expect((await world.waited()) < 60_000).toBe(isFree)
})

it('masks asset identifiers in journal, task and story, as keys are (Spec, "Authentication" 5)', async () => {
  const world = worldOfA(gateway, 'secrets')
  const url = `${gateway.url}/__emulator/samples/landscape.jpg`
  const { reference, id: asset } = (await world.control('POST', '/assets', { kind: 'image', url })).body
  const withFrame = (frame: string) =>
    textBody({ content: [text('a kite'), image(frame, 'first_frame')], ratio: 'adaptive' })
  const id = await world.made(withFrame(reference))
  await world.create(withFrame('asset://asset-20260101000000-abcde'))
  for (const path of ['/requests', `/tasks/${id}`, `/tasks/${id}/story`]) {
    const { text: shown } = await world.control('GET', path)
    expect(shown, path).not.toContain(asset)
    expect(shown, path).not.toContain('asset-20260101000000-abcde')
  }
  const { request } = (await world.control('GET', `/tasks/${id}`)).body
  expect(request.content[1].image_url.url).toBe('asset://…')
  shows('all.auth.asset-secret')
})

it('an edit keeps the length of its input file, and duration is that rounded down (A-frames)', async () => {
  const world = worldOfA(gateway, 'edit')
  const small = { model: 'model_a_25', resolution: '480p' }
  const source = await world.finished({ ...small, content: [text('a kite')], duration: 5, ratio: '4:3' })
  const content = [text('remove the kite'), video(source.content.video_url)]
  const edit = await world.finished({ ...small, content, duration: -1 })
  expect(edit.duration).toBe(5)
  const { media } = (await world.control('GET', `/tasks/${edit.id}`)).body
  expect(media[0].recipe.frames).toBe(121)
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
