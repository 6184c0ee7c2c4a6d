import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startServer } from '../../build/bench/child.ts'
import { findFfmpeg } from '../../src/media/render/tools.ts'
import { tasksPath, textBody } from '../support/family-a.ts'
import { ownFolder } from '../support/folders.ts'
import { sample } from '../support/input-samples.ts'
import { startInputServer } from '../support/input-server.ts'
import { processesOf } from '../support/left-processes.ts'
import { plainClient } from '../support/plain-client.ts'

const temporary = ownFolder('rendering-apart')

const commands = () => processesOf(temporary)

const serve = ['dist/main.js', '--port', '0', '--log', 'json', '--clock', 'manual']

function apiOf(url: string) {
  const client = plainClient(url)
  const headers = { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json' }
  return {
    close: () => client.close(),
    post: async (path: string, body: unknown) =>
      JSON.parse((await client.send({ path, headers, body: JSON.stringify(body) })).text),
    task: async (id: string) =>
      JSON.parse((await client.send({ method: 'GET', path: `${tasksPath}/${id}`, headers })).text),
    async get(link: string) {
      const { pathname, search } = new URL(link)
      return await client.send({ method: 'GET', path: pathname + search })
    },
  }
}

it('a server renders videos, pictures and layers without loading the drawing library itself; kill -9 leaves no worker', async () => {
  const server = await startServer('emulator', serve, { TMPDIR: temporary })
  const api = apiOf(server.url)
  const { id } = await api.post(tasksPath, textBody({ resolution: '480p', duration: 4 }))
  await api.post('/__emulator/clock/advance', { until: 'idle' })
  expect((await api.get((await api.task(id)).content.video_url)).status).toBe(200)
  const image = `data:image/png;base64,${sample('layered.png').toString('base64')}`
  const picture = { model: 'model_image', prompt: 'a boat', image, size: '1K' }
  for (const layer_decomposition of [false, true]) {
    const { data } = await api.post('/api/v3/images/generations', { ...picture, layer_decomposition })
    for (const { url } of data) expect((await api.get(url)).status).toBe(200)
  }
  api.close()
  expect(commands().length).toBeGreaterThan(1)
  expect(readFileSync(`/proc/${server.child.pid}/maps`, 'utf8')).not.toContain('libvips')
  const over = once(server.child, 'exit')
  server.child.kill('SIGKILL')
  await over
  await expect.poll(commands).toEqual([])
}, 120_000)

it('SIGTERM ends a server whose ffmpeg and input hosts never answer, and the next start has the acknowledged changes', async () => {
  const data = join(temporary, 'data')
  const ffmpeg = join(temporary, 'ffmpeg')
  // It lists its abilities like the real one, and then renders without an end.
  const real = (await findFfmpeg()).path
  writeFileSync(
    ffmpeg,
    `#!/bin/sh\ncase "$*" in *-version*|*-encoders*) exec '${real}' "$@";; esac\nexec sleep 600\n`,
  )
  chmodSync(ffmpeg, 0o755)
  const args = [...serve, '--data', data]
  const server = await startServer('emulator', args, { TMPDIR: temporary, FFMPEG_PATH: ffmpeg })
  const host = await startInputServer(() => undefined)
  const api = apiOf(server.url)
  const { id } = await api.post(tasksPath, textBody({ resolution: '480p', duration: 4 }))
  await api.post('/__emulator/clock/advance', { until: 'idle' })
  const link = (await api.task(id)).content.video_url
  const image = `${host.origin}/never.png`
  const video = expect(api.get(link)).rejects.toThrow()
  await expect.poll(() => commands().some(line => line.includes('sleep 600'))).toBe(true)
  // Sent last: after five seconds of silence the emulator gives up on a host.
  const edit = api.post('/api/v3/images/generations', { model: 'model_image', prompt: 'a boat', image })
  const cut = [video, expect(edit).rejects.toThrow()]
  await expect.poll(() => host.asked.length).toBe(1)
  const over = once(server.child, 'exit')
  server.child.kill('SIGTERM')
  expect((await over)[0]).toBe(0)
  await Promise.all(cut)
  await host.close()
  api.close()
  await expect.poll(commands).toEqual([])
  const again = await startServer('emulator', args, { TMPDIR: temporary })
  const told = apiOf(again.url)
  expect((await told.task(id)).status).toBe('succeeded')
  told.close()
  await again.stop()
}, 120_000)
