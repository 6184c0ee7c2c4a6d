import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'

/** The result of a program that ended. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** What a program has said so far, and how it ends. */
export function heard(child: ChildProcess) {
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', text => {
      said[name] += text
    })
  const ended = once(child, 'close').then(([code]): Ended => ({ code, ...said }))
  /** The first line, once it is complete; rejects with its errors when it ends before. */
  const firstLine = async () => {
    const tooSoon = ended.then(({ code, stderr }) => {
      throw new Error(`It ended with ${code} before it was ready:\n${stderr}`)
    })
    while (!said.stdout.includes('\n') && child.stdout)
      await Promise.race([once(child.stdout, 'data'), tooSoon])
    return said.stdout.split('\n')[0] ?? ''
  }
  return { ended, firstLine }
}

/** Runs a program to its end; never rejects for its exit code. */
export async function run(program: string, args: string[], options: SpawnOptions = {}): Promise<Ended> {
  return await heard(spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })).ended
}

/** Starts a program that prints `{"event":"ready","url":…}`; rejects with its output when it ends before. */
export async function serve(program: string, args: string[], options: SpawnOptions = {}) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const { ended, firstLine } = heard(child)
  const { url } = JSON.parse(await firstLine()) as { url: string }
  return {
    url,
    async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
      child.kill(signal)
      await ended
    },
  }
}
