import { createHash } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as elapse } from 'node:timers/promises'
import { askEmulator, askWith, certificateFault, proxyHint } from '../../emulator/gateway.ts'
import { type FlagRows, namedUrl, readOnlyFlags } from '../../emulator/options.ts'
import { installedCommand } from '../../emulator/words.ts'
import { emulatorAt } from './asked-world.ts'

export const flagRows = {
  'base-url': ['URL', 'GATEWAY_EMULATOR_URL, else its own emulator', 'the emulator or gateway to ask'],
  key: ['KEY', 'sk-emulator', 'the key to send'],
  out: ['FILE', 'a new folder for temporary files', 'where the video is saved'],
} as const satisfies FlagRows

/**
 * Creates, polls and downloads a video as a client would, with the emulator at `--base-url` or GATEWAY_EMULATOR_URL, else one that it starts. Prints each step,
 * and saves the file at `--out`, else in a new folder for temporary files.
 */
export async function run(args: string[]): Promise<number> {
  const flags = readOnlyFlags(args, flagRows)
  const { url, close } = await emulatorAt(namedUrl(flags['base-url']), { clock: { mode: 'auto', rate: 1 } })
  try {
    await walk(url, flags.key ?? 'sk-emulator', flags.out)
    return 0
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`)
    return 1
  } finally {
    await close()
  }
}

const pollPauseMs = 500
const mostPolls = 600
const tasks = '/api/v3/contents/generations/tasks'
const prompt = 'A lighthouse at dawn, waves rolling in'

interface TaskRecord {
  id: string
  status: string
  content?: { video_url?: string }
  error?: { code: string; message: string }
  created_at: number
  updated_at: number
  usage?: { total_tokens: number }
}

/** What no program or file of the emulator is the cause of: an address where nothing listens, a wrong key, a clock that stands, or a file that cannot be written. */
class OutsideError extends Error {}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof OutsideError) return message
  return `The tour ended early: ${message}\n"${installedCommand} doctor" checks the programs and files that the emulator needs.`
}

async function walk(base: string, key: string, out: string | undefined): Promise<void> {
  say(`Base address ${base}, key ${key}`)
  const since = performance.now()
  const content = [{ type: 'text', text: prompt }]
  const body = { model: 'model_a_25', content, ratio: '16:9', duration: 5 }
  const { id } = await askGateway<{ id: string }>(base, tasks, key, body)
  say(`1. Create    "${prompt}", 5 s, 16:9: task ${id}`)
  const record = await pollUntilOver(base, id, key)
  if (record.status !== 'succeeded' || !record.content?.video_url)
    throw new Error(`the task is ${record.status}: ${record.error?.message ?? 'no video'}`)
  const waited = ((performance.now() - since) / 1000).toFixed(1)
  say(`: ${record.updated_at - record.created_at} s for the gateway, ${waited} s for you`)
  say(`3. Cost      ${record.usage?.total_tokens} tokens`)
  const bytes = await download(record.content.video_url)
  const file = await saved(bytes, out).catch(error => {
    const advice = out === undefined ? '; name a file with --out' : ''
    throw new OutsideError(`The video could not be saved: ${error.message}${advice}`)
  })
  say(`5. Save      ${file}`)
  say('All replies were as expected.')
}

async function saved(bytes: Buffer, out: string | undefined): Promise<string> {
  const file =
    out === undefined ? join(await mkdtemp(join(tmpdir(), 'gateway-tour-')), 'lighthouse.mp4') : resolve(out)
  await writeFile(file, bytes)
  return file
}

async function download(link: string): Promise<Buffer> {
  const reply = await askEmulator(link)
  const bytes = Buffer.from(await reply.arrayBuffer())
  if (!reply.ok || bytes.toString('latin1', 4, 8) !== 'ftyp')
    throw new Error(
      `the link gave ${reply.status} and ${bytes.length} bytes that are not an MP4${whyNot(reply, bytes)}`,
    )
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  say(`4. Download  ${bytes.length} bytes of ${reply.headers.get('content-type')}, SHA-256 ${digest}…`)
  return bytes
}

/** The reason that a refusal gives, and where to look when the emulator itself could not make the file. */
function whyNot({ status }: Response, bytes: Buffer): string {
  const [, reason] = /<Message>([\s\S]*?)<\/Message>/.exec(bytes.toString()) ?? []
  const doctor =
    status >= 500 ? `\n"${installedCommand} doctor" says which programs it uses and which are missing` : ''
  return `${reason === undefined ? '' : `: ${reason}`}${doctor}`
}

/** The last record of a task. Prints each new state as it comes, in one line that the caller ends. */
async function pollUntilOver(base: string, id: string, key: string): Promise<TaskRecord> {
  let last = ''
  for (let poll = 1; poll <= mostPolls; poll++) {
    const record = await askGateway<TaskRecord>(base, `${tasks}/${id}`, key)
    if (record.status !== last)
      process.stdout.write(last === '' ? `2. Poll      ${record.status}` : `, ${record.status}`)
    last = record.status
    if (last !== 'queued' && last !== 'running') return record
    await elapse(pollPauseMs)
  }
  throw new OutsideError(
    `\nThe task was still ${last} after ${mostPolls} polls; a manual clock moves only when somebody advances it`,
  )
}

async function askGateway<T>(base: string, path: string, key: string, body?: object): Promise<T> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
  const reply = await askWith(key)(base + path, init).catch(error => {
    const why = certificateFault(error)
    throw new OutsideError(why ? `${base}: ${why}` : `No emulator answers at ${base}${proxied(base)}`)
  })
  const text = await reply.text()
  const answer = `${base}${path} answered ${reply.status}: ${text}${reply.ok ? '' : proxied(base)}`
  if (reply.status >= 500) throw new Error(answer)
  if (!reply.ok) throw new OutsideError(`The tour ended early: ${answer}`)
  return JSON.parse(text)
}

function proxied(base: string): string {
  const hint = proxyHint(base)
  return hint === undefined ? '' : ` (${hint})`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
