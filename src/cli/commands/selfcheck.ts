import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { askEmulator, askWith } from '../../emulator/gateway.ts'
import { fixturePath, readFixture } from '../../emulator/ground.ts'
import {
  choice,
  type FlagRows,
  type FlagsOf,
  readAt,
  readOnlyFlags,
  UsageError,
} from '../../emulator/options.ts'
import { jsonIn, keyOf, readKey } from '../../emulator/words.ts'
import {
  checks,
  type GatewaySettings,
  gatewayAt,
  line,
  NotShown,
  type Send,
  summary,
  walk,
} from '../../evidence/selfcheck.ts'
import { emulatorAt, readBaseUrl } from './asked-world.ts'

export const flagRows = {
  'base-url': ['URL', 'its own emulator', 'the server to check'],
  key: ['KEY', 'sk-emulator', 'its key; a real gateway needs one'],
  'other-key': ['KEY', 'none', 'the key of another account, for rules about those'],
  models: [
    'MODEL=NAME,…',
    'the published names',
    'how this server calls the models, such as model_a_25=NAME',
  ],
  only: ['PREFIX', 'all', 'only rules whose id begins so'],
  yes: ['', 'off', 'create what costs money without asking'],
  record: ['FILE.har', 'none', 'record requests and replies too'],
  recording: ['FILE.har', 'none', 'check this recording instead of a server'],
} as const satisfies FlagRows

/**
 * Checks the rules of the specification against an emulator that it starts, or the server at `--base-url`, and prints the result of
 * each rule. Exit code 1 when a rule failed or no rule was checked.
 */
export async function run(args: string[]): Promise<number> {
  const flags = readOnlyFlags(args, flagRows)
  if (flags.recording !== undefined) return checkRecording(flags)
  const chosen = checks.filter(({ id }) => id.startsWith(flags.only ?? ''))
  if (chosen.length === 0) throw new UsageError(`--only: no rule's id begins with "${flags.only}"`)
  const base = readBaseUrl(flags)
  const { url: target, close } = await emulatorAt(base, { strict: true, clock: { mode: 'auto', rate: 1 } })
  const recorder = flags.record === undefined ? undefined : await recorderTo(target, flags.record)
  try {
    const direct = await settingsFor(target, flags, base === undefined)
    const settings = recorder ? { ...direct, base: recorder.url } : direct
    const mayCost =
      settings.isFree || flags.yes || (await isAgreed(chosen.filter(({ costs }) => costs).length))
    say(`Checking ${direct.base}`)
    const findings = await walk(chosen, gatewayAt(settings), { mayCost }, finding => say(line(finding)))
    const { code, text } = summary(findings)
    say(text)
    return code
  } finally {
    await recorder?.close()
    await close()
  }
}

/** Checks the rules with a recording instead of a running server: its jobs are repeated and compared. */
async function checkRecording(flags: FlagsOf<typeof flagRows>): Promise<number> {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined && value !== false)
  const other = given.find(([name]) => name !== 'recording' && name !== 'base-url')
  if (other) throw new UsageError(`--${other[0]} does not go with --recording`)
  const { compareAll, readRecording } = await import('./compare.ts')
  const recording = await readRecording(flags.recording ?? '')
  const how = { form: 'pretty', failOn: 'unknown', isIgnored: () => false } as const
  return compareAll([recording], { ...how, base: readBaseUrl(flags) })
}

/** A recorder that all requests of the rules go through. */
async function recorderTo(target: string, out: string) {
  const { createRedactor, openHarFile, startRecorder } = await import('../../evidence/recordings.ts')
  const file = await openHarFile(out).catch(error => {
    throw new UsageError(`--record: ${error instanceof Error ? error.message : error}`)
  })
  const recorder = await startRecorder({
    upstream: new URL(target),
    host: '127.0.0.1',
    port: 0,
    file,
    redactor: createRedactor({ prompts: 'redacted' }),
    onError: error => process.stderr.write(`selfcheck: an entry could not be written: ${error}\n`),
  })
  return {
    url: recorder.url,
    async close() {
      await recorder.close()
      await file.close()
    },
  }
}

const pollPauseMs = 5000
/** In an emulator, the checks have their own world. */
const world = 'selfcheck'

