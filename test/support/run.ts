import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** The result of a program that ended. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a program to its end; never rejects for its exit code. */
export async function run(program: string, args: string[], options: SpawnOptions = {}): Promise<Ended> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}

/** A server that reported in a line of JSON that it is ready. */
export interface Served {
  url: string
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Starts a program that prints `{"event":"ready","url":…}`; rejects with its output when it ends before. */
export async function serve(program: string, args: string[], options: SpawnOptions = {}): Promise<Served> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const url = await readyUrl(child)
  return {
    url,
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      const ended = once(child, 'close')
      child.kill(signal)
      await ended
    },
  }
}

async function readyUrl(child: ChildProcess): Promise<string> {
  let written = ''
  child.stderr?.on('data', chunk => {
    written += chunk
  })
  return new Promise((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', chunk => {
      said += chunk
      // Lines about requests may follow the first one.
      const [line, ...more] = said.split('\n')
      if (line && more.length > 0) resolve(JSON.parse(line).url)
    })
    child.once('error', reject)
    child.once('close', code => reject(new Error(`It ended with ${code} before it was ready:\n${written}`)))
  })
}
