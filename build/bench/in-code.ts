/**
 * Starting in process, against plain Express 5 on a socket in the same run, and how the control calls that tests make often grow
 * with the size of a world. Run with: node --import tsx build/bench/in-code.ts [runs]
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { startEmulator } from '../../src/index.ts'
import { median } from './child.ts'

const runs = Number(process.argv[2] ?? 15)

/** The median of `runs` runs in milliseconds, after one that warms up. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let run = 0; run <= runs; run++) {
    const startedAt = performance.now()
    await work()
    if (run > 0) times.push(performance.now() - startedAt)
  }
  return median(times)
}

async function startExpress(): Promise<void> {
  const app = express()
  app.get('/health', (_, response) => void response.json({ status: 'ok' }))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/health`)).text()
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
}

async function startOurs(): Promise<void> {
  const emulator = await startEmulator({ clock: 'manual' })
  await emulator.health()
  await emulator.close()
}

const plainMs = await timeOf(startExpress)
const oursMs = await timeOf(startOurs)
console.log(`Medians of ${runs} runs`)
console.log(
  `start, one answer, end   ${oursMs.toFixed(1)} ms, ${(oursMs / plainMs).toFixed(2)} of plain Express`,
)

const emulator = await startEmulator({ clock: 'manual' })

/** A world with that many tasks, and as many creates in its journal. */
async function worldOf(size: number) {
  const world = await emulator.openWorld()
  const headers = { Authorization: `Bearer ${world.apiKey}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ model: 'model_a_20', content: [{ type: 'text', text: 'a kite' }] })
  for (let made = 0; made < size; made++) {
    const reply = await fetch(`${world.baseUrl}/api/v3/contents/generations/tasks`, {
      method: 'POST',
      headers,
      body,
    })
    await reply.arrayBuffer()
  }
  return world
}

const [small, large] = [await worldOf(300), await worldOf(3000)]
type World = typeof small
const calls: readonly (readonly [string, (world: World) => Promise<unknown>])[] = [
  [
    'take and restore a snapshot',
    world => world.snapshots.save('x').then(() => world.snapshots.restore('x')),
  ],
  ['verify what never came', world => world.requests.verify({ match: { prompt: 'nowhere' } })],
]
for (const [name, call] of calls) {
  const [few, many] = [await timeOf(() => call(small)), await timeOf(() => call(large))]
  console.log(
    `${name.padEnd(28)} ${few.toFixed(1)} ms over 300 tasks, ${(many / few).toFixed(2)} times that over 3000`,
  )
}
await emulator.close()
