import { median, startEmulator, startLogging, startServer } from './child.ts'
import { firstTask, type LoadFigure, type LoadKind, load } from './requests.ts'

/**
 * Polls and creates against plain Express 5 with ajv (= 1) and bare node:http, in one run and in turn, so that
 * other load of the machine affects all in the same way; then what a line for each request costs. Two figures: requests per second of
 * wall time, and requests per processor second of the server.
 */
const rounds = Number(process.argv[2] ?? 3)
const seconds = Number(process.argv[3] ?? 2)

const loader = ['--import', 'tsx']
const servers = [
  await startServer('express', [...loader, 'build/bench/servers/express.ts']),
  await startEmulator(),
  await startServer('node:http', [...loader, 'build/bench/servers/bare.ts']),
  ...(await Promise.all((['pipe', 'file', 'terminal'] as const).map(startLogging))),
]
const ids = new Map<string, string>()
for (const server of servers) ids.set(server.name, await firstTask(server))

console.log(`Idle memory of the emulator: ${servers[1]?.memoryMb().toFixed(0)} MB\n`)
for (const connections of (process.argv[4] ?? '10,100').split(',').map(Number)) {
  for (const kind of ['poll', 'create', 'mixed 1:5'] as const) await compare(kind, connections)
}
console.log(`\nMemory of the emulator after the load: ${servers[1]?.memoryMb().toFixed(0)} MB`)
await Promise.all(servers.map(server => server.stop()))

async function compare(kind: LoadKind, connections: number): Promise<void> {
  const figures = new Map<string, LoadFigure[]>(servers.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const server of servers) {
      const figure = await load(server, { kind, id: ids.get(server.name) ?? '', connections, seconds })
      // The first round warms up.
      if (round > 0) figures.get(server.name)?.push(figure)
    }
  }
  const of = (name: string, key: keyof LoadFigure) =>
    median((figures.get(name) ?? []).map(figure => figure[key]))
  const cells = servers.map(({ name }) => {
    const wall = of(name, 'perSecond')
    const cpu = of(name, 'perCpuSecond')
    const [toExpress, ofBare, ofUnlogged] = ['express', 'node:http', 'emulator'].map(other =>
      of(other, 'perCpuSecond'),
    ) as [number, number, number]
    const ratios = `${(cpu / toExpress).toFixed(2)}; time a request ${(ofBare / cpu).toFixed(2)} of node:http, ${(ofUnlogged / cpu).toFixed(2)} of the emulator`
    return `\n  ${name.padEnd(18)} ${wall.toFixed(0)}/s (${(wall / of('express', 'perSecond')).toFixed(2)}), a cpu second ${cpu.toFixed(0)} (${ratios})`
  })
  console.log(`${kind}, ${connections} connections:${cells.join('')}`)
}
