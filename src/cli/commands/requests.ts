import { writeFileSync } from 'node:fs'
import { readOnlyFlags, UsageError } from '../../emulator/options.ts'
import { type Recording, recordingText } from '../../evidence/recordings.ts'
import type { List, RequestView } from '../../kits/views.ts'
import { askWorld, writeOut } from './asked-world.ts'

const forms = {
  'base-url': 'text',
  world: 'text',
  operation: 'text',
  since: 'text',
  status: 'text',
  task: 'text',
  trace: 'text',
  limit: 'text',
  out: 'text',
  har: 'switch',
  'keep-prompts': 'switch',
} as const

/** Prints the requests that a running emulator received: one line each, or with `--har` as HAR 1.2 without secrets. */
export async function run(args: string[]): Promise<number> {
  const flags = readOnlyFlags(args, forms)
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
