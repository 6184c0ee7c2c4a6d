import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { median, type ServerChild, startEmulator, startServer } from './child.ts'

/** Result files against the `send` package (through Express's static middleware), whole and in ranges, in one run and in turn. */
const headers = { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json' }
const tasks = '/api/v3/contents/generations/tasks'
const rounds = Number(process.argv[2] ?? 3)
const seconds = Number(process.argv[3] ?? 2)

const emulator = await startEmulator()
const link = await makeVideo(emulator.url)
const folder = await mkdtemp(join(tmpdir(), 'bench-files-'))
await writeFile(join(folder, 'video.mp4'), Buffer.from(await (await fetch(link)).arrayBuffer()))
const send = await startServer('send', ['--import', 'tsx', 'build/bench/servers/static.ts'], {
  FOLDER: folder,
})

const asked: readonly [string, string | undefined][] = [
  ['result files a processor second, whole', undefined],
  ['ranges of 64 KiB a processor second', 'bytes=100000-165535'],
]
for (const [what, range] of asked) {
  const figures = { emulator: [] as number[], send: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const ours = await load(emulator, link, range)
    const theirs = await load(send, `${send.url}/video.mp4`, range)
    if (round === 0) continue
    figures.emulator.push(ours)
    figures.send.push(theirs)
  }
  const [ours, theirs] = [median(figures.emulator), median(figures.send)]
  console.log(
    `| ${what} | ${rounded(ours)} (${(ours / theirs).toFixed(1)}) | ${rounded(theirs)} (\`send\`) | |`,
  )
}
await Promise.all([emulator.stop(), send.stop()])
await rm(folder, { recursive: true })

function rounded(perSecond: number): string {
  return (Math.round(perSecond / 10) * 10).toLocaleString('en')
}

async function makeVideo(url: string): Promise<string> {
  const body = JSON.stringify({
    model: 'model_a_20',
    content: [{ type: 'text', text: 'a cat on a roof' }],
    ratio: '16:9',
    resolution: '1080p',
    duration: 10,
  })
  const { id } = (await (await fetch(url + tasks, { method: 'POST', headers, body })).json()) as {
    id: string
  }
  await fetch(`${url}/__emulator/clock/advance`, { method: 'POST', headers, body: '{"until":"idle"}' })
  const task = (await (await fetch(`${url}${tasks}/${id}`, { headers })).json()) as {
    content: { video_url: string }
  }
  return task.content.video_url
}

async function load(server: ServerChild, url: string, range: string | undefined): Promise<number> {
  const before = server.cpuSeconds()
  const result = await autocannon({
    url,
    connections: 10,
    duration: seconds,
    ...(range && { headers: { range } }),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${server.name}: ${result.non2xx} refusals, ${result.errors} errors`)
  return result.requests.total / (server.cpuSeconds() - before)
}
