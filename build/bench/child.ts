import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'

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
  return whenReady(name, child, child.stdout)
}

/** Waits for the ready line in what a server writes. */
async function whenReady(name: string, child: ChildProcess, output: Readable): Promise<ServerChild> {
  const { url, pid = child.pid } = await new Promise<{ url: string; pid?: number }>((resolve, reject) => {
    let text = ''
    output.on('data', chunk => {
      if (text.length < 65_536) text += chunk
      const line = /\{"event":"ready".*\}/.exec(text)?.[0]
      if (line) resolve(JSON.parse(line))
      // A terminal shows a greeting, which does not name the process.
      const greeted = /is ready at (http\S+)/.exec(text)?.[1]
      if (greeted) resolve(ownWords(greeted))
    })
    child.once('exit', code => reject(new Error(`${name} ended with ${code} before it was ready`)))
  })
  return {
    name,
    url,
    child,
    cpuSeconds() {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
    },
    memoryMb: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    stop: () =>
      new Promise(resolve => {
        child.once('exit', () => resolve())
        if (pid !== undefined) process.kill(pid, 'SIGTERM')
      }),
  }
}

/** What a server says of itself. */
async function ownWords(url: string): Promise<{ url: string; pid: number }> {
  const health = await fetch(`${url}/__emulator/health`)
  const { pid } = (await health.json()) as { pid: number }
  return { url, pid }
}

const standing = 'dist/main.js --port 0 --clock manual'

/** Starts the built emulator with a clock that stands still and no line for each request. */
export function startEmulator(): Promise<ServerChild> {
  return startServer('emulator', `${standing} --log json --request-log off`.split(' '))
}

/**
 * The same with a line for each request, to a pipe or a terminal that is read, or to a file, in the form that each gets by itself. A program
 * of its own reads the lines: the one that sends the requests would send fewer meanwhile, and a server with less to do takes longer for each.
 */
export function startLogging(to: 'pipe' | 'file' | 'terminal'): Promise<ServerChild> {
  const command = `exec '${process.execPath}' ${standing}${to === 'terminal' ? '' : ' --log json'}`
  const shown = {
    pipe: `exec 3>&1; (${command}) | ${firstLines}`,
    // A file that has no name any more.
    file: `f=$(mktemp); exec 3>&1 4<"$f" 5>"$f"; rm "$f"; (${command}) >&5 & until read -r line <&4; do sleep 0.1; done; echo "$line" >&3; wait`,
    terminal: `exec 3>&1; script -qefc "${command}" /dev/null | ${firstLines}`,
  }[to]
  const child = spawn('sh', ['-c', shown], { stdio: ['pipe', 'pipe', 'inherit'] })
  return whenReady(`log to a ${to}`, child, child.stdout)
}

/** Copies what a server says until it is ready, and reads the rest. */
const firstLines =
  '{ while read -r line; do echo "$line" >&3; case $line in *ready*) break; esac; done; exec cat >/dev/null; }'

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
