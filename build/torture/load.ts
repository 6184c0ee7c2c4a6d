/**
 * A server under load, in three parts. Run with:
 * node --import tsx build/torture/load.ts [--minutes 1] [--tasks 1000000] [--worlds 1000] [--only mixed|tasks|worlds]
 */
import { parseArgs } from 'node:util'
import { tasksPath, textBody } from '../../test/support/family-a.ts'
import { type PlainAnswer, plainClient } from '../../test/support/plain-client.ts'
import { seeded } from '../../test/support/seeded.ts'
import { fewArenas, median, type ServerChild, startServer } from '../bench/child.ts'
import { pipeline, requestText } from './pipeline.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    tasks: { type: 'string', default: '1000000' },
    worlds: { type: 'string', default: '1000' },
    only: { type: 'string' },
  },
})
const body = JSON.stringify(textBody({ model: 'model_a_20' }))
const faults: string[] = []
const workers = 10
/** What a create may leave in the old memory, bytes: about twice what it does. More means that something carries whole requests there. */
const mostPromoted = 800
const wants = (part: string) => values.only === undefined || values.only === part
if (wants('mixed')) await mixedLoad(Number(values.minutes), 100)
if (wants('worlds')) await manyWorlds(Number(values.worlds), 100)
if (wants('tasks')) await manyTasks(Number(values.tasks))
if (wants('promotion')) await promotion(100_000)
for (const fault of faults) console.log(`FAULT ${fault}`)
process.exit(faults.length === 0 ? 0 : 1)

function start(options: readonly string[] = []): Promise<ServerChild> {
  const args = [...options, 'dist/main.js', '--port', '0', '--log', 'json', '--clock', 'manual']
  return startServer('emulator', args, fewArenas)
}

/** Create, poll, list, download a part, advance, and sometimes reset, as tests do, in this many worlds. */
async function mixedLoad(minutes: number, worlds: number): Promise<void> {
  const server = await start()
  const client = plainClient(server.url, 16)
  const link = await finishedLink(server, client)
  const random = seeded(1)
  const times = new Map<string, number[]>()
  const memory: { at: number; mb: number }[] = []
  const startedAt = performance.now()
  const lengthMs = minutes * 60_000
  const isOver = () => performance.now() - startedAt > lengthMs
  const timed = async (name: string, wanted: number, ask: () => Promise<PlainAnswer>) => {
    const from = performance.now()
    const reply = await ask()
    const list = times.get(name) ?? []
    times.set(name, list)
    list.push(performance.now() - from)
    if (reply.status !== wanted) faults.push(`${name}: ${reply.status} ${reply.text.slice(0, 200)}`)
    return reply
  }
  // Each worker has worlds of its own: a reset must not remove the task of another worker.
  const worker = async (number: number) => {
    while (!isOver() && faults.length < 20) {
      const world = `load-${random.integer(0, Math.floor(worlds / workers) - 1) * workers + number}`
      const headers = { Authorization: `Bearer sk-test-${world}`, 'Content-Type': 'application/json' }
      const control = `/__emulator/worlds/${world}`
      const made = await timed('create', 200, () => client.send({ path: tasksPath, headers, body }))
      const { id } = JSON.parse(made.text) as { id: string }
      for (let polls = 0; polls < 5; polls++)
        await timed('poll', 200, () => client.send({ method: 'GET', path: `${tasksPath}/${id}`, headers }))
      await timed('list', 200, () =>
        client.send({ method: 'GET', path: `${tasksPath}?page_size=20`, headers }),
      )
      const range = { Range: `bytes=${random.integer(1, 5000)}-20000` }
      await timed('download', 206, () => client.send({ method: 'GET', path: link, headers: range }))
      await timed('advance', 200, () =>
        client.send({ path: `${control}/clock/advance`, body: '{"by":"20s"}' }),
      )
      if (random.next() < 0.02)
        await timed('reset', 200, () => client.send({ path: `${control}/reset`, body: '{}' }))
    }
  }
  const watch = setInterval(
    () => memory.push({ at: performance.now() - startedAt, mb: server.memoryMb() }),
    500,
  )
  const cpuBefore = server.cpuSeconds()
  await Promise.all(Array.from({ length: workers }, (_, number) => worker(number)))
  clearInterval(watch)
  const count = [...times.values()].reduce((sum, list) => sum + list.length, 0)
  const cpu = server.cpuSeconds() - cpuBefore
  console.log(
    `mixed load, ${worlds} worlds, ${minutes} min: ${count} requests, ${(count / cpu).toFixed(0)} a processor second`,
  )
  for (const [name, list] of times)
    console.log(`  ${name.padEnd(9)} ${list.length} times, ${percentiles(list)}`)
  const between = (from: number, to: number) =>
    median(memory.filter(({ at }) => at >= from * lengthMs && at < to * lengthMs).map(({ mb }) => mb))
  const [early, late] = [between(0.3, 0.5), between(0.8, 1.01)]
  console.log(`  memory: ${early.toFixed(0)} MB after warming up, ${late.toFixed(0)} MB at the end`)
  if (late > early * 1.1) faults.push(`memory grew from ${early.toFixed(0)} to ${late.toFixed(0)} MB`)
  client.close()
  await server.stop()
}

