import { connectEmulator } from '../client/client.ts'
import { readAcceptFile } from '../explore/accept.ts'
import { BaselineError } from '../explore/baseline.ts'
import { failuresOf } from '../explore/catalogue.ts'
import { explore } from '../explore/explore.ts'
import { defaults, readLength } from '../explore/options.ts'
import { casePattern, unknown } from '../explore/pattern.ts'
import { nameOfRow, type Report } from '../explore/report.ts'
import { makeOutFolder, reportFor, writeReports } from '../explore/reports.ts'
import { commandSubject } from '../explore/run-command.ts'
import type { Settings } from '../explore/settings.ts'
import { shellText } from '../explore/shell-text.ts'
import { virtualTimeEnvironment } from '../explore/virtual-time-environment.ts'
import { type Options, readOptions } from '../options/config.ts'
import { UsageError } from '../options/usage-error.ts'
import { listen } from '../server/emulator.ts'
import { assembleForCommand } from './assemble.ts'
import { type ExploreFlags, readExploreFlags } from './explore-flags.ts'
import { onStop } from './stopped.ts'

/**
 * Runs the user's program once undisturbed, then once for each possible failure of each of its calls, and reports what the program
 * did. Exit code 0 without a problem, 1 with problems, 2 for wrong usage, 3 when the undisturbed run failed, 130 when it was
 * interrupted before it found a problem.
 */
export async function run(args: string[]): Promise<number> {
  const flags = readExploreFlags(args)
  const options = optionsOf(flags)
  checkPatterns(flags)
  const accept = flags.accept === undefined ? [] : readAcceptFile(flags.accept)
  if (flags.out !== undefined) await makeOutFolder(flags.out)
  const listening = await listen(await assembleForCommand(options))
  const interrupted = new AbortController()
  const noLonger = onStop(() => interrupted.abort())
  try {
    const progress = progressLine()
    const report = await explore({
      emulator: connectEmulator(listening.url),
      subject: commandSubject({
        program: flags.program,
        args: flags.args,
        env: flags.env,
        inherited: inheritedEnvironment(flags),
      }),
      settings: settingsOf(flags, { options, accept, signal: interrupted.signal, progress }),
    })
    progress.clear()
    return await writeReport(report, flags)
  } catch (error) {
    if (!(error instanceof BaselineError)) throw error
    return undisturbedFailed(error, interrupted.signal)
  } finally {
    noLonger()
    await listening.close()
  }
}

/** The options of the emulator; the clock is `auto` by default, and every world opens at the same moment. */
function optionsOf({ serve }: ExploreFlags): Options {
  const { options } = readOptions(serve, process.env, { clock: { mode: 'auto', rate: 1 } })
  return { ...options, port: 0, now: options.now ?? Date.now() }
}

function checkPatterns({ only, skip }: ExploreFlags): void {
  const catalogue = failuresOf()
  for (const text of [...only, ...skip]) {
    const wrong = unknown(casePattern(text), catalogue)
    if (wrong !== undefined) throw new UsageError(wrong)
  }
}

/** The environment of the program. Options of the emulator are removed: they are only for this process. */
function inheritedEnvironment({ virtualTime }: ExploreFlags): NodeJS.ProcessEnv {
  const plain = Object.entries(process.env).filter(([name]) => !name.startsWith('GATEWAY_EMULATOR_'))
  return { ...Object.fromEntries(plain), ...(virtualTime && virtualTimeEnvironment(process.env)) }
}

type Surroundings = Pick<Settings, 'accept' | 'signal'> & { options: Options; progress: ProgressLine }

function settingsOf(flags: ExploreFlags, { options, accept, signal, progress }: Surroundings): Settings {
  const { only, skip, pairs, jobs, limitMs, budgetMs } = flags
  const { mode, rate } = options.clock
  return {
    only,
    skip,
    pairs,
    jobs,
    limitMs,
    budgetMs,
    accept,
    seed: options.seed,
    now: new Date(options.now ?? 0).toISOString(),
    clock: mode === 'realtime' ? `${rate}x` : mode,
    command: shellText([flags.program, ...flags.args]),
    replay: replayOf(flags),
    signal,
    progress: progress.show,
  }
}

/** The options that a replay needs too. */
function replayOf({ env, serve, limitMs, virtualTime }: ExploreFlags): string {
  const words = [
    ...env.flatMap(({ name, template }) => ['--env', `${name}=${template}`]),
    ...serve,
    ...(limitMs === readLength(defaults.limit) ? [] : ['--limit', `${limitMs}ms`]),
    ...(virtualTime ? ['--virtual-time'] : []),
  ]
  return shellText(words)
}

async function writeReport(report: Report, { out, reporter }: ExploreFlags): Promise<number> {
  if (out !== undefined) await writeReports(report, out)
  process.stdout.write(reportFor(report, { reporter, isTerminal: process.stdout.isTTY === true }))
  if (report.problems.length > 0) return 1
  return report.interrupted ? 130 : 0
}

function undisturbedFailed({ message, output }: BaselineError, signal: AbortSignal): number {
  if (signal.aborted) {
    process.stderr.write('gateway-emulator: interrupted before the undisturbed run had ended\n')
    return 130
  }
  const lines = output.trimEnd().split('\n').slice(-40)
  process.stderr.write(`gateway-emulator: ${message}\n`)
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
  return {
    show({ row, index, of }) {
      const name = row ? `${nameOfRow(row)}: ${row.verdict}` : ''
      stderr.write(`\r\u001b[K${index}/${of} ${name}`.slice(0, (stderr.columns ?? 80) + 4))
    },
    clear() {
      stderr.write('\r\u001b[K')
    },
  }
}
