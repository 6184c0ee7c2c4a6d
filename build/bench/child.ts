import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A server in a process of its own. */
export interface ServerChild {
  name: string
  url: string
  child: ChildProcess
  /** Processor seconds that it has used so far. */
  cpuSeconds(): number
  /** Resident memory, megabytes. */
  memoryMb(): number
  stop(): Promise<void>
}

const ticksPerSecond = 100

/** As in the container image: with an arena for each thread the C library keeps freed memory, which looks like a leak. */
export const fewArenas = { MALLOC_ARENA_MAX: '2' }

/** Starts `node` with these arguments and waits for its ready line. */
export async function startServer(
  name: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<ServerChild> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', chunk => {
      text += chunk
      const line = /\{"event":"ready".*\}/.exec(text)?.[0]
      if (line) resolve(JSON.parse(line).url)
    })
    child.once('exit', code => reject(new Error(`${name} ended with ${code} before it was ready`)))
  })
  return {
    name,
    url,
    child,
    cpuSeconds() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
    },
    memoryMb: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    stop: () =>
      new Promise(resolve => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

/** Starts the built emulator with a clock that stands still and no line for each request. */
export function startEmulator(): Promise<ServerChild> {
  const words = 'dist/main.js --port 0 --clock manual --log json --request-log off'
  return startServer('emulator', words.split(' '))
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
