import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { choice, type FlagRows, readAt, readFlags, UsageError } from '../../emulator/options.ts'

import {
  type Comparison,
  compareRecording,
  comparisonOf,
  emulatorForReplays,
  exitCode,
  HarError,
  type Ignore,
  type ReadRecording,
  type ReportForm,
  readHarFile,
  readIgnore,
  readSteps,
  report,
  reportForms,
} from '../../evidence/recordings.ts'
import type { ConfirmedRows } from '../../evidence/spec.ts'
import { emulatorAt, readBaseUrl } from './asked-world.ts'

export const flagRows = {
  'base-url': ['URL', 'its own emulator', 'the emulator in which jobs are repeated'],
  reporter: ['FORM', 'pretty', 'pretty, json, markdown, junit; --report is the same'],
  'fail-on': [
    'WHAT',
    'unknown',
    'changed: contradicted rows end it with 1; unknown: differences of no row end it with 4, too',
  ],
  ignore: ['FILE', 'none', 'rows that are not looked at'],
  confirm: ['FILE', 'none', 'write the rows that the recording confirms'],
} as const satisfies FlagRows
/** `explore` calls it --reporter. */
const known = { ...flagRows, report: flagRows.reporter }

/**
 * Repeats the jobs of recordings in an emulator, and lists the rows of the specification and of the assumptions that they confirm
 * and contradict. Exit codes: 0 equal, 1 contradicted or nothing compared, 2 wrong usage, 4 differences that belong to no row.
 */
export async function run(args: string[]): Promise<number> {
  const { flags, words: files } = readFlags(args, known)
  const flag = flags.reporter === undefined ? 'report' : 'reporter'
  if (flags.report !== undefined && flags.reporter !== undefined && flags.report !== flags.reporter)
    throw new UsageError(`--report ${flags.report} and --reporter ${flags.reporter} contradict each other`)
  const form = readAt(`--${flag}`, flags[flag] ?? 'pretty', choice(...reportForms))
  const failOn = readAt('--fail-on', flags['fail-on'] ?? 'unknown', choice('changed', 'unknown'))
  const base = readBaseUrl(flags)
  if (files.length === 0) throw new UsageError('compare needs at least one FILE.har')
  const recordings = await Promise.all(files.map(readRecording))
  return compareAll(recordings, {
    form,
    failOn,
    base,
    confirm: flags.confirm,
    isIgnored: flags.ignore === undefined ? () => false : ignoreFile(flags.ignore),
  })
}

/** The options of a comparison and its report. */
export interface CompareSettings {
  form: ReportForm
  failOn: 'changed' | 'unknown'
  /** The address of a running emulator; when absent, one is started. */
  base?: string | undefined
  isIgnored: Ignore
  /** A file to which the confirmed rows are written, for `fixtures/recordings`. */
  confirm?: string | undefined
}

/** Compares recordings and prints the report; returns the exit code. */
export async function compareAll(
  recordings: readonly ReadRecording[],
  settings: CompareSettings,
): Promise<number> {
  const { url, close } = await emulatorAt(settings.base, {
    clock: { mode: 'manual', rate: 1 },
    promptTags: 'off',
  })
  const client = emulatorForReplays(url)
  try {
    // The comparison needs worlds and clocks, which only an emulator has.
    await client.health()
    const compared = []
    for (const recording of recordings) compared.push(await compareRecording(recording, client))
    const verdict = comparisonOf(compared, settings.isIgnored)
    process.stdout.write(report(verdict, settings.form))
    if (settings.confirm !== undefined) writeFileSync(settings.confirm, confirmationOf(verdict, recordings))
    return exitCode(verdict, settings.failOn)
  } finally {
    await close()
  }
}

/** Which rows were confirmed, when the last recording was made, and its name. */
function confirmationOf(verdict: Comparison, recordings: readonly ReadRecording[]): string {
  const last = [...recordings].sort((one, other) => other.startsAt - one.startsAt)[0]
  const rows: ConfirmedRows = {
    recording: last?.name ?? '',
    at: new Date(last?.startsAt ?? 0).toISOString(),
    rows: verdict.rows.filter(({ status }) => status === 'confirmed').map(({ id }) => id),
  }
  return `${JSON.stringify(rows, null, 2)}\n`
}

/** Reads a file and its calls of the API. Throws UsageError when the file is not a recording of the gateway. */
export async function readRecording(path: string): Promise<ReadRecording> {
  try {
    const { log, isTorn } = await readHarFile(path)
    const { length } = log.entries
    if (isTorn)
      process.stderr.write(
        `gateway-emulator: ${path} ends in the middle of an entry, which is left out; entries read: ${length}\n`,
      )
    const recording = readSteps(basename(path), log.entries)
    // A recording without requests is allowed; it has nothing to compare.
    if (length === 0 || recording.steps.some(({ operation }) => operation !== 'unknown')) return recording
    throw new UsageError(
      `${path} is not a recording of the gateway: none of its ${length} entries is a call of the API`,
    )
  } catch (error) {
    if (error instanceof HarError) throw new UsageError(error.message)
    throw error
  }
}

function ignoreFile(path: string): Ignore {
  try {
    return readIgnore(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new UsageError(`--ignore: ${path}: ${error instanceof Error ? error.message : error}`)
  }
}
