import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Answer } from './gateway.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** How a process ended, and its output. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** An emulator in its own process. */
export interface EmulatorProcess {
  url: string
  pid: number
  /** Sends a signal; resolves when the process has ended. */
  end(signal: NodeJS.Signals): Promise<Ended>
  call(method: string, path: string, body?: unknown, key?: string): Promise<Pick<Answer, 'status' | 'body'>>
}

type Environment = Record<string, string | undefined>

function start(args: readonly string[], environment: Environment): ChildProcess {
  const plain = Object.entries(process.env).filter(([name]) => !name.startsWith('GATEWAY_EMULATOR_'))
  return spawn(process.execPath, [main, ...args], {
    env: { ...Object.fromEntries(plain), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function listenTo(child: ChildProcess): { said: { stdout: string; stderr: string }; ended: Promise<Ended> } {
  const said = { stdout: '', stderr: '' }
  child.stdout?.on('data', text => {
    said.stdout += text
  })
  child.stderr?.on('data', text => {
    said.stderr += text
  })
  const ended = once(child, 'close').then(([code]: (number | null)[]) => ({ code: code ?? null, ...said }))
  return { said, ended }
}

/** Runs a command to its end. */
export async function runCommand(args: readonly string[], environment: Environment = {}): Promise<Ended> {
  const child = start(args, environment)
  onTestFinished(() => void child.kill('SIGKILL'))
  return await listenTo(child).ended
}

/** Starts an emulator on a free port. Resolves when it reports that it is ready; it ends with the test. */
export async function startProcess(
  args: readonly string[],
  environment: Environment = {},
): Promise<EmulatorProcess> {
  const child = start(['--port', '0', '--log', 'json', ...args], environment)
  const { said, ended } = listenTo(child)
  onTestFinished(() => void child.kill('SIGKILL'))
  let isOver = false
  ended.then(() => {
    isOver = true
  })
  while (!said.stdout.includes('\n')) {
    if (isOver) throw new Error(`the emulator ended before it was ready: ${said.stderr}`)
    await Promise.race([child.stdout ? once(child.stdout, 'data') : ended, ended])
  }
  const { event, url, pid } = JSON.parse(said.stdout.split('\n')[0] ?? '')
  if (event !== 'ready') throw new Error(`the emulator said ${event} first`)
  return {
    url,
    pid,
    async end(signal) {
      child.kill(signal)
      return await ended
    },
    async call(method, path, body, key = 'sk-emulator') {
      const headers = {
        ...(path.startsWith('/__emulator') ? {} : { Authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      }
      const reply = await fetch(url + path, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await reply.text()
      return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) }
    },
  }
}
