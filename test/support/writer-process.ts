import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { bundled } from './bundled.ts'

let program: Promise<string> | undefined

/** Starts a process of `database-writer.ts`; resolves when it has opened the directory. `lines` is its output so far. */
export async function startWriter(dir: string, round: string, mode: 'fsync' | 'plain') {
  program ??= bundled('database-writer.ts')
  const child = spawn(process.execPath, [await program, dir, round, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout }).on('line', line => lines.push(line))
  const over = endOf(child)
  over.catch(() => undefined) // Expected when it is killed; the code below rejects the promises that still wait for lines.
  const saidAtLeast = async (count: number) => {
    while (lines.length < count) await Promise.race([once(reader, 'line'), over])
  }
  await saidAtLeast(1)
  return { pid: Number(lines[0]?.split(' ')[1]), lines, saidAtLeast, kill: () => kill(child) }
}

async function endOf(child: ChildProcess): Promise<never> {
  await once(child, 'exit')
  throw new Error(`the writer ended early with ${child.exitCode ?? child.signalCode}`)
}

/** kill -9; resolves when the writer's output has been read. */
async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}
