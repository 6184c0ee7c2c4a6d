import type { ChildProcess } from 'node:child_process'
import { delimiter } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { packagePath } from '../../emulator/ground.ts'
import { noProxy } from '../as/environment.ts'
import type { StandIn } from '../as/proxy.ts'
import { maskedData } from '../as/secrets.ts'
import {
  atRest,
  endedProcessesMs,
  endGroup,
  endLeftProcesses,
  idleMs,
  killTree,
  outputOf,
  startChild,
} from './processes.ts'
import {
  type Death,
  type Exit,
  type Run,
  type RunOptions,
  type Subject,
  stillRunning,
  watchLimit,
} from './run.ts'

/**
 * A command with its arguments, in which `{state}` is replaced, and templates of its environment variables, in which `{url}`, `{key}`,
 * `{world}` and `{state}` are.
 */
export interface Command {
  program: string
  args: readonly string[]
  env: readonly { name: string; template: string }[]
  /** The environment that it inherits. */
  inherited: NodeJS.ProcessEnv
}

/** A command that is started for each run, as `gateway-emulator explore` starts it. */
export interface ExploredCommand {
  /** The program and its arguments; `{state}` in them is replaced by the folder in which it keeps what it remembers. */
  command: readonly [program: string, ...args: string[]]
  /** Variables for the program; `{url}`, `{key}`, `{world}` and `{state}` in them are replaced. */
  env?: Readonly<Record<string, string>>
  /** The folder that the program always uses, which is put back before each case and at the end; default: an empty one for each case. */
  state?: string
}

/** How long a program may take to end before it is killed, wall ms. */
const lastMomentMs = 500

/** A command to explore. Each run is a process group of its own. All processes of a run are ended with it. */
export function commandSubject(command: Command): Subject {
  return {
    async run(world, options) {
      const startedMs = performance.now()
      const [busyBefore, idleBefore] = [endedProcessesMs(), idleMs()]
      const env = environmentOf(command, world, options)
      const args = command.args.map(word => word.replaceAll('{state}', options.state ?? ''))
      const tied =
        options.time === 'real' ? {} : virtualTimeEnvironment(env, { dies: options.death !== undefined })
      const told = options.told?.({ words: [command.program, ...args], env: { ...env, ...tied } })
      const child = await startChild({ program: command.program, args, env: { ...env, ...tied, ...told } })
      const output = outputOf(child)
      const over = await overOf(child, { ...options, env })
      const ms = Math.round(performance.now() - startedMs)
      const busyNow = endedProcessesMs()
      const isKnown = busyNow !== undefined && busyBefore !== undefined
      // On a busy machine it takes long because it has to wait for a processor, and more runs would wait longer.
      const withoutIdleMs = ms - (idleMs() - idleBefore)
      const busy = isKnown && { busyMs: Math.max(busyNow - busyBefore, withoutIdleMs) }
      return withEndless({ ...over, ...output(options.state), ms, ...busy })
    },
  }
}

/** The same run; as `endless` when virtual time ended it after seven days. */
export function withEndless<R extends Pick<Run, 'exit' | 'errors'>>(run: R): R {
  const { exit, errors } = run
  const isEndless = exit.kind === 'ended' && exit.code !== 0 && errors.includes(stillRunning.line)
  return isEndless ? { ...run, exit: { kind: 'endless', ms: stillRunning.ms } } : run
}

/** The environment of the program in a world: what it inherits, the address and key of the world, and its own variables. */
export function environmentOf(
  { env, inherited }: Pick<Command, 'env' | 'inherited'>,
  world: { id: string; baseUrl: string; apiKey: string },
  { name, state = '' }: Pick<RunOptions, 'name' | 'state'>,
): NodeJS.ProcessEnv {
  const known: Record<string, string> = { url: world.baseUrl, key: world.apiKey, world: world.id, state }
  const filled = env.map(({ name: variable, template }) => [
    variable,
    template.replace(/\{(url|key|world|state)\}/g, (_, word: string) => known[word] ?? ''),
  ])
  return {
    ...inherited,
    GATEWAY_EMULATOR_URL: world.baseUrl,
    GATEWAY_EMULATOR_KEY: world.apiKey,
    GATEWAY_EMULATOR_WORLD: world.id,
    GATEWAY_EMULATOR_CASE: name,
    GATEWAY_EMULATOR_STATE: state,
    ...Object.fromEntries(filled),
  }
}

