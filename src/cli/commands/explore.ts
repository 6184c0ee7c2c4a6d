import { existsSync } from 'node:fs'
import { realTime } from '../../emulator/ground.ts'
import { type Options, readOptions, UsageError } from '../../emulator/options.ts'
import { assembleEmulator, listen, ownStandardOutput } from '../../emulator/server.ts'
import { maskedData, proxyLines, type StandIn, type StandInParts } from '../../explore/as.ts'
import { failuresOf } from '../../explore/catalogue.ts'
import {
  type Accepted,
  asksForOrders,
  BaselineError,
  type Command,
  casePattern,
  commandSubject,
  connectEmulator,
  emptyStates,
  explore,
  failuresIn,
  inheritedFrom,
  keptState,
  makeOutFolder,
  nameOfRow,
  putBackState,
  type Report,
  readAcceptFile,
  readEarlier,
  readReused,
  reportFor,
  reportOf,
  type Settings,
  type States,
  type Subject,
  shellText,
  standInSubject,
  systemExploration,
  unknown,
  updatedAccepts,
  wallPaceText,
  withVariables,
  writeAcceptFile,
  writeReports,
} from '../../explore/explore.ts'
import { type ExploreFlags, flagRows, folderToPutBack, readExploreFlags } from './explore-flags.ts'
import { onStop } from './output.ts'

export { flagRows }

/**
 * Runs the user's program once undisturbed, then once for each possible failure of each of its calls, and reports what the program
 * did. Exit code 0 without a problem, 1 with problems (and with warnings for `--fail-on warnings`), 2 for wrong usage, 3 when the undisturbed run failed, 130 when it was
 * interrupted before it found a problem.
 */
export async function run(args: string[]): Promise<number> {
  const left = folderToPutBack(args)
  if (left !== undefined) {
    process.stdout.write(`${await putBackState(left)} is as it was before explore\n`)
    return 0
  }
  const flags = withEarlier(readExploreFlags(args))
  const options = optionsOf(flags)
  checkPatterns(flags)
  const accept = acceptedBy(flags)
  if (flags.out !== undefined) await makeOutFolder(flags.out)
  const states = flags.state === undefined ? emptyStates : await keptState(flags.state)
  try {
    return await explored(flags, { options, accept, states })
  } finally {
    await states.end?.()
  }
}

/** With `--again`: only the problems and warnings of that report, in worlds that are as they were then. */
function withEarlier(flags: ExploreFlags): ExploreFlags {
  if (flags.again === undefined) return flags
  const { cases, restarts, pairs, seed, now } = readEarlier(flags.again)
  if (cases.length > 0 && flags.chosen[restarts ? 'pairs' : 'restarts'])
    throw new UsageError(
      `--again ${flags.again}: its cases are ${restarts ? 'restarts, which --pairs cannot join' : 'failures, and --restarts plays none'}`,
    )
  const given = (name: string) => flags.serve.includes(`--${name}`)
  return {
    ...flags,
    serve: [
      ...(given('seed') ? [] : ['--seed', String(seed)]),
      ...(given('now') ? [] : ['--now', now]),
      ...flags.serve,
    ],
    chosen: {
      ...flags.chosen,
      again: cases,
      restarts: flags.chosen.restarts || restarts,
      pairs: flags.chosen.pairs || pairs,
    },
  }
}

interface Prepared {
  options: Options
  accept: readonly Accepted[]
  states: States
}

async function explored(flags: ExploreFlags, { options, accept, states }: Prepared): Promise<number> {
  const listening = await listen(await assembleEmulator({ ...options, requestLines: ownStandardOutput }))
  const interrupted = new AbortController()
  const noLonger = onStop(() => interrupted.abort())
  const inherited = inheritedFrom(process.env)
  const standIn = await standInOf(flags, { dispatch: listening.emulator.dispatch, inherited })
  let ofSystem: States | undefined
  try {
    const progress = progressLine()
    const emulator = connectEmulator(listening.url)
    const settings = settingsOf(flags, { options, accept, signal: interrupted.signal, progress })
    const exploration = flags.system
      ? await systemExploration(withVariables(flags.system, variablesOf(flags)), {
          emulator,
          settings,
          inherited,
          standIn,
        })
      : { emulator, subject: subjectOf({ ...flags, inherited }, standIn), states, settings }
    if (flags.system) ofSystem = exploration.states
    const report = await explore(exploration)
    progress.clear()
    const kept = withoutSecrets(report, standIn)
    return await writeReport(flags.update ? await update(kept, { flags, accept }) : kept, flags)
  } catch (error) {
    if (!(error instanceof BaselineError)) throw error
    return undisturbedFailed(error, { signal: interrupted.signal, standIn })
  } finally {
    noLonger()
    await ofSystem?.end?.()
    standIn?.close()
    await listening.close()
  }
}

