import { existsSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { textBody, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { doEachJob } from '../support/job-answers.ts'

doEachJob()

const gateway = await openGateway()
const narrow = await openGateway({ mediaCacheBytes: 1 })

const folders = () => readdirSync(tmpdir()).filter(name => name.startsWith('gateway-emulator-'))

it('a temporary folder that was cleaned up is made again, and files are rendered again', async () => {
  const before = new Set(folders())
  const world = worldOfA(gateway, 'cleaned')
  const body = textBody({ model: 'model_a_20', resolution: '480p', duration: 4 })
  const first = (await world.finished(body)).content.video_url
  const second = (await world.finished(body)).content.video_url
  const whole = await gateway.download(first)
  expect(whole.status).toBe(200)
  const mine = folders().filter(name => !before.has(name))
  expect(mine.length).toBeGreaterThan(0)
  // Others that run at the same time have folders there too: only ours holds this file.
  const name = `${whole.headers.get('etag')?.slice(1, -1)}.mp4`
  const own = mine.find(folder => existsSync(join(tmpdir(), folder, 'rendered', name)))
  rmSync(join(tmpdir(), own ?? 'nowhere'), { recursive: true })
  expect((await gateway.download(second)).status).toBe(200)
  expect((await gateway.download(first)).bytes.equals(whole.bytes)).toBe(true)
})

it('a cache with room for one file serves many files at once', async () => {
  const world = worldOfA(narrow, 'narrow')
  const bodies = [4, 5, 6].map(duration => textBody({ model: 'model_a_20', resolution: '480p', duration }))
  const links = []
  for (const body of bodies) links.push((await world.finished(body)).content.video_url)
  const replies = await Promise.all([...links, ...links, ...links].map(link => narrow.download(link)))
  expect(replies.map(({ status }) => status)).toEqual(Array(9).fill(200))
})
