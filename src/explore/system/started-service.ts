import type { ChildProcess } from 'node:child_process'
import { endGroup, outputOf, type Start, startChild } from '../run/child.ts'
import { killTree } from '../run/process-tree.ts'
import type { Exit } from '../run/run.ts'

/** A process of a system that was started. */
export interface Started {
  child: ChildProcess
  /** What it wrote up to now. `state` is the folder of the case. */
  output(state?: string): { output: string; errors: string }
  /** How it ended; undefined while it runs. */
  exit(): Exit | undefined
  ended: Promise<Exit>
}

/** Starts a process of a system. Rejects with UsageError when it cannot be started. */
export async function startPart(start: Start): Promise<Started> {
  const child = await startChild(start)
  const output = outputOf(child)
  let exit: Exit | undefined
  const ended = new Promise<Exit>(resolve => {
    child.once('exit', (code, signal) => {
      exit = signal ? { kind: 'signal', signal } : { kind: 'ended', code: code ?? 0 }
      resolve(exit)
    })
  })
  return { child, output, exit: () => exit, ended }
}

/** Resolves when it has ended and its output is read, but not later than so many wall ms after its end. */
export function isRead({ child }: Started, ms: number): Promise<void> {
  if (child.stdout?.readableEnded !== false && child.stderr?.readableEnded !== false) return Promise.resolve()
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    child.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Ends a process, kindly first: a database then leaves nothing behind. */
export async function endKindly({ child, exit, ended }: Started, ms: number): Promise<void> {
  if (exit() === undefined) {
    endGroup(child, 'SIGTERM')
    const late = setTimeout(() => endGroup(child, 'SIGKILL'), ms)
    await ended
    clearTimeout(late)
  }
  endGroup(child, 'SIGKILL')
}

/** Kills a process with all below it, at once. */
export async function killPart({ child, exit, ended }: Started): Promise<void> {
  if (exit() !== undefined) return
  await killTree(child.pid ?? 0)
  await ended
}
