import { writeFileSync } from 'node:fs'
import { type FlagRows, readOnlyFlags, UsageError } from '../../emulator/options.ts'
import { type Recording, recordingText } from '../../evidence/recordings.ts'
import type { List, RequestView } from '../../kits/views.ts'
import { askWorld, writeOut } from './asked-world.ts'

export const flagRows = {
  'base-url': ['URL', 'GATEWAY_EMULATOR_URL, else http://127.0.0.1:8585', 'the emulator to ask'],
  world: ['NAME', 'default', 'the world whose requests are printed'],
  operation: ['GLOB', 'all', 'only these, such as a.* or media.download'],
  status: ['N', 'all', 'only replies with this status'],
  since: ['TIME', 'all', 'only requests from this moment on'],
  task: ['ID', 'all', 'only requests about this task'],
  trace: ['ID', 'all', 'only requests of this trace'],
  limit: ['N', '10000', 'the newest of them at most'],
  har: ['', 'off', 'as HAR 1.2 without secrets'],
  'keep-prompts': ['', 'off', 'with --har: keep prompts as they are'],
  out: ['FILE', 'standard output', 'where they are written'],
} as const satisfies FlagRows

/** Prints the requests that a running emulator received: one line each, or with `--har` as HAR 1.2 without secrets. */
export async function run(args: string[]): Promise<number> {
  const flags = readOnlyFlags(args, flagRows)
  if (flags['keep-prompts'] && !flags.har) throw new UsageError('--keep-prompts goes with --har')
  const query = {
    operation: flags.operation,
    since: flags.since,
    status: flags.status,
    task: flags.task,
    trace: flags.trace,
    limit: flags.limit ?? 10_000,
  }
  const text = flags.har
    ? recordingText(
        (
          await askWorld<Recording>(flags, '/requests', {
            ...query,
            format: 'har',
            ...(flags['keep-prompts'] && { prompts: 'kept' }),
          })
        ).log.entries,
      )
    : (await askWorld<List<RequestView>>(flags, '/requests', query)).items.map(lineOf).join('')
  if (flags.out === undefined) process.stdout.write(text)
  else await writeOut(flags.out, path => writeFileSync(path, text))
  return 0
}

function lineOf({ at, method, path, status, operation, trace_id }: RequestView): string {
  return `${at} ${status} ${method} ${path} (${operation}${trace_id ? `, trace ${trace_id}` : ''})\n`
}
