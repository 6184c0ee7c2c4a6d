import type { ChildProcess } from 'node:child_process'
import spawn from 'cross-spawn'
import kill from 'tree-kill'
import { UsageError } from '../options/usage-error.ts'
import { crashLineIn } from './crash.ts'
import type { End, Run, Subject } from './run.ts'
import { stillRunning } from './still-running.ts'

/** A command with its arguments, and templates of its environment variables, in which `{url}`, `{key}` and `{world}` are replaced. */
export interface Command {
  program: string
  args: readonly string[]
  env: readonly { name: string; template: string }[]
  /** The environment that it inherits. */
  inherited: NodeJS.ProcessEnv
}

const mostOutput = 256 * 1024
/** How long a program may take to end before it is killed, wall ms. */
const lastMomentMs = 500

/** A command to explore. Each run is a process group of its own, which is ended with the run. */
export function commandSubject(command: Command): Subject {
  return {
    async run(world, { name, limitMs, signal }) {
      const startedMs = performance.now()
      const child = await started(command, environmentOf(command, world, name))
      const output = outputOf(child)
      const end = await endOf(child, { limitMs, signal })
      endGroup(child, 'SIGKILL')
      const run: Run = { end, output: output(), ms: Math.round(performance.now() - startedMs) }
      return { ...run, end: withCrash(run) }
    },
  }
}

function withCrash({ end, output }: Run): End {
  if (end.kind !== 'ended' || end.code === 0) return end
  if (end.code === stillRunning.code && output.includes(stillRunning.line))
    return { kind: 'limit', ms: stillRunning.ms }
  const line = crashLineIn(output)
  return line === undefined ? end : { kind: 'crashed', line }
}

function environmentOf(
  { env, inherited }: Command,
  world: { id: string; baseUrl: string; apiKey: string },
  name: string,
): NodeJS.ProcessEnv {
  const known: Record<string, string> = { url: world.baseUrl, key: world.apiKey, world: world.id }
  const filled = env.map(({ name: variable, template }) => [
    variable,
    template.replace(/\{(url|key|world)\}/g, (_, word: string) => known[word] ?? ''),
  ])
  return {
    ...inherited,
    GATEWAY_EMULATOR_URL: world.baseUrl,
    GATEWAY_EMULATOR_KEY: world.apiKey,
    GATEWAY_EMULATOR_WORLD: world.id,
    GATEWAY_EMULATOR_CASE: name,
    ...Object.fromEntries(filled),
  }
}

function started({ program, args }: Command, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    // cross-spawn: on Windows npm and npx are scripts, which only a shell can start. The process group lets explore end all processes of the program.
    const child = spawn(program, args, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    child.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'ENOENT' ? 'the program does not exist' : error.message
      reject(new UsageError(`Cannot start ${program}: ${why}`))
    })
    child.once('spawn', () => resolve(child))
  })
}

function outputOf(child: ChildProcess): () => string {
  let written = ''
  const keep = (chunk: Buffer) => {
    written = (written + chunk.toString()).slice(-mostOutput)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return () => written
}

/** Resolves when the program has ended and its output is read. It waits at most half a second for a child process that still holds the output open. */
function endOf(
  child: ChildProcess,
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<End> {
  return new Promise(resolve => {
    let passed: End | undefined
    let last: NodeJS.Timeout | undefined
    const stop = (end: End) => {
      passed ??= end
      endGroup(child, 'SIGTERM')
      last ??= setTimeout(() => endGroup(child, 'SIGKILL'), lastMomentMs)
    }
    const limit = setTimeout(() => stop({ kind: 'limit', ms: limitMs }), limitMs)
    const abort = () => stop({ kind: 'signal', signal: 'SIGINT' })
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    const finish = (code: number | null, killedBy: NodeJS.Signals | null) => {
      clearTimeout(limit)
      clearTimeout(last)
      signal.removeEventListener('abort', abort)
      resolve(
        passed ?? (killedBy ? { kind: 'signal', signal: killedBy } : { kind: 'ended', code: code ?? 0 }),
      )
    }
    child.once('exit', (code, killedBy) => {
      endGroup(child, 'SIGKILL')
      const patience = setTimeout(() => finish(code, killedBy), lastMomentMs)
      child.once('close', () => {
        clearTimeout(patience)
        finish(code, killedBy)
      })
    })
  })
}

function endGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    kill(pid, signal)
    return
  }
  try {
    process.kill(-pid, signal)
  } catch {
    // All processes of the group have ended already.
  }
}
