/**
 * A machine that is busy with other programs: endless ones, each in a session of its own, since Linux weighs sessions. Every create
 * with inputs, decompositions and downloads are made twice, first without the programs, then beside them: none may be refused, and
 * every file must have the same bytes. Then one decomposition after another beside fewer programs, each within its aim. Run with:
 * node --import tsx build/torture/busy.ts [--per-core 12] [--decompositions 20] [--downloads 100] [--only all|apart]
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import { availableParallelism } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { setTimeout as elapse } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { creating, examplesOf, pathOf } from '../../test/support/contract.ts'
import { type ServerChild, startServer } from '../bench/child.ts'

const { values } = parseArgs({
  options: {
    'per-core': { type: 'string', default: '12' },
    decompositions: { type: 'string', default: '20' },
    downloads: { type: 'string', default: '100' },
    only: { type: 'string', default: 'both' },
  },
})
const cores = availableParallelism()
/** An answer that takes longer is a fault, so that the whole ends. Wall ms. */
const longestMs = 600_000
const decompositionAimMs = 25_000
const fewerPerCore = 4
const faults: string[] = []

if (values.only !== 'apart') await sameFilesBeside(Number(values['per-core']))
if (values.only !== 'all') await decompositionsBeside(fewerPerCore)
for (const fault of faults) console.log(`FAULT ${fault}`)
process.exit(faults.length === 0 ? 0 : 1)

/** Endless programs until `end`; each also ends when this process has ended. */
function occupy(perCore: number): { end(): void } {
  const endless = `while kill -0 ${process.pid} 2>/dev/null; do :; done`
  const programs = Array.from({ length: perCore * cores }, () =>
    // A detached program has a session of its own (setsid).
    spawn('sh', ['-c', endless], { detached: true, stdio: 'ignore' }),
  )
  return {
    end() {
      for (const { pid } of programs) if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    },
  }
}

function start(port = '0'): Promise<ServerChild> {
  const clock = ['--clock', 'manual', '--now', '2026-03-01T08:00:00.000Z', '--inputs', 'loopback']
  return startServer('emulator', ['dist/main.js', '--port', port, '--log', 'json', ...clock])
}

async function sameFilesBeside(perCore: number): Promise<void> {
  const quiet = await start()
  const expected = await everything(quiet, 'without other programs')
  await quiet.stop()
  const programs = occupy(perCore)
  try {
    const busy = await start(new URL(quiet.url).port)
    const made = await everything(busy, `beside ${perCore} endless programs a core`)
    await busy.stop()
    for (const [name, digest] of expected)
      if (made.get(name) !== digest) faults.push(`${name} has other bytes than without other programs`)
  } finally {
    programs.end()
  }
}

/** Makes all, and returns the digests of the downloaded files. */
async function everything(server: ServerChild, how: string): Promise<Map<string, string>> {
  console.log(how)
  const { ask, close } = asking(server)
  const post = async (path: string, body: unknown, key?: string) => {
    const { status, text } = await ask({ path, body, key })
    return { status, text, headers: {}, body: undefined }
  }
  const orders = (
    await Promise.all(
      creating.map(async row => {
        const path = await pathOf(row, { url: server.url, post })
        return examplesOf(row.title, server)
          .filter(({ body }) => JSON.stringify(body).includes('/samples/'))
          .map(({ name, body }) => ({ name, path, body }))
      }),
    )
  ).flat()
  const [layers] = orders.filter(({ name }) => name.includes('layers'))
  if (!layers) throw new Error('no example asks for layers')
  const apart = Array.from({ length: Number(values.decompositions) }, (_, i) => ({
    ...layers,
    name: `decomposition ${i + 1}`,
  }))
  const polls = pollAllTheTime(server)
  const worlds = [...orders, ...apart].map((order, i) => ({ ...order, world: `busy-${i + 1}` }))
  const times = await Promise.all(
    worlds.map(async ({ name, path, body, world }) => {
      const from = performance.now()
      const reply = await ask({ path, body, key: `sk-test-${world}` })
      if (reply.status !== 200) faults.push(`${how}: ${name}: ${reply.status} ${reply.text.slice(0, 300)}`)
      return performance.now() - from
    }),
  )
  const [creates, decompositions] = [times.slice(0, orders.length), times.slice(orders.length)]
  console.log(`  ${creates.length} creates with inputs: ${words(creates)}`)
  console.log(`  ${decompositions.length} decompositions at once: ${words(decompositions)}`)
  const files = (await Promise.all(worlds.map(({ world }) => filesOf(world, ask)))).flat()
  const count = Number(values.downloads)
  const wanted = Array.from({ length: count }, (_, i) => files[i % files.length]).flatMap(file => file ?? [])
  const digests = new Map<string, string>()
  const downloads = await Promise.all(
    wanted.map(async ({ name, path }) => {
      const from = performance.now()
      const { status, bytes } = await ask({ method: 'GET', path })
      if (status !== 200) faults.push(`${how}: ${name}: ${status} ${bytes.toString().slice(0, 300)}`)
      digests.set(name, createHash('sha256').update(bytes).digest('hex'))
      return performance.now() - from
    }),
  )
  console.log(`  ${downloads.length} downloads of ${digests.size} files at once: ${words(downloads)}`)
  console.log(`  polls meanwhile: ${words(await polls.end())}`)
  close()
  return digests
}

