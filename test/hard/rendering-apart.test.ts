import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startServer } from '../bench/child.ts'
import { tasksPath, textBody } from '../support/family-a.ts'
import { sample } from '../support/input-samples.ts'
import { plainClient } from '../support/plain-client.ts'

const temporary = mkdtempSync(join(tmpdir(), 'rendering-apart-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

/** Processes that were started with our folder for temporary files, the server included. */
function processes(): string[] {
  return readdirSync('/proc').filter(name => {
    try {
      return readFileSync(`/proc/${name}/environ`, 'utf8').includes(`TMPDIR=${temporary}\0`)
    } catch {
      return false // It has just ended, or is not ours to look at.
    }
  })
}

it('a server makes videos and pictures and takes pictures apart without loading the drawing library, and kill -9 leaves no worker', async () => {
  const args = ['--import', 'tsx', 'src/main.ts', '--port', '0', '--log', 'json', '--clock', 'manual']
  const server = await startServer('emulator', args, { TMPDIR: temporary })
  const client = plainClient(server.url)
  const headers = { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json' }
  const post = async (path: string, body: unknown) =>
    JSON.parse((await client.send({ path, headers, body: JSON.stringify(body) })).text)
  const get = async (url: string) => {
    const { pathname, search } = new URL(url, server.url)
    return await client.send({ method: 'GET', path: pathname + search })
  }
  const { id } = await post(tasksPath, textBody({ resolution: '480p', duration: 4 }))
  await post('/__emulator/clock/advance', { until: 'idle' })
  const told = await client.send({ method: 'GET', path: `${tasksPath}/${id}`, headers })
  expect((await get(JSON.parse(told.text).content.video_url)).status).toBe(200)
  const image = `data:image/png;base64,${sample('layered.png').toString('base64')}`
  const picture = { model: 'model_image', prompt: 'a boat', image, size: '1K' }
  for (const layer_decomposition of [false, true]) {
    const { data } = await post('/api/v3/images/generations', { ...picture, layer_decomposition })
    for (const { url } of data) expect((await get(url)).status).toBe(200)
  }
  client.close()
  expect(processes().length).toBeGreaterThan(1)
  expect(readFileSync(`/proc/${server.child.pid}/maps`, 'utf8')).not.toContain('libvips')
  const over = once(server.child, 'exit')
  server.child.kill('SIGKILL')
  await over
  await expect.poll(processes, { timeout: 20_000 }).toEqual([])
}, 120_000)
