import {
  compile,
  dryRun,
  families,
  inertRules,
  liveScenario,
  openScenarioFile,
  operationFacts,
  queuedMs,
  ScenarioError,
  type Span,
  shippedDocuments,
  type TaskTimes,
  usualMs,
} from '../../emulator/gateway.ts'
import { checkNoWords, type FlagRows, hint, readFlags, UsageError } from '../../emulator/options.ts'
import { makesTask } from '../../emulator/words.ts'
import { counted } from '../../explore/explore.ts'

export const flagRows = {
  'dry-run': ['', 'off', 'with check: also print what each call would meet'],
} as const satisfies FlagRows

/** `scenarios list`, and `scenarios check [--dry-run] FILE...`. Exit code 1 when a file is wrong. */
export async function run(args: string[]): Promise<number> {
  const { flags, words } = readFlags(args, flagRows)
  const [what, ...files] = words
  switch (what) {
    case 'list':
      checkNoWords(files)
      if (flags['dry-run']) throw new UsageError('--dry-run goes with scenarios check')
      return list()
    case 'check':
      if (files.length === 0) throw new UsageError('scenarios check needs at least one FILE')
      return Math.max(...files.map(file => check(file, flags['dry-run'])))
    case 'from-recording':
      if (flags['dry-run']) throw new UsageError('--dry-run goes with scenarios check')
      return learn(files)
    default:
      throw new UsageError(
        `scenarios needs list, check or from-recording, not ${what ?? 'nothing'}${hint(what ?? '', ['list', 'check', 'from-recording'])}`,
      )
  }
}

function list(): number {
  const lines = shippedDocuments().map(
    ({ name, description = '' }) => `${name.padEnd(22)} ${description.trim().replace(/\s+/g, ' ')}`,
  )
  process.stdout.write(`${lines.join('\n')}\n`)
  return 0
}

/** Prints a scenario with the durations, failures and waits of a recording. */
async function learn([file, ...rest]: readonly string[]): Promise<number> {
  if (file === undefined || rest.length > 0)
    throw new UsageError('scenarios from-recording needs one FILE.har')
  const { learnScenario } = await import('../../evidence/recordings.ts')
  const { readRecording } = await import('./compare.ts')
  const document = learnScenario(await readRecording(file))
  if (document.rules.length === 0)
    throw new UsageError(`${file} has no accepted create whose task was seen to change`)
  const { stringify } = await import('yaml')
  process.stdout.write(stringify(document))
  return 0
}

function check(file: string, isDryRun: boolean): number {
  try {
    const { document, located } = openScenarioFile(file)
    process.stdout.write(`${file}: ${document.name} is valid, ${counted(document.rules.length, 'rule')}\n`)
    const facts = operationFacts()
    for (const inert of inertRules(document, facts))
      process.stderr.write(`${located(inert).fullMessage.replace(/^(\S+:\d+: )/, '$1warning: ')}\n`)
    if (isDryRun) process.stdout.write(`${dryRun(liveScenario(compile(document), facts), makers())}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    process.stderr.write(`${error.fullMessage}\n`)
    return 1
  }
}

/** The operations that make tasks, with the middle of their standard durations (A-run-times) and the words of their own kind of task. */
function makers(): TaskTimes[] {
  return families
    .flatMap(family => family.endpoints.map(({ operation }) => ({ family, operation })))
    .filter(({ operation }) => makesTask(operation))
    .map(({ family, operation }) => ({
      operation,
      queuedMs: middle(queuedMs),
      runningMs: middle(family.runsMs ?? usualMs),
      words: family.words({ kind: operation.replace(/\.(create|generate)$/, '') }),
    }))
}

function middle([from, to]: Span): number {
  return (from + to) / 2
}
