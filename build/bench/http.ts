import { median, startEmulator, startLogging, startServer } from './child.ts'
import { firstTask, forgetTasks, type LoadFigure, type LoadKind, load } from './requests.ts'

/**
 * Polls and creates against plain Express 5 with ajv (= 1) and bare node:http, in one run and in turn, so that
 * other load of the machine affects all in the same way; and what a line for each request costs. It prints requests per second of wall
 * time, and then the rows of docs/figures.md: requests per processor second of the server.
 * Run with: node --import tsx build/bench/http.ts [rounds] [seconds of each] [numbers of connections, such as 10,100]
 */
const rounds = Number(process.argv[2] ?? 20)
const seconds = Number(process.argv[3] ?? 1)
const counts = (process.argv[4] ?? '10').split(',').map(Number)

const logs = ['pipe', 'file', 'terminal'] as const
const names = { poll: 'polls', create: 'creates', 'mixed 1:5': 'one create to five polls' } as const
const loader = ['--import', 'tsx']
const servers = [
  await startServer('express', [...loader, 'build/bench/servers/express.ts']),
  await startEmulator(),
  await startServer('node:http', [...loader, 'build/bench/servers/bare.ts']),
  ...(await Promise.all(logs.map(startLogging))),
]

console.log(`Idle memory of the emulator: ${servers[1]?.memoryMb().toFixed(0)} MB\n`)
const rows: string[] = []
for (const connections of counts)
  for (const kind of ['poll', 'create', 'mixed 1:5'] as const)
    rows.push(...(await compare(kind, connections)))
for (const row of rows) console.log(row)
console.log(`\nMemory of the emulator after the load: ${servers[1]?.memoryMb().toFixed(0)} MB`)
await Promise.all(servers.map(server => server.stop()))

async function compare(kind: LoadKind, connections: number): Promise<string[]> {
  const figures = new Map<string, LoadFigure[]>(servers.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const server of servers) {
      await forgetTasks(server)
      const figure = await load(server, { kind, id: await firstTask(server), connections, seconds })
      // The first round warms up.
      if (round > 0) figures.get(server.name)?.push(figure)
    }
  }
  const seen = (name: string, key: keyof LoadFigure) => (figures.get(name) ?? []).map(figure => figure[key])
  const wallOf = (name: string) => median(seen(name, 'perSecond'))
  // The mean cost of all rounds: garbage is collected in few of them, and a median would count it fully or not at all.
  const rateOf = (name: string) => 1 / mean(seen(name, 'perCpuSecond').map(each => 1 / each))
  const cells = servers.map(
    ({ name }) => `${name} ${wallOf(name).toFixed(0)}/s (${(wallOf(name) / wallOf('express')).toFixed(2)})`,
  )
  console.log(`By the clock: ${names[kind]}, ${connections} connections: ${cells.join(' | ')}`)
  const [express, emulator, bare] = ['express', 'emulator', 'node:http'].map(rateOf) as [
    number,
    number,
    number,
  ]
  const what = `${names[kind]} a processor second, ${connections} connections`
  return [
    `| ${what} | ${rounded(emulator)} (${(emulator / express).toFixed(1)}; 1/${(bare / emulator).toFixed(1)} of bare) | ${rounded(express)} | ${rounded(bare)} |`,
    ...logs.map(to => {
      const logged = rateOf(`log to a ${to}`)
      return `| the same with the request log to a ${to} | ${rounded(logged)} (1/${(emulator / logged).toFixed(2)} of the emulator without) | | |`
    }),
  ]
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length
}

function rounded(perSecond: number): string {
  return (Math.round(perSecond / 100) * 100).toLocaleString('en')
}
