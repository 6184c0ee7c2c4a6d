import type { ChildProcess } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'
import spawn from 'cross-spawn'
import kill from 'tree-kill'
import { UsageError } from '../../emulator/options.ts'
import type { Run } from './run.ts'

const mostOutput = 256 * 1024

/** A program with its arguments, its whole environment, and the folder in which it starts; absent: that of this process. */
export interface Start {
  program: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  folder?: string
}

/** Starts a program as a process group of its own. Rejects with UsageError when it cannot be started. */
export function startChild({ program, args, env, folder }: Start): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    // cross-spawn: on Windows npm and npx are scripts, which only a shell can start. The process group lets explore end all processes of the program.
    const child = spawn(program, args, {
      env,
      ...(folder !== undefined && { cwd: folder }),
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

/** What a child wrote up to now. The path of a state folder is another one in each case, so it stands there as `{state}`. */
export function outputOf(child: ChildProcess): (state?: string) => Pick<Run, 'output' | 'errors'> {
  let output = ''
  let errors = ''
  const both = [new StringDecoder(), new StringDecoder()] as const
  child.stdout?.on('data', (chunk: Buffer) => {
    output = (output + both[0].write(chunk)).slice(-mostOutput)
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    const text = both[1].write(chunk)
    output = (output + text).slice(-mostOutput)
    errors = (errors + text).slice(-mostOutput)
  })
  return (state?: string) => ({ output: plain(output, state), errors: plain(errors, state) })
}

/** Without colours, and with one kind of line end: a page of a proxy has those of Windows, and a progress bar writes over its line. */
function plain(text: string, state: string | undefined): string {
  const written = stripVTControlCharacters(text).replaceAll(/\r+\n?/g, '\n')
  return state === undefined ? written : written.replaceAll(state, '{state}')
}

/** Sends a signal to a program and its process group. */
export function endGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
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
