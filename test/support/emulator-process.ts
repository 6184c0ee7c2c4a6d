import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { fetchJson } from './fetch-json.ts'
import { type Ended, heard } from './run.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** An emulator in its own process. */
export type EmulatorProcess = Awaited<ReturnType<typeof startProcess>>

type Environment = Record<string, string | undefined>

function start(args: readonly string[], environment: Environment, cwd?: string): ChildProcess {
  const plain = Object.entries(process.env).filter(([name]) => !name.startsWith('GATEWAY_EMULATOR_'))
  return spawn(process.execPath, [main, ...args], {
    env: { ...Object.fromEntries(plain), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
  })
}

/** Runs a command to its end, in another folder where one is named. */
export async function runCommand(
  args: readonly string[],
  environment: Environment = {},
  folder?: string,
): Promise<Ended> {
  const child = start(args, environment, folder)
  onTestFinished(() => void child.kill('SIGKILL'))
  return await heard(child).ended
}

/** Starts an emulator on a free port. Resolves when it reports that it is ready; it ends with the test. */
export async function startProcess(args: readonly string[], environment: Environment = {}) {
  const child = start(['--port', '0', '--log', 'json', ...args], environment)
  const { ended, firstLine } = heard(child)
  onTestFinished(() => void child.kill('SIGKILL'))
  const { event, url, pid } = JSON.parse(await firstLine())
  if (event !== 'ready') throw new Error(`the emulator said ${event} first`)
  return {
    url: String(url),
    pid: Number(pid),
    /** Sends a signal; resolves when the process has ended. */
    async end(signal: NodeJS.Signals): Promise<Ended> {
      child.kill(signal)
      return await ended
    },
    call: (method: string, path: string, body?: unknown, key = 'sk-emulator') =>
      fetchJson(url + path, method, body, path.startsWith('/__emulator') ? null : key),
  }
}