/**
 * What the program inherits of an environment. Options of the emulator are removed: they are only for this process. No proxy of the
 * environment can reach the emulator of this machine.
 */
export function inheritedFrom(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const plain = Object.entries(environment).filter(([name]) => !name.startsWith('GATEWAY_EMULATOR_'))
  if (!plain.some(([name, value]) => value && /^(?:https?|all)_proxy$/i.test(name)))
    return Object.fromEntries(plain)
  const spared = [environment.no_proxy ?? environment.NO_PROXY, noProxy].filter(Boolean).join(',')
  return { ...Object.fromEntries(plain), no_proxy: spared, NO_PROXY: spared }
}

/**
 * Resolves when the program and all processes that it started have ended, and its output is read. It waits at most half a second for
 * a process that still holds the output open and cannot be found.
 */
function overOf(
  child: ChildProcess,
  { env, limitMs, goesOn, signal, death }: RunOptions & { env: NodeJS.ProcessEnv },
): Promise<Pick<Run, 'exit' | 'isOutputHeld'>> {
  return new Promise((resolve, reject) => {
    let passed: Exit | undefined
    let last: NodeJS.Timeout | undefined
    const stop = (exit: Exit) => {
      passed ??= exit
      endGroup(child, 'SIGTERM')
      last ??= setTimeout(() => endGroup(child, 'SIGKILL'), lastMomentMs)
    }
    const stopWatch = watchLimit({ limitMs, ...(goesOn && { goesOn }) }, stop)
    const abort = () => stop({ kind: 'signal', signal: 'SIGINT' })
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    let killed = Promise.resolve()
    const dieAt = async ({ afterRest }: Death) => {
      const pid = child.pid ?? 0
      if (afterRest) await atRest(pid)
      if (child.exitCode !== null || child.signalCode !== null) return
      passed ??= { kind: 'signal', signal: 'SIGKILL' }
      killed = killTree(pid)
      await killed
    }
    void death?.reached.then(() => dieAt(death)).catch(reject)
    const closed = new Promise<boolean>(close => child.once('close', () => close(false)))
    child.once('exit', async (code, killedBy) => {
      stopWatch()
      clearTimeout(last)
      signal.removeEventListener('abort', abort)
      endGroup(child, 'SIGKILL')
      await killed
      await endLeftProcesses(env)
      const isOutputHeld = await Promise.race([closed, pause(lastMomentMs, true)])
      const exit: Exit = killedBy ? { kind: 'signal', signal: killedBy } : { kind: 'ended', code: code ?? 0 }
      resolve({ exit: passed ?? exit, isOutputHeld })
    })
  })
}

/** Variables by which the clocks and sleeps of a program use the clock of its world, beside those that it has. */
export function virtualTimeEnvironment(
  { NODE_OPTIONS = '', PYTHONPATH = '' }: NodeJS.ProcessEnv,
  { dies }: { dies: boolean },
): NodeJS.ProcessEnv {
  const module = pathToFileURL(packagePath('dist/virtual-time.js')).href
  return {
    GATEWAY_EMULATOR_TIME: 'virtual',
    // A program that is killed at an open request meets no time-out before it, however late a busy machine kills it.
    ...(dies && { GATEWAY_EMULATOR_DIES: '1' }),
    NODE_OPTIONS: `${NODE_OPTIONS} --import ${module}`.trim(),
    PYTHONPATH: [packagePath('python/tie'), PYTHONPATH].filter(Boolean).join(delimiter),
  }
}

/** A program whose calls of named hosts reach the world of its run. `subjectOf` makes it with an environment to inherit. What it writes is kept without its keys. */
export function standInSubject(
  subjectOf: (inherited: NodeJS.ProcessEnv) => Subject,
  { inherited, standIn }: { inherited: NodeJS.ProcessEnv; standIn: StandIn },
): Subject {
  return {
    async run(world, options) {
      const opened = await standIn.open(world.apiKey)
      try {
        const subject = subjectOf({ ...inherited, ...opened.environment(inherited) })
        return maskedData(await subject.run(world, options), standIn.secrets.masked)
      } finally {
        await opened.close()
      }
    },
  }
}
