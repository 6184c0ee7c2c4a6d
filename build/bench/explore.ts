/**
 * The cost of exploring: for a command, sixty runs in virtual time, and for a function, milliseconds a case without its own work. Needs a
 * build. Run with: node --import tsx build/bench/explore.ts
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Report } from '../../src/explore/report/report.ts'
import { startEmulator } from '../../src/index.ts'

const run = promisify(execFile)
const client = fileURLToPath(new URL('../../docs/examples/explore/sturdy-client.mjs', import.meta.url))
const jobs = 2
/** The function has no time-out of its own, so that these would wait for the limit. */
const skip = ['no_answer', 'slow_answer', 'file_stalled', 'task_stuck']

await commandBench(['node', client], 'aim: 60 in 12 s, for a program that starts in 130 ms')
await commandBench(
  ['python3', client.replace('sturdy-client.mjs', 'sturdy_client.py')],
  'aim: 60 in 25 s, for one that starts in 250 ms',
)
await functionBench()

/** The clients sleep five seconds between two polls, in virtual time. On a shared machine the processor time says more. */
async function commandBench(command: string[], aim: string): Promise<void> {
  const options = ['--jobs', String(jobs), '--reporter', 'json']
  const words = ['node', 'dist/main.js', 'explore', ...options, '--', ...command]
  let ended = { stdout: '', stderr: '' }
  const wholeMs = await timed(async () => {
    ended = await run('bash', ['-c', 'time -p "$@"', 'bash', ...words], { maxBuffer: 1e8 })
  })
  const { cases, time } = JSON.parse(ended.stdout) as Report
  const cpu = [...ended.stderr.matchAll(/^(?:user|sys) ([\d.]+)$/gm)].reduce(
    (sum, [, part]) => sum + Number(part),
    0,
  )
  const ownMs = cases.reduce((sum, { ms }) => sum + ms, 0) / jobs
  console.log(
    `${command[0]}, ${time.used} time: ${cases.length} cases in ${(wholeMs / 1000).toFixed(1)} s with ${jobs} jobs, ${cpu.toFixed(1)} s of processor time (${aim})`,
  )
  console.log(`  the programs' own part ${((ownMs / wholeMs) * 100).toFixed(0)} %`)
}

async function functionBench(): Promise<void> {
  const emulator = await startEmulator({ clock: 'auto' })
  for (const round of ['first', 'second', 'third']) {
    let report: Report | undefined
    const wholeMs = await timed(async () => {
      report = await emulator.explore(explored, { jobs: 1, skip })
    })
    const cases = report?.cases ?? []
    const ownMs = cases.reduce((sum, { ms }) => sum + ms, 0)
    const beyond = (wholeMs - ownMs) / cases.length
    console.log(
      `function, ${round} time: ${cases.length} cases, ${beyond.toFixed(1)} ms a case beyond its own ${(ownMs / cases.length).toFixed(1)} (aim 30)`,
    )
  }
  await emulator.close()
}

/** Creates, polls to any end, and fetches the file; throws at the first thing that goes wrong. */
async function explored({ world }: { world: { baseUrl: string; apiKey: string } }): Promise<void> {
  const tasks = `${world.baseUrl}/api/v3/contents/generations/tasks`
  const headers = { Authorization: `Bearer ${world.apiKey}`, 'Content-Type': 'application/json' }
  const call = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const reply = await fetch(url, { ...init, headers })
    if (!reply.ok) throw new Error(`refused with ${reply.status}`)
    return reply
  }
  const content = [{ type: 'text', text: 'a kite' }]
  const body = JSON.stringify({ model: 'model_a_25', content, ratio: '16:9', duration: 4 })
  const { id } = (await (await call(tasks, { method: 'POST', body })).json()) as { id: string }
  for (;;) {
    const task = (await (await call(`${tasks}/${id}`)).json()) as {
      status: string
      content?: { video_url?: string }
    }
    if (task.status === 'queued' || task.status === 'running') continue
    if (!task.content?.video_url) throw new Error(`${task.status}, without a link`)
    const file = await fetch(task.content.video_url)
    if (!file.ok) throw new Error(`the link answered ${file.status}`)
    await file.arrayBuffer()
    return
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