function variablesOf({ env }: ExploreFlags): Record<string, string> {
  return Object.fromEntries(env.map(({ name, template }) => [name, template]))
}

/** Undefined without `--as`. */
async function standInOf(
  { as: { hosts } }: ExploreFlags,
  surroundings: Omit<StandInParts, 'hosts'>,
): Promise<StandIn | undefined> {
  if (hosts.emulated.length === 0) return undefined
  // Loads a library for certificates.
  const { createStandIn } = await import('../../explore/as.ts')
  return createStandIn({ ...surroundings, hosts })
}

function subjectOf(command: Command, standIn: StandIn | undefined): Subject {
  if (!standIn) return commandSubject(command)
  const { inherited } = command
  return standInSubject(environment => commandSubject({ ...command, inherited: environment }), {
    inherited,
    standIn,
  })
}

/** The report with what was heard behind the proxy; a key that the user wrote into the command is in no report. */
function withoutSecrets(report: Report, standIn: StandIn | undefined): Report {
  if (!standIn) return report
  return reportOf(maskedData({ ...report, as: standIn.heard }, standIn.secrets.masked))
}

/** The known problems; a file that `--update` makes need not exist yet. */
function acceptedBy({ accept, update }: ExploreFlags): readonly Accepted[] {
  return accept === undefined || (update && !existsSync(accept)) ? [] : readAcceptFile(accept)
}

/** Writes the known problems as they are now. Returns the report with them; cases that no longer occur are still listed in it. */
async function update(
  report: Report,
  { flags, accept }: { flags: ExploreFlags; accept: readonly Accepted[] },
): Promise<Report> {
  const entries = updatedAccepts(accept, report)
  if (flags.accept !== undefined && !report.interrupted) await writeAcceptFile(flags.accept, entries)
  const { stale, ...known } = report.accept(entries)
  return { ...known, stale: report.stale }
}

/** The options of the emulator; every world opens at the same moment. */
function optionsOf({ serve, as }: ExploreFlags): Options {
  const { options } = readOptions(serve, { clock: clockByTime })
  const models = { ...options.models, ...as.models }
  return { ...options, models, port: 0, now: options.now ?? realTime.wallNow() }
}

/** The clock when none is given: the time that is used decides on that of the runs. */
const clockByTime: Options['clock'] = { mode: 'auto', rate: 1 }

/** The clock that was given, and the time. A clock that moves by itself is for a program that sleeps in real time. */
function timeOf({ time }: ExploreFlags, { clock }: Options): Pick<Settings, 'time' | 'clock'> {
  if (clock === clockByTime) return { time: time ?? 'auto' }
  const { mode, rate } = clock
  const given = mode === 'realtime' ? (`${rate}x` as const) : mode
  return { time: time ?? (mode === 'manual' ? 'virtual' : 'real'), clock: given }
}

function checkPatterns({ chosen: { only, skip } }: ExploreFlags): void {
  const catalogue = failuresOf()
  for (const text of [...only, ...skip].filter(text => !asksForOrders([text]))) {
    const wrong = unknown(casePattern(text), catalogue)
    if (wrong !== undefined) throw new UsageError(wrong)
  }
}

type Surroundings = Pick<Settings, 'accept' | 'signal'> & { options: Options; progress: ProgressLine }