interface Reply {
  status: number
  text: string
  bytes: Buffer
}

interface Question {
  method?: string
  path: string
  body?: unknown
  key?: string | undefined
}

function asking(server: ServerChild) {
  const { hostname, port } = new URL(server.url)
  const agent = new Agent({ keepAlive: true })
  const ask = ({ method = 'POST', path, body, key = 'sk-emulator' }: Question): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const isFile = path.startsWith('/files/')
      const headers = isFile ? {} : { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
      const sent = request({ hostname, port, agent, method, path, headers }, reply => {
        buffer(reply).then(
          bytes => resolve({ status: reply.statusCode ?? 0, text: bytes.toString(), bytes }),
          reject,
        )
      })
      sent.setTimeout(longestMs, () =>
        sent.destroy(new Error(`${path}: no answer within ${longestMs / 1000} s`)),
      )
      sent.on('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  return { ask, close: () => agent.destroy() }
}

type Ask = ReturnType<typeof asking>['ask']

/** The files of a world's tasks when nothing changes any more, with names that are the same in each run. */
async function filesOf(world: string, ask: Ask): Promise<{ name: string; path: string }[]> {
  const control = `/__emulator/worlds/${world}`
  await ask({ path: `${control}/clock/advance`, body: { until: 'idle' } })
  const { text } = await ask({ method: 'GET', path: `${control}/tasks?limit=10` })
  const { items } = JSON.parse(text) as { items: { id: string }[] }
  const files = []
  for (const { id } of items) {
    const task = JSON.parse((await ask({ method: 'GET', path: `${control}/tasks/${id}` })).text)
    for (const { name, url } of task.media as { name: string; url: string | null }[]) {
      if (url === null) continue
      const { pathname, search } = new URL(url)
      files.push({ name: `${world} ${id} ${name}`, path: pathname + search })
    }
  }
  return files
}

/** Polls by a client that rests a little between two. */
function pollAllTheTime(server: ServerChild): { end(): Promise<number[]> } {
  const { ask, close } = asking(server)
  const times: number[] = []
  let isOver = false
  const polling = (async () => {
    while (!isOver) {
      const from = performance.now()
      const { status } = await ask({ method: 'GET', path: '/api/v3/contents/generations/tasks?page_size=1' })
      if (status !== 200) faults.push(`a poll: ${status}`)
      times.push(performance.now() - from)
      await elapse(20)
    }
  })()
  return {
    async end() {
      isOver = true
      await polling
      close()
      return times
    },
  }
}

/** Single decompositions beside fewer programs: the first with a new worker, the others with one that has worked. */
async function decompositionsBeside(perCore: number): Promise<void> {
  const programs = occupy(perCore)
  try {
    const server = await start()
    const { ask, close } = asking(server)
    const [layers] = examplesOf('image.generate', server).filter(({ name }) => name.includes('layers'))
    const times: number[] = []
    for (let run = 0; run < 5; run++) {
      const from = performance.now()
      const { status, text } = await ask({ path: '/api/v3/images/generations', body: layers?.body })
      if (status !== 200) faults.push(`a decomposition: ${status} ${text.slice(0, 300)}`)
      times.push(performance.now() - from)
    }
    console.log(`decompositions one by one beside ${perCore} endless programs a core: ${words(times)}`)
    const slowest = Math.max(...times)
    if (slowest > decompositionAimMs) faults.push(`a decomposition took ${(slowest / 1000).toFixed(1)} s`)
    close()
    await server.stop()
  } finally {
    programs.end()
  }
}

function words(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (part: number) => seconds(sorted[Math.floor(part * sorted.length)] ?? 0)
  return `${sorted.length} times, middle ${at(0.5)}, 99 % ${at(0.99)}, slowest ${seconds(sorted.at(-1) ?? 0)}`
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(1)} s`
}