/** Finds out whether the server is an emulator (no real charges, accounts for all cases, samples). Any other server counts as the real gateway. */
export async function settingsFor(
  base: string,
  flags: Pick<FlagsOf<typeof flagRows>, 'key' | 'other-key' | 'models'>,
  isOwn: boolean,
): Promise<GatewaySettings & { isFree: boolean }> {
  const isEmulator = isOwn || (await answersAsEmulator(base))
  const ownWorld = isEmulator && flags.key === undefined
  const key = flags.key ?? (ownWorld ? `sk-test-${world}` : undefined)
  if (key === undefined) throw new UsageError('--base-url of a real gateway needs --key')
  if (ownWorld) await letTimeSkip(base)
  const samples = isEmulator ? `${base}/__emulator/samples` : undefined
  return {
    base,
    key,
    otherKey: flags['other-key'] ?? (isEmulator ? otherKeyOf(key) : undefined),
    models: { ...(isEmulator ? {} : publishedModels()), ...readModels(flags.models) },
    picture: samples ? `${samples}/landscape.jpg` : pictureInside(),
    samples,
    send: sendBy(askWith(key)),
    pause: () => (ownWorld ? Promise.resolve() : pause(pollPauseMs)),
    isFree: isEmulator,
  }
}

/** Polls of this world skip to the next change, with any clock of the emulator. */
async function letTimeSkip(base: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ mode: 'auto' })
  await sendBy(askEmulator)('PATCH', `${base}/__emulator/worlds/${world}/clock`, headers, body)
}

async function answersAsEmulator(base: string): Promise<boolean> {
  try {
    const { status, body } = await sendBy(askEmulator)('GET', `${base}/__emulator/health`, {}, undefined)
    return status === 200 && (body as { status?: unknown } | undefined)?.status === 'ok'
  } catch (cause) {
    throw new Error(`No server answers at ${base}`, { cause })
  }
}

/** A key of another account of the same world; undefined for a real key, which an emulator may take. */
function otherKeyOf(key: string): string | undefined {
  const address = readKey(key)
  return address && keyOf(address.world, 'second')
}

/** The published model names of the vendors: for each model, the first name besides the emulator's own. */
function publishedModels(): Record<string, string> {
  const known = readFixture<Record<string, string[]>>('models.json')
  return Object.fromEntries(
    Object.entries(known).map(([placeholder, names]) => [
      placeholder,
      names.find(name => !name.startsWith(placeholder)) ?? placeholder,
    ]),
  )
}

function readModels(text = ''): Record<string, string> {
  const known = Object.keys(readFixture('models.json'))
  return Object.fromEntries(
    text
      .split(',')
      .filter(Boolean)
      .map(pair => {
        const [placeholder = '', name] = pair.split('=')
        if (!name) throw new UsageError(`--models: ${pair} is not of the form model_a_25=NAME`)
        return [readAt('--models', placeholder, choice(...known)), name]
      }),
  )
}

function pictureInside(): string {
  return `data:image/jpeg;base64,${readFileSync(fixturePath('media/samples/landscape.jpg')).toString('base64')}`
}

/** Asks before it spends money. Without a terminal, the answer is no. */
async function isAgreed(checks: number): Promise<boolean> {
  if (checks === 0 || !process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(
    `This is not an emulator: ${checks} of the checks make videos and pictures, which costs money. Make them? [y/N] `,
  )
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

/** Wall ms. A reply that takes longer shows nothing about a rule: the machine or the network may be slow. */
const longestMs = 120_000

const sendBy =
  (by: typeof askEmulator): Send =>
  async (method, url, headers, body) => {
    const signal = AbortSignal.timeout(longestMs)
    try {
      const reply = await by(url, { method, headers, signal, ...(body !== undefined && { body }) })
      const bytes = new Uint8Array(await reply.arrayBuffer())
      return {
        status: reply.status,
        headers: reply.headers,
        body: jsonIn(Buffer.from(bytes).toString('utf8')),
        bytes,
      }
    } catch (error) {
      if (signal.aborted) throw new NotShown(`No reply came within ${longestMs / 1000} s`)
      throw error
    }
  }

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