async function finishedLink(server: ServerChild, client: ReturnType<typeof plainClient>): Promise<string> {
  const headers = { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json' }
  const { id } = JSON.parse((await client.send({ path: tasksPath, headers, body })).text) as { id: string }
  await client.send({ path: '/__emulator/clock/advance', body: '{"until":"idle"}' })
  const { text } = await client.send({ method: 'GET', path: `${tasksPath}/${id}`, headers })
  const url = new URL(JSON.parse(text).content.video_url)
  await fetch(server.url + url.pathname + url.search)
  return url.pathname + url.search
}

/**
 * The memory of this many worlds with this many tasks: with the few bodies that tests send, and with a different body for each task. Of the
 * 226 to 253 MB with few bodies that were seen, a heap snapshot found 84 MB in use; 59 MB are there before the first task.
 */
async function manyWorlds(worlds: number, tasks: number): Promise<void> {
  await fillWorlds(worlds, tasks, {
    bodies: 'of ten bodies',
    most: worlds * 0.26,
    promptOf: number => `a lighthouse at dawn, seen ${number % 10} times`,
  })
  await fillWorlds(worlds, tasks, {
    bodies: 'each of its own',
    most: worlds * 0.33,
    promptOf: number => `a lighthouse at dawn, number ${number}`,
  })
}

async function fillWorlds(
  worlds: number,
  tasks: number,
  { bodies, most, promptOf }: { bodies: string; most: number; promptOf: (number: number) => string },
): Promise<void> {
  const server = await start()
  await fetch(`${server.url}/__emulator/health`)
  await pipeline(server.url, [requestText('POST', tasksPath, { body })])
  const idle = server.memoryMb()
  const startedAt = performance.now()
  await pipeline(server.url, creates(worlds, tasks, promptOf))
  const seconds = (performance.now() - startedAt) / 1000
  const mb = server.memoryMb()
  const perTask = ((mb - idle) * 1e6) / worlds / tasks
  console.log(
    `${worlds} worlds of ${tasks} tasks ${bodies}: ${mb.toFixed(0)} MB, of which ${idle.toFixed(0)} MB idle (${perTask.toFixed(0)} bytes a task), in ${seconds.toFixed(0)} s`,
  )
  if (mb > most) faults.push(`${worlds} worlds of ${tasks} tasks ${bodies} take ${mb.toFixed(0)} MB`)
  await server.stop()
}

function* creates(worlds: number, tasks: number, promptOf: (number: number) => string): Generator<string> {
  let number = 0
  for (let task = 0; task < tasks; task++)
    for (let world = 1; world < worlds; world++) {
      const content = [{ type: 'text', text: promptOf(number++) }]
      const own = JSON.stringify(textBody({ model: 'model_a_20', content }))
      yield requestText('POST', tasksPath, { key: `sk-test-many-${world}`, body: own })
    }
}

/** The time of each call when one world has this many tasks. */
async function manyTasks(tasks: number): Promise<void> {
  const server = await start()
  const client = plainClient(server.url, 1)
  const headers = { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json' }
  const idle = server.memoryMb()
  const request = requestText('POST', tasksPath, { body })
  const cpuBefore = server.cpuSeconds()
  let id = ''
  await pipeline(server.url, Array(tasks).fill(request), {
    onAnswer(answer) {
      id = JSON.parse(answer).id
    },
  })
  const mb = server.memoryMb() - idle
  const cpu = server.cpuSeconds() - cpuBefore
  console.log(
    `${tasks} tasks in one world: ${mb.toFixed(0)} MB (${((mb * 1e6) / tasks).toFixed(0)} bytes each), ${((cpu / tasks) * 1e6).toFixed(0)} processor us a create on the way`,
  )
  const each = async (name: string, times: number, wanted: Parameters<typeof client.send>[0]) => {
    const list: number[] = []
    let reply: PlainAnswer | undefined
    for (let i = 0; i < times; i++) {
      const from = performance.now()
      reply = await client.send({ headers, ...wanted })
      list.push(performance.now() - from)
    }
    if (reply?.status !== 200) faults.push(`${name}: ${reply?.status} ${reply?.text.slice(0, 200)}`)
    console.log(`  ${name.padEnd(40)} ${percentiles(list)}, ${reply?.text.length} bytes`)
  }
  const get = (path: string) => ({ method: 'GET', path })
  const advance = (change: object) => ({ path: '/__emulator/clock/advance', body: JSON.stringify(change) })
  await each('create', 200, { path: tasksPath, body })
  await each('poll', 200, get(`${tasksPath}/${id}`))
  await each('list, first page', 20, get(`${tasksPath}?page_size=20`))
  await each('list, page 500', 20, get(`${tasksPath}?page_size=20&page_num=500`))
  await each('list, by status', 20, get(`${tasksPath}?page_size=20&filter.status=running`))
  await each('control: tasks, first page', 20, get('/__emulator/tasks?limit=100'))
  await each(
    'control: tasks, a page in the middle',
    20,
    get(`/__emulator/tasks?limit=100&detail=line&cursor=${id}`),
  )
  await each('control: tasks, by status', 20, get('/__emulator/tasks?limit=100&status=failed'))
  await each('advance by a second', 20, advance({ by: '1s' }))
  await each('advance until the next change', 20, advance({ until: 'next' }))
  await each('advance over everything', 1, advance({ until: 'idle' }))
  await each('poll, succeeded', 200, get(`${tasksPath}/${id}`))
  await each('list, by status', 20, get(`${tasksPath}?page_size=20&filter.status=succeeded`))
  await each('advance when nothing is open', 20, advance({ by: '1s' }))
  console.log(`  memory at the end: ${server.memoryMb().toFixed(0)} MB`)
  client.close()
  await server.stop()
}

/**
 * What creates of clients that send ahead leave in the old memory. When it was four times as much, tasks lay far apart, and a list by
 * status of 200,000 tasks took half as long again.
 */
async function promotion(tasks: number): Promise<void> {
  const server = await start(['--trace-gc-nvp'])
  let traced = ''
  server.child.stdout?.on('data', chunk => {
    traced += chunk
  })
  await pipeline(server.url, Array(tasks).fill(requestText('POST', tasksPath, { body })))
  await server.stop()
  const young = traced.split('\n').filter(line => /\bgc=(s|mmc)\b/.test(line))
  const promoted = young.reduce((sum, line) => sum + Number(/\bpromoted=(\d+)/.exec(line)?.[1] ?? 0), 0)
  const each = promoted / tasks
  console.log(
    `${young.length} collections during ${tasks} creates carried ${each.toFixed(0)} bytes a create into the old memory`,
  )
  if (young.length === 0) faults.push('no collection was seen')
  if (each > mostPromoted) faults.push(`${each.toFixed(0)} bytes a create reach the old memory`)
}

function percentiles(list: readonly number[]): string {
  const sorted = [...list].sort((a, b) => a - b)
  const at = (part: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}
