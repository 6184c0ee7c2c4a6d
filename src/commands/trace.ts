import { readFileSync } from 'node:fs'
import { controlCaller } from '../client/call.ts'
import { readTrace, writeTrace } from '../client/trace-file.ts'
import { traceText } from '../client/trace-text.ts'
import type { Trace } from '../client/types.ts'
import { runningUrl } from '../options/config.ts'
import { type FlagsOf, readFlags } from '../options/flags.ts'
import { readWorldName } from '../options/read-value.ts'
import { readAt, UsageError } from '../options/usage-error.ts'

const forms = {
  url: 'text',
  world: 'text',
  since: 'text',
  task: 'text',
  'trace-id': 'text',
  out: 'text',
  json: 'switch',
} as const

/** Prints the run of a running emulator's clients, or one in a file, as lines; `--out` writes the page, which needs no network. */
export async function run(args: string[]): Promise<number> {
  const { flags, words } = readFlags(args, forms)
  const [file, ...more] = words
  if (more.length > 0) throw new UsageError(`trace takes one file, not also ${more.join(' ')}`)
  const trace = file === undefined ? await traceOf(flags) : traceIn(file, flags)
  if (flags.out !== undefined) {
    await writeTrace(trace, flags.out)
    process.stdout.write(`${flags.out}\n`)
  } else process.stdout.write(flags.json ? `${JSON.stringify(trace, null, 2)}\n` : `${traceText(trace)}\n`)
  return 0
}

type Flags = FlagsOf<typeof forms>

async function traceOf(flags: Flags): Promise<Trace> {
  const base = runningUrl('--url', flags.url)
  const world = readAt('--world', flags.world ?? 'default', readWorldName)
  return controlCaller(`${base}/__emulator/worlds/${world}`).get<Trace>('/trace', {
    since: flags.since,
    task: flags.task,
    trace_id: flags['trace-id'],
  })
}

/** A trace in a file that this command or a kit wrote. */
function traceIn(file: string, flags: Flags): Trace {
  const live = (['url', 'world', 'since', 'task', 'trace-id'] as const).filter(
    name => flags[name] !== undefined,
  )
  if (live.length > 0) throw new UsageError(`--${live[0]} goes with a running emulator, not with a file`)
  try {
    return readTrace(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read as a trace: ${error instanceof Error ? error.message : error}`,
    )
  }
}
