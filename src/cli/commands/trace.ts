import { readFileSync } from 'node:fs'
import { type FlagRows, type FlagsOf, readFlags, UsageError } from '../../emulator/options.ts'
import { readTrace, writeTrace } from '../../kits/client.ts'
import { type Trace, traceText } from '../../kits/views.ts'
import { askWorld, writeOut } from './asked-world.ts'

export const flagRows = {
  'base-url': ['URL', 'GATEWAY_EMULATOR_URL, else http://127.0.0.1:8585', 'the emulator to ask'],
  world: ['NAME', 'default', 'the world whose run is printed'],
  task: ['ID', 'all', 'only what is about this task'],
  since: ['MOMENT', 'all', 'only what happened from this moment of virtual time on'],
  'trace-id': ['ID', 'all', 'only requests of this traceparent'],
  out: ['FILE', 'none: lines', 'write a page that needs no network, or JSON for a name that ends in .json'],
  json: ['', 'off', 'as JSON'],
} as const satisfies FlagRows

/** Prints the run of a running emulator's clients, or one in a file, as lines; `--out` writes the page, which needs no network. */
export async function run(args: string[]): Promise<number> {
  const { flags, words } = readFlags(args, flagRows)
  const [file, ...more] = words
  if (more.length > 0) throw new UsageError(`trace takes one file, not also ${more.join(' ')}`)
  const { out } = flags
  if (flags.json && out !== undefined && !out.endsWith('.json'))
    throw new UsageError(`--json with --out needs a name that ends in .json, not ${out}`)
  const trace = file === undefined ? await traceOf(flags) : traceIn(file, flags)
  if (out !== undefined) {
    await writeOut(out, path => writeTrace(trace, path))
    process.stdout.write(`${out}\n`)
  } else process.stdout.write(flags.json ? `${JSON.stringify(trace, null, 2)}\n` : `${traceText(trace)}\n`)
  return 0
}

type Flags = FlagsOf<typeof flagRows>

async function traceOf(flags: Flags): Promise<Trace> {
  return askWorld<Trace>(flags, '/trace', {
    since: flags.since,
    task: flags.task,
    trace_id: flags['trace-id'],
  })
}

/** A trace in a file that this command or a kit wrote. */
function traceIn(file: string, flags: Flags): Trace {
  const live = (['base-url', 'world', 'since', 'task', 'trace-id'] as const).filter(
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
