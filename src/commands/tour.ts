import { createHash } from 'node:crypto'
import { setTimeout as elapse } from 'node:timers/promises'
import { readOnlyFlags } from '../options/flags.ts'
import { assembleEmulator, listen } from '../server/emulator.ts'

/** Creates, polls and downloads as a client would, with an emulator that it starts or the one at `--base-url`, and prints each step. */
export async function run(args: string[]): Promise<number> {
  const flags = readOnlyFlags(args, { 'base-url': 'text', key: 'text' })
  const given = flags['base-url']?.replace(/\/+$/, '')
  const started =
    given === undefined
      ? await listen(await assembleEmulator({ port: 0, clock: { mode: 'auto', rate: 1 } }))
      : undefined
  try {
    await walk(given ?? started?.url ?? '', flags.key ?? 'sk-emulator')
    return 0
  } catch (error) {
    process.stderr.write(`The tour ended early: ${error instanceof Error ? error.message : error}\n`)
    return 1
  } finally {
    await started?.close()
  }
}

const pollPauseMs = 500
const mostPolls = 600
const tasks = '/api/v3/contents/generations/tasks'

interface TaskRecord {
  id: string
  status: string
  content?: { video_url?: string }
  error?: { code: string; message: string }
  duration?: number
  ratio?: string
  usage?: { total_tokens: number }
}

async function walk(base: string, key: string): Promise<void> {
  say(`Base address ${base}, key ${key}`)
  const body = {
    model: 'model_a_25',
    content: [{ type: 'text', text: 'A lighthouse at dawn, waves rolling in' }],
    ratio: '16:9',
    duration: 5,
  }
  const { id } = await ask<{ id: string }>(base + tasks, key, body)
  say(`1. Create  POST ${tasks} gave the task ${id}`)
  const record = await pollUntilOver(`${base}${tasks}/${id}`, key)
  if (record.status !== 'succeeded' || !record.content?.video_url)
    throw new Error(`the task is ${record.status}: ${record.error?.message ?? 'no video'}`)
  say(`   ${record.duration} s, ${record.ratio}, ${record.usage?.total_tokens} tokens`)
  const reply = await fetch(record.content.video_url)
  const bytes = Buffer.from(await reply.arrayBuffer())
  if (!reply.ok || bytes.toString('latin1', 4, 8) !== 'ftyp')
    throw new Error(`the link gave ${reply.status} and ${bytes.length} bytes that are not an MP4`)
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  say(
    `3. Download ${record.content.video_url}\n   ${bytes.length} bytes of ${reply.headers.get('content-type')}, SHA-256 ${digest}…`,
  )
  say('All replies were as expected.')
}

async function pollUntilOver(url: string, key: string): Promise<TaskRecord> {
  let last = ''
  for (let poll = 1; poll <= mostPolls; poll++) {
    const record = await ask<TaskRecord>(url, key)
    if (record.status !== last) say(`2. Poll    ${record.status}`)
    last = record.status
    if (record.status !== 'queued' && record.status !== 'running') return record
    await elapse(pollPauseMs)
  }
  throw new Error(`the task was still ${last} after ${mostPolls} polls`)
}

async function ask<T>(url: string, key: string, body?: object): Promise<T> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const reply = await fetch(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${text}`)
  return JSON.parse(text)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
