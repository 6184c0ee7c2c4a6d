import { connect, type Socket } from 'node:net'
import { afterAll, expect, it, vi } from 'vitest'
import { assembleInMemory, listen } from '../../src/emulator/server/emulator.ts'
import { tasksPath, textBody } from '../support/family-a.ts'
import { plainClient } from '../support/plain-client.ts'
import { seeded } from '../support/seeded.ts'

const listening = await listen(
  assembleInMemory({ port: 0, clock: { mode: 'manual', rate: 1 }, strict: true }),
)
const { url } = listening
const client = plainClient(url)
const sockets: Socket[] = []
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  client.close()
  await listening.close()
})

const headers = { Authorization: 'Bearer sk-test-slow', 'Content-Type': 'application/json' }
const head = (length: number, key = 'sk-test-slow') =>
  `POST ${tasksPath} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

/** A connection that sends this text and then no more bytes. */
async function saying(text: string | Buffer): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await new Promise<void>(resolve => socket.write(text, () => resolve()))
  return socket
}

const isAlive = async () =>
  expect((await client.send({ method: 'GET', path: '/__emulator/health' })).status).toBe(200)

it('clients that announce a large body and never send it do not block other large requests', async () => {
  await Promise.all([1, 2, 3].map(() => saying(`${head(30_000_000)}{"model":`)))
  const padded = JSON.stringify(textBody({ padding: 'x'.repeat(6_000_000) }))
  const replies = await Promise.all([1, 2].map(() => client.send({ path: tasksPath, headers, body: padded })))
  // Silent connections last two minutes. A server that waited for them would exceed the test's time.
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
})

it('a client that leaves while its large body waits for its turn is in the journal', async () => {
  await saying(`${head(30_000_000)}{"model":`)
  const leaving = await saying(`${head(30_000_000, 'sk-test-left')}{"model":`)
  const world = '/__emulator/worlds/left'
  const patience = { timeout: 20_000 }
  await vi.waitFor(async () => {
    const { status } = await client.send({ method: 'GET', path: world })
    expect(status).toBe(200)
  }, patience)
  leaving.destroy()
  await vi.waitFor(async () => {
    const { text } = await client.send({ method: 'GET', path: `${world}/requests` })
    expect(JSON.parse(text).items).toMatchObject([{ operation: 'a.create', fault: 'invalid_json' }])
  }, patience)
})

it('hundreds of half-open connections block no request, and their unfinished requests are not stored', async () => {
  const body = JSON.stringify(textBody())
  const whole = head(body.length, 'sk-test-half') + body
  const random = seeded(4)
  await Promise.all(
    Array.from({ length: 300 }, () => saying(whole.slice(0, random.integer(1, whole.length - 1)))),
  )
  for (let i = 0; i < 20; i++) {
    expect((await client.send({ path: tasksPath, headers, body })).status).toBe(200)
  }
  const { text } = await client.send({ method: 'GET', path: '/__emulator/worlds/half/tasks' })
  expect(JSON.parse(text).items).toEqual([])
})

it('random bytes on the socket end only that connection', async () => {
  const random = seeded(5)
  const valid = Buffer.from(head(100) + 'x'.repeat(100))
  const answers: string[] = []
  for (let round = 0; round < 300; round++) {
    const bytes =
      round % 2 === 0
        ? Buffer.from(Array.from({ length: random.integer(1, 400) }, () => random.integer(0, 255)))
        : Buffer.from(valid.map(byte => (random.next() < 0.03 ? random.integer(0, 255) : byte)))
    const socket = await saying(bytes)
    socket.on('data', data => answers.push(data.toString('latin1').slice(9, 12)))
    socket.end()
  }
  await expect.poll(() => answers.length, { timeout: 5000 }).toBeGreaterThan(100)
  await isAlive()
  expect(answers.filter(status => status.startsWith('5'))).toEqual([])
})

it('two requests on one connection, written byte by byte, are both answered, and a client that leaves in between harms nobody', async () => {
  const body = JSON.stringify(textBody())
  const both = (head(body.length) + body).repeat(2)
  const socket = await saying('')
  let heard = ''
  socket.on('data', data => {
    heard += data
  })
  for (const sign of both) socket.write(sign)
  await expect.poll(() => heard.match(/HTTP\/1\.1 200/g)?.length, { timeout: 8000 }).toBe(2)
  const leaving = await saying(`${head(100)}{"model"`)
  leaving.destroy()
  await isAlive()
})

it('headers above 16 kB are 431, and a thousand headers are answered too', async () => {
  const answered = async (text: string) => {
    const socket = await saying(text)
    return new Promise<string>(resolve => socket.once('data', data => resolve(data.toString().slice(9, 12))))
  }
  const start = `GET ${tasksPath} HTTP/1.1\r\nHost: localhost\r\n`
  expect(await answered(`${start}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`)).toBe('431')
  expect(
    await answered(`${start}${'X-A: 1\r\n'.repeat(1500)}Authorization: Bearer sk-emulator\r\n\r\n`),
  ).toMatch(/^(200|401)$/)
})
