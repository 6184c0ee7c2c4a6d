/**
 * The cost of rendering for the server process: the first and later videos, polls while every core renders,
 * and the memory after the work. Needs a build. Run with: node --import tsx build/bench/apart.ts [path of main.js]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import { setTimeout as elapse } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fewArenas, median, type ServerChild, startServer } from './child.ts'

const program = process.argv[2] ?? 'dist/main.js'
const headers = { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json' }
const tasks = '/api/v3/contents/generations/tasks'
const starts = 3
const idleSeconds = 10
/** The poller's code is compiled after this time. */
const warmUpMs = 1500
const aloneMs = 3000

const firsts: number[] = []
for (let start = 0; start < starts; start++)
  await withServer(async server => firsts.push(await timed(() => video(server, `first ${start}`))))
console.log(`first video of a process: ${firsts.map(ms => ms.toFixed(0)).join(', ')} ms (720p, 5 s)`)
await withServer(measure)

async function measure(server: ServerChild): Promise<void> {
  console.log(`memory when ready: ${server.memoryMb().toFixed(0)} MB`)
  await video(server, 'warm')
  const later: number[] = []
  for (let run = 0; run < 9; run++) later.push(await timed(() => video(server, `later ${run}`)))
  console.log(`later videos: ${median(later).toFixed(0)} ms (slowest ${Math.max(...later).toFixed(0)})`)
  await pollsWhileRendering(server)
  for (let run = 0; run < 15; run++) await video(server, `work ${run}`)
  for (let run = 0; run < 10; run++) await picture(server, { prompt: `a boat ${run}`, size: '2K' })
  const image = `${server.url}/__emulator/samples/layered.png`
  for (const size of ['1K', '1.5K', '2K'])
    await picture(server, { prompt: 'apart', size, image, layer_decomposition: true })
  console.log(`memory after the work: ${server.memoryMb().toFixed(0)} MB, ${workersOf(server)} workers`)
  await elapse(idleSeconds * 1000)
  console.log(
    `memory ${idleSeconds} idle seconds later: ${server.memoryMb().toFixed(0)} MB (aim 120), ${workersOf(server)} workers (aim 0)`,
  )
}

/** Polls of a finished task by a process of its own, while every core makes 4k videos. */
async function pollsWhileRendering(server: ServerChild): Promise<void> {
  const id = await create(server, 'polled', { resolution: '480p' })
  await idle(server)
  const poller = startPoller(`${server.url}${tasks}/${id}`)
  try {
    await elapse(warmUpMs)
    await poller.phase()
    await elapse(aloneMs)
    const alone = await poller.phase()
    console.log(`polls alone: ${words(alone)}`)
    const count = availableParallelism() * 12
    const ids = await Promise.all(
      Array.from({ length: count }, (_, i) => create(server, `4k ${i}`, { resolution: '4k', duration: 15 })),
    )
    await idle(server)
    await poller.phase()
    await Promise.all(ids.map(task => download(server, task)))
    const beside = await poller.phase()
    console.log(`polls while ${count} videos of 4k are made: ${words(beside)} (aim 10 ms at 99 %)`)
    console.log(
      `polls pay ${(slowestOf99(beside) - slowestOf99(alone)).toFixed(1)} ms at 99 % for the videos`,
    )
  } finally {
    poller.child.kill()
  }
}

interface Poller {
  child: ChildProcess
  /** The times since the last call, in ms, the shortest first. */
  phase(): Promise<number[]>
}

function startPoller(url: string): Poller {
  const file = fileURLToPath(new URL('poller.ts', import.meta.url))
  const args = ['--import', 'tsx', file, url, headers.Authorization]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  return {
    child,
    async phase() {
      child.stdin.write('\n')
      const [line] = (await once(lines, 'line')) as [string]
      return (JSON.parse(line) as number[]).sort((a, b) => a - b)
    },
  }
}

function slowestOf99(times: readonly number[]): number {
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN
}

function words(times: readonly number[]): string {
  const at = (part: number) => (times[Math.floor(times.length * part)] ?? Number.NaN).toFixed(1)
  return `${times.length} polls, middle ${at(0.5)} ms, 99 % ${at(0.99)} ms, slowest ${(times.at(-1) ?? 0).toFixed(1)} ms`
}

async function video(server: ServerChild, prompt: string): Promise<void> {
  const id = await create(server, prompt, { resolution: '720p', duration: 5 })
  await idle(server)
  await download(server, id)
}

async function create(server: ServerChild, prompt: string, more: object): Promise<string> {
  const content = [{ type: 'text', text: prompt }]
  const reply = await json(server, tasks, {
    model: 'model_a_20',
    ratio: '16:9',
    duration: 5,
    content,
    ...more,
  })
  return (reply as { id: string }).id
}

function idle(server: ServerChild): Promise<unknown> {
  return json(server, '/__emulator/clock/advance', { until: 'idle' })
}

async function download(server: ServerChild, id: string): Promise<void> {
  const task = (await json(server, `${tasks}/${id}`)) as { content: { video_url: string } }
  const reply = await fetch(task.content.video_url)
  if (!reply.ok) throw new Error(`the download answered ${reply.status}`)
  await reply.arrayBuffer()
}

async function picture(server: ServerChild, more: object): Promise<void> {
  const { data } = (await json(server, '/api/v3/images/generations', {
    model: 'model_image',
    ...more,
  })) as { data: { url: string }[] }
  for (const { url } of data) await (await fetch(url)).arrayBuffer()
}

async function json(server: ServerChild, path: string, body?: object): Promise<unknown> {
  const reply = await fetch(
    server.url + path,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
  )
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`)
  return await reply.json()
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

async function withServer(run: (server: ServerChild) => Promise<unknown>): Promise<void> {
  const args = [program, '--port', '0', '--clock', 'manual', '--log', 'json']
  const server = await startServer('emulator', args, fewArenas)
  try {
    await run(server)
  } finally {
    await server.stop()
  }
}

/** Processes that the server has started and that still run. */
function workersOf(server: ServerChild): number {
  const parents = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        return [Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])]
      } catch {
        return []
      }
    })
  return parents.filter(parent => parent === server.child.pid).length
}
