import autocannon from 'autocannon'
import { median, type ServerChild, startEmulator, startServer } from './child.ts'

/**
 * Polls and creates against plain Express 5 with ajv (= 1) and bare node:http, in one run and in turn, so that
 * other load of the machine affects all in the same way. Two figures: requests per second of wall time, and
 * requests per processor second of the server.
 */
const path = '/api/v3/contents/generations/tasks'
const body = JSON.stringify({
  model: 'model_a_20',
  content: [{ type: 'text', text: 'a cat on a roof' }],
  duration: 5,
  ratio: '16:9',
})
const headers = { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json' }
const rounds = Number(process.argv[2] ?? 3)
const seconds = Number(process.argv[3] ?? 2)

interface Figure {
  perSecond: number
  perCpuSecond: number
}

type Kind = 'poll' | 'create' | 'mixed 1:5'

const loader = ['--import', 'tsx']
const servers = [
  await startServer('express', [...loader, 'build/bench/servers/express.ts']),
  await startEmulator(),
  await startServer('node:http', [...loader, 'build/bench/servers/bare.ts']),
]
const ids = new Map<string, string>()
for (const server of servers) {
  const reply = await fetch(server.url + path, { method: 'POST', headers, body })
  ids.set(server.name, ((await reply.json()) as { id: string }).id)
}

console.log(`Idle memory of the emulator: ${servers[1]?.memoryMb().toFixed(0)} MB\n`)
for (const connections of [10, 100]) {
  for (const kind of ['poll', 'create', 'mixed 1:5'] as const) await compare(kind, connections)
}
console.log(`\nMemory of the emulator after the load: ${servers[1]?.memoryMb().toFixed(0)} MB`)
await Promise.all(servers.map(server => server.stop()))

async function compare(kind: Kind, connections: number): Promise<void> {
  const figures = new Map<string, Figure[]>(servers.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const server of servers) {
      const figure = await load(server, kind, connections)
      // The first round warms up.
      if (round > 0) figures.get(server.name)?.push(figure)
    }
  }
  const of = (name: string, key: keyof Figure) => median((figures.get(name) ?? []).map(figure => figure[key]))
  const cells = servers.map(({ name }) => {
    const wall = of(name, 'perSecond')
    const cpu = of(name, 'perCpuSecond')
    return `${name} ${wall.toFixed(0)}/s (${(wall / of('express', 'perSecond')).toFixed(2)}), a cpu second ${cpu.toFixed(0)} (${(cpu / of('express', 'perCpuSecond')).toFixed(2)})`
  })
  console.log(`${kind}, ${connections} connections: ${cells.join(' | ')}`)
}

async function load(server: ServerChild, kind: Kind, connections: number): Promise<Figure> {
  const poll = { method: 'GET' as const, path: `${path}/${ids.get(server.name)}`, headers }
  const create = { method: 'POST' as const, path, headers, body }
  const requests = { poll: [poll], create: [create], 'mixed 1:5': [create, poll, poll, poll, poll, poll] }[
    kind
  ]
  const before = server.cpuSeconds()
  const result = await autocannon({ url: server.url, connections, duration: seconds, requests })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${server.name}: ${result.non2xx} refusals, ${result.errors} errors`)
  const total = result.requests.total
  return { perSecond: total / result.duration, perCpuSecond: total / (server.cpuSeconds() - before) }
}
