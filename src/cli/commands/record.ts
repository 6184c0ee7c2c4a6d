import { packageVersion } from '../../emulator/ground.ts'
import {
  type FlagRows,
  readAt,
  readLogForm,
  readOnlyFlags,
  readPort,
  readUrl,
  UsageError,
} from '../../emulator/options.ts'
import { createRedactor, type HarFile, openHarFile, startRecorder } from '../../evidence/recordings.ts'
import { checkTemporaryFolder } from '../../media/index.ts'
import { whenStopped } from './output.ts'

const standardPort = '8586'
export const flagRows = {
  upstream: ['URL', 'needed', 'the gateway to which requests go on'],
  out: ['FILE.har', 'needed', 'where requests and replies are written'],
  port: ['N', '8586', 'the port to listen at'],
  host: ['ADDRESS', '127.0.0.1', 'the address to listen at'],
  keep: [
    'PATH',
    'none',
    'keep the value at this place of bodies and queries, such as error.code',
    'repeatable',
  ],
  'keep-prompts': ['', 'off', 'keep prompts as they are'],
  log: ['FORM', 'pretty on a terminal, else json', 'pretty, json, silent'],
} as const satisfies FlagRows

/** Forwards all requests to a gateway and records requests and replies, without secrets, until SIGTERM or SIGINT. */
export async function run(args: string[]): Promise<number> {
  const flags = readOnlyFlags(args, flagRows)
  const upstream = readUpstream(flags.upstream)
  const log = readAt('--log', flags.log ?? (process.stdout.isTTY ? 'pretty' : 'json'), readLogForm)
  const port = readAt('--port', flags.port ?? standardPort, readPort)
  const kept = flags.keep.map(path => readAt('--keep', path, readPlace))
  // Large bodies wait there until they are measured.
  checkTemporaryFolder('')
  const file = await openOut(flags.out)
  const recorder = await startRecorder({
    upstream,
    host: flags.host ?? '127.0.0.1',
    port,
    file,
    redactor: createRedactor({
      prompts: flags['keep-prompts'] ? 'kept' : 'redacted',
      kept,
    }),
    onError: error =>
      process.stderr.write(`gateway-emulator record: an entry could not be written: ${error}\n`),
  })
  const stopped = whenStopped()
  announce(log, recorder.url, `${upstream}`)
  await stopped
  await recorder.close()
  await file.close()
  if (log === 'pretty') process.stdout.write(`${file.entries} requests are in ${flags.out}\n`)
  return 0
}

/** A place of a body: names of fields, separated by dots, with `[]` for the items of an array. */
function readPlace(text: string): string {
  if (/^[^.[\]\s]+(?:\[\])*(?:\.[^.[\]\s]+(?:\[\])*)*$/.test(text)) return text
  throw new UsageError(`${JSON.stringify(text)} is not a path of names such as error.code or content[].note`)
}

function readUpstream(text: string | undefined): URL {
  if (text === undefined) throw new UsageError('record needs --upstream URL, the address of the gateway')
  const url = new URL(readAt('--upstream', text, readUrl))
  if (url.search !== '') throw new UsageError(`--upstream: ${JSON.stringify(text)} must not have a query`)
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--upstream: an address must not hold a password; keys are sent by your program')
  return url
}

/** A recording may have cost money, so an existing file is not overwritten. */
async function openOut(path: string | undefined): Promise<HarFile> {
  if (path === undefined) throw new UsageError('record needs --out FILE.har')
  try {
    return await openHarFile(path)
  } catch (error) {
    throw new UsageError(`--out: ${error instanceof Error ? error.message : error}`)
  }
}

function announce(form: string, url: string, upstream: string): void {
  const version = packageVersion()
  if (form === 'json')
    process.stdout.write(`${JSON.stringify({ event: 'ready', url, upstream, pid: process.pid, version })}\n`)
  if (form === 'pretty')
    process.stdout.write(
      `Recording at ${url}, forwarding every request to ${upstream}\nUse ${url} as the base address of your program; stop with Ctrl-C.\n`,
    )
}
