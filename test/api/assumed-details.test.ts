import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { textBody as bodyOfA, worldOfA } from '../support/family-a.ts'
import { textBody as bodyOfB, mediaBody, worldOfB } from '../support/family-b.ts'
import { worldOfImages } from '../support/family-image.ts'
import { turboPath, worldOfK } from '../support/family-k.ts'
import { openGateway } from '../support/gateway.ts'
import { oneVideoForAll } from '../support/job-answers.ts'

oneVideoForAll()

/** What an audit of the specification found, each with the test that shows it. */
const gateway = await openGateway()
let next = 0
const name = () => `audit-${next++}`
const { limited } = JSON.parse(
  readFileSync(new URL('../../fixtures/accounts.json', import.meta.url), 'utf8'),
) as { limited: { models: string[]; resolutions: string[] } }

it.each(limited.models)('the template limited lists %s, which can make at least one thing', async model => {
  const world = name()
  const patched = await gateway.control('PATCH', `/worlds/${world}/accounts/default`, limited)
  expect(patched.status, patched.text).toBe(200)
  const statuses: number[] = []
  for (const resolution of limited.resolutions) {
    const parameters = { resolution: resolution.toUpperCase() }
    if (model.startsWith('model_a'))
      statuses.push((await worldOfA(gateway, world).create(bodyOfA({ model, resolution }))).status)
    if (model.startsWith('model_b'))
      statuses.push((await worldOfB(gateway, world).create(bodyOfB({ parameters }))).status)
    if (model.startsWith('model_k')) {
      const client = worldOfK(gateway, world)
      statuses.push((await client.post(turboPath, client.frameBody({ settings: { resolution } }))).status)
    }
  }
  if (model === 'model_image') statuses.push((await worldOfImages(gateway, world).generate({})).status)
  expect(statuses).toContain(200)
})

it('assumed lengths of videos that are not read leave time for the output: B counts 30 s at most (A-invented-lengths)', async () => {
  const client = worldOfB(gateway, name())
  const videos = ['a', 'b', 'c'].map(file => ['reference_video', `https://example.com/${file}.mp4`] as const)
  const id = await client.made(mediaBody(videos, { parameters: { duration: 25 } }))
  await client.advance({ until: 'idle' })
  const { usage } = (await client.get(id)).body
  expect(usage.output_video_duration).toBe(25)
  expect(usage.input_video_duration + usage.output_video_duration).toBeLessThanOrEqual(30)
})
