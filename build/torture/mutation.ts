/**
 * Every mutation of every create body, and of every body of the control API, against a server of its own, twice over:
 * no 5xx, always the right shape, nothing kept for refusals, the process alive, and no more memory after the second time than
 * after the first. Run with: node --import tsx build/torture/mutation.ts
 */
import { connect } from 'node:net'
import { controlEndpoints } from '../../src/emulator/control/endpoints.ts'
import { creating } from '../../test/support/contract.ts'
import type { Answer } from '../../test/support/gateway.ts'
import { plainClient } from '../../test/support/plain-client.ts'
import { sampleOf, seeded } from '../../test/support/seeded.ts'
import { fewArenas, startServer } from '../bench/child.ts'
import { mutationsFor, tryMutations } from './mutation-run.ts'
import { mutationsOf, wholeBodies } from './mutations.ts'

/** Pictures are drawn within the request: a part of them is enough. */
const picturesMost = 400
const seed = Number(process.argv[2] ?? 1)

// With a small heap, unused memory is freed at once, so that kept memory is visible.
const server = await startServer(
  'emulator',
  [
    ...['--max-old-space-size=300', '--import', 'tsx', 'src/main.ts'],
    ...['--port', '0', '--log', 'json', '--clock', 'manual', '--strict'],
  ],
  fewArenas,
)
const client = plainClient(server.url)
const target = {
  url: server.url,
  async post(path: string, body: unknown, key = 'sk-emulator'): Promise<Answer> {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const { status, text } = await client.send({ path, headers, body: JSON.stringify(body) })
    return { status, text, headers: {}, body: JSON.parse(text) }
  },
}
const control = async (method: string, path: string, body?: string) =>
  client.send({ method, path: `/__emulator${path}`, ...(body !== undefined && { body }) })

const faults: string[] = []
let sent = 0
const memory: number[] = []
for (const pass of [1, 2]) {
  for (const row of creating) await tryRow(row, pass)
  await tryControl()
  await tryNoise(pass)
  // Small bodies, so that the memory of the large ones is collected.
  for (let i = 0; i < 5000; i++) await control('GET', '/health')
  memory.push(server.memoryMb())
  console.log(`pass ${pass}: ${sent} requests so far, ${memory.at(-1)?.toFixed(0)} MB`)
}
const [first = 0, second = 0] = memory
if (second > first * 1.1 + 10) faults.push(`memory grew from ${first.toFixed(0)} to ${second.toFixed(0)} MB`)
if (server.child.exitCode !== null) faults.push(`the process ended with ${server.child.exitCode}`)
client.close()
await server.stop()
for (const fault of faults.slice(0, 50)) console.log(fault)
console.log(`${sent} requests, ${faults.length} faults`)
process.exit(faults.length === 0 ? 0 : 1)

async function tryRow(row: (typeof creating)[number], pass: number): Promise<void> {
  const world = `torture-${row.title.replaceAll('.', '-')}`
  const all = mutationsFor(row, target)
  const mutations = row.title.startsWith('image.') ? sampleOf(all, picturesMost, seed) : all
  const outcome = await tryMutations(row, target, { mutations, world })
  sent += outcome.sent
  faults.push(...outcome.faults)
  const { items } = JSON.parse((await control('GET', `/worlds/${world}/tasks?limit=1&detail=line`)).text)
  if (items.length > outcome.accepted) faults.push(`${row.title} stored refused requests`)
  await control('DELETE', `/worlds/${world}`)
  console.log(
    `pass ${pass} ${row.title.padEnd(20)} ${outcome.sent} sent, ${outcome.accepted} accepted, ${outcome.faults.length} faults, ${server.memoryMb().toFixed(0)} MB`,
  )
}

/** Bodies and queries of the control API: the status is always below 500. */
async function tryControl(): Promise<void> {
  await control('POST', '/worlds', '{"id":"torture-control"}')
  for (const endpoint of controlEndpoints) {
    const path = endpoint.paths[0].replace(/:\w+/g, 'none')
    if (path === '/events') continue
    const bodies = endpoint.body ? [...mutationsOf(endpoint.body, {}), ...wholeBodies] : [undefined]
    for (const mutation of bodies) {
      sent++
      const world = `/worlds/torture-control`
      const { status, text } = await control(endpoint.method, world + path, mutation?.body)
      if (status >= 500)
        faults.push(`${endpoint.method} ${path} ${mutation?.name}: ${status} ${text.slice(0, 200)}`)
    }
    for (const name of Object.keys(endpoint.query?.properties ?? {})) {
      for (const value of [
        '',
        '-1',
        '1e9',
        '%00',
        '%ff',
        '__proto__',
        'x'.repeat(5000),
        '99999999999999999999',
      ]) {
        sent++
        const { status, text } = await control('GET', `${path}?${name}=${value}`)
        if (status >= 500) faults.push(`GET ${path}?${name}=${value}: ${status} ${text.slice(0, 200)}`)
      }
    }
  }
  await control('DELETE', '/worlds/torture-control')
}

/** Bytes that are not HTTP, and clients that stop in the middle. */
async function tryNoise(pass: number): Promise<void> {
  const random = seeded(seed + pass)
  const port = Number(new URL(server.url).port)
  for (let round = 0; round < 2000; round++) {
    sent++
    await new Promise<void>(resolve => {
      const socket = connect(port, '127.0.0.1')
      const bytes = Buffer.from(Array.from({ length: random.integer(1, 300) }, () => random.integer(0, 255)))
      socket.on('error', () => undefined)
      socket.on('close', () => resolve())
      socket.resume()
      if (round % 3 === 0)
        socket.write('POST /tasks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n')
      socket.write(bytes, () => (round % 2 === 0 ? socket.end() : socket.destroy()))
      socket.setTimeout(2000, () => socket.destroy())
    })
  }
}