function settingsOf(flags: ExploreFlags, { options, accept, signal, progress }: Surroundings): Settings {
  const { reuse } = flags
  return {
    ...flags.chosen,
    ...recordedBy(flags),
    ...(reuse !== undefined && { reuse: readReused(reuse) }),
    accept,
    folder: process.cwd(),
    seed: options.seed,
    now: new Date(options.now ?? 0).toISOString(),
    ...timeOf(flags, options),
    ...(flags.program !== '' && { command: shellText([flags.program, ...flags.args]) }),
    replay: replayOf(flags),
    signal,
    progress: progress.show,
  }
}

/** Variables of the environment that decide on how Node and Python run a program. */
const ofRuntimes = /^(?:NODE_(?:ENV|PATH|OPTIONS)|PYTHON\w*|VIRTUAL_ENV|TZ|LANG|LC_ALL)$/

/** Which files a command loads is told when a later exploration may ask, and for its coverage. What lies in the folder of `--state` is not known to be the same then. */
function recordedBy(flags: ExploreFlags): Pick<Settings, 'recorded'> {
  const { out, reuse, state, system, program, args, serve, chosen } = flags
  const isAsked = (out !== undefined || reuse !== undefined) && state === undefined
  if (!(isAsked || chosen.coverage)) return {}
  const { options } = readOptions(serve, { clock: clockByTime })
  const variables = Object.entries(process.env).filter(([name]) => ofRuntimes.test(name))
  return {
    recorded: JSON.stringify([system ?? [program, ...args], replayOf(flags), options, variables.sort()]),
  }
}

/** The options that a replay needs too. */
function replayOf({ systemTexts, env, serve, asTexts, chosen, ...flags }: ExploreFlags): string {
  const { limitText, time, state } = flags
  const words = [
    ...systemTexts,
    ...(state === undefined ? [] : ['--state', state]),
    ...env.flatMap(({ name, template }) => ['--env', `${name}=${template}`]),
    ...asTexts,
    ...serve,
    ...(limitText === undefined ? [] : ['--limit', limitText]),
    ...(time === undefined ? [] : ['--time', time]),
    ...(chosen.withoutResult ? ['--without-result'] : []),
  ]
  return shellText(words)
}

async function writeReport(report: Report, { out, reporter }: ExploreFlags): Promise<number> {
  // First, since a folder that cannot be written must not cost what an hour of runs has shown.
  process.stdout.write(reportFor(report, { reporter, isTerminal: process.stdout.isTTY === true }))
  if (out !== undefined) await writeReports(report, out)
  const isUnmet = report.patience?.needs.some(({ is_met }) => !is_met) ?? false
  if (failuresIn(report).length > 0 || isUnmet) return 1
  return report.interrupted ? 130 : 0
}

function undisturbedFailed(
  { message, output, wallPace }: BaselineError,
  { signal, standIn }: { signal: AbortSignal; standIn: StandIn | undefined },
): number {
  if (signal.aborted) {
    const pace = wallPaceText(wallPace)
    process.stderr.write(
      `gateway-emulator: interrupted before the undisturbed run had ended${pace && `; ${pace}`}\n`,
    )
    return 130
  }
  const lines = output.trimEnd().split('\n').slice(-40)
  process.stderr.write(`gateway-emulator: ${standIn?.secrets.masked(message) ?? message}\n`)
  for (const line of standIn ? proxyLines(standIn.heard) : [])
    process.stderr.write(`  ${standIn?.secrets.masked(line)}\n`)
  if (output.trim() !== '') process.stderr.write(`${lines.map(line => `  | ${line}`).join('\n')}\n`)
  return 3
}

interface ProgressLine {
  show: Settings['progress']
  clear(): void
}

/** On a terminal, one progress line that each case overwrites; otherwise nothing. */
function progressLine(): ProgressLine {
  const { stderr } = process
  if (!stderr.isTTY) return { show() {}, clear() {} }
  // A terminal that nobody has given a size, such as that of a container, has 0 columns.
  const write = (text: string) => stderr.write(`\r\u001b[K${text.slice(0, stderr.columns || 80)}`)
  write('the undisturbed run')
  return {
    show({ row, index, of }) {
      write(`${index}/${of} ${row ? `${nameOfRow(row)}: ${row.verdict}` : ''}`)
    },
    clear() {
      write('')
    },
  }
}
