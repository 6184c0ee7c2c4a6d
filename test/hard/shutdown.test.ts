import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startServer } from '../../build/bench/child.ts'
import { tasksPath, textBody, video } from '../support/family-a.ts'
import { ownFolder } from '../support/folders.ts'
import { processesOf } from '../support/left-processes.ts'
import { plainClient } from '../support/plain-client.ts'

const clip = readFileSync('fixtures/media/samples/clip-720p-5s.mp4')
/** Its base64, which more bytes may follow. */
const wholeTriples = clip.subarray(0, clip.length - (clip.length % 3)).toString('base64')
const rest = clip.subarray(clip.length - (clip.length % 3))

/** Work that keeps a server busy: creates, renders, inputs to decode, pictures to draw and to decompose. */
async function loadUntil(url: string, isOver: () => boolean, answered: () => void): Promise<void> {
  const client = plainClient(url, 40)
  const headers = { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json' }
  let number = 0
  const post = (path: string, body: unknown) => client.send({ path, headers, body: JSON.stringify(body) })
  const jobs = [
    async () => {
      const body = textBody({ model: 'model_a_20', resolution: '4k', duration: 15 })
      const { id } = JSON.parse((await post(tasksPath, body)).text)
      await client.send({ path: '/__emulator/clock/advance', body: '{"until":"idle"}' })
      const { text } = await client.send({ method: 'GET', path: `${tasksPath}/${id}`, headers })
      const { pathname, search } = new URL(JSON.parse(text).content.video_url)
      await client.send({ method: 'GET', path: pathname + search })
    },
    async () => {
      // Bytes that were never seen before, so that they are measured and decoded.
      const more = Buffer.concat([rest, Buffer.from(`\0\0\0\x10free${String(++number).padStart(8)}`)])
      const url = `data:video/mp4;base64,${wholeTriples}${more.toString('base64')}`
      await post(tasksPath, textBody({ content: [video(url)] }))
    },
    () =>
      post('/api/v3/images/generations', { model: 'model_image', prompt: `a boat ${++number}`, size: '2K' }),
    () =>
      post('/api/v3/images/generations', {
        ...{ model: 'model_image', prompt: `apart ${++number}`, size: '1K', layer_decomposition: true },
        image: `${url}/__emulator/samples/layered.png`,
      }),
    () => client.send({ method: 'GET', path: '/__emulator/events' }),
  ]
  let isGone = false
  const failed = (error: NodeJS.ErrnoException) => {
    // A server that accepts no connection any more will not do so again.
    isGone ||= error.code === 'ECONNREFUSED'
    return turn()
  }
  const work = async (job: () => Promise<unknown>) => {
    while (!isOver() && !isGone) await job().then(answered, failed)
  }
  // Three videos at a time, so that an encoder runs most of the time.
  const [videos = turn] = jobs
  await Promise.all([...jobs, videos, videos].map(work))
  client.close()
}

// The limit of two seconds is a deadline inside the program, tested in test/unit/closing.test.ts.
describe('SIGTERM under load leaves no process and no temporary file', () => {
  it('in memory', () => stopUnderLoad([]))

  it('with a data directory, which can be opened again', async () => {
    const data = ownFolder('hard-shutdown')
    await stopUnderLoad(['--data', data])
    const left = readdirSync(data, { recursive: true, encoding: 'utf8' })
    expect(left.filter(name => /\.(part|tmp)$|lock/.test(name))).toEqual([])
  })
})

async function stopUnderLoad(more: string[]): Promise<void> {
  const temporary = ownFolder('hard-shutdown')
  const args = ['dist/main.js', '--port', '0', '--log', 'json', '--clock', 'manual']
  const server = await startServer('emulator', [...args, ...more], { TMPDIR: temporary })
  let isOver = false
  let answers = 0
  const load = loadUntil(
    server.url,
    () => isOver,
    () => answers++,
  )
  // Under full load: encoders run, and inputs have been decoded and pictures drawn, of which the next ones are under way.
  const isEncoding = () => processesOf(temporary).some(line => line.includes('ffmpeg'))
  await expect.poll(() => answers > 10 && isEncoding(), { interval: 20 }).toBe(true)
  const over = once(server.child, 'exit')
  server.child.kill('SIGTERM')
  const [code] = await over
  isOver = true
  await load
  expect(code).toBe(0)
  expect(processesOf(temporary)).toEqual([])
  expect(readdirSync(temporary)).toEqual([])
}
