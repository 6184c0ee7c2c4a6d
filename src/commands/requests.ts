import { writeFileSync } from 'node:fs'
import { controlCaller } from '../client/call.ts'
import type { List, RequestView } from '../client/types.ts'
import { runningUrl } from '../options/config.ts'
import { readOnlyFlags } from '../options/flags.ts'
import { readWorldName } from '../options/read-value.ts'
import { readAt, UsageError } from '../options/usage-error.ts'
import type { Recording } from '../recordings/har.ts'
import { recordingText } from '../recordings/har-file.ts'

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
  const base = runningUrl('--base-url', flags['base-url'])
  if (flags['keep-prompts'] && !flags.har) throw new UsageError('--keep-prompts goes with --har')
  const world = readAt('--world', flags.world ?? 'default', readWorldName)
  const { get } = controlCaller(`${base}/__emulator/worlds/${world}`)
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
          await get<Recording>('/requests', {
            ...query,
            format: 'har',
            ...(flags['keep-prompts'] && { prompts: 'kept' }),
          })
        ).log.entries,
      )
    : (await get<List<RequestView>>('/requests', query)).items.map(lineOf).join('')
  if (flags.out === undefined) process.stdout.write(text)
  else writeFileSync(flags.out, text)
  return 0
}

function lineOf({ at, method, path, status, operation, trace_id }: RequestView): string {
  return `${at} ${status} ${method} ${path} (${operation}${trace_id ? `, trace ${trace_id}` : ''})\n`
}
