import { createServer } from 'node:net'
import { threadId } from 'node:worker_threads'
import { type Part, portsIn, type System } from './system.ts'

/** Ports below those from which systems take one for each connection that goes out. */
const lowest = 18_000
const highest = 32_000

/** The ports of all cases that are open: whoever asks for one is never given another's. */
const taken = new Set<number>()
/**
 * The port that is tried next: one that was given back is not given again at once. Processes and threads that explore at the same time, such
 * as workers of a test runner, begin far from each other.
 */
let next = lowest + ((process.pid * 101 + threadId * 1009) % (highest - lowest))

export interface Ports {
  /** What `{port.NAME}` means in a part: `port.NAME`, and the number as text. Of several services with one name each has its own, and all others mean the first one. */
  of(part: string): Record<string, string>
  close(): void
}

/** A free port for each name that a system has. No two cases of this process have the same one at a time. */
export async function openPorts(system: System): Promise<Ports> {
  const names = portsIn(textsOf(system))
  const ownersOf = (name: string) => {
    const [service = ''] = name.split('.')
    return system.services.filter(({ of }) => of === service).map(one => one.name)
  }
  const numbers = new Map<string, number>()
  for (const name of names)
    for (const owner of ownersOf(name)) numbers.set(`${owner} ${name}`, await freePort())
  return {
    of(part) {
      const entries = names.map(name => {
        const owners = ownersOf(name)
        const owner = owners.includes(part) ? part : owners[0]
        return [`port.${name}`, String(numbers.get(`${owner} ${name}`))]
      })
      return Object.fromEntries(entries)
    },
    close() {
      for (const port of numbers.values()) taken.delete(port)
    },
  }
}

function textsOf({ services, prepare, driver, check }: System): string[] {
  const parts: Part[] = [...services, driver, ...(prepare ? [prepare] : []), ...(check ? [check] : [])]
  const urls = services.flatMap(({ ready }) => (ready?.kind === 'url' ? [ready.url] : []))
  return [
    ...urls,
    ...parts.flatMap(({ command, environment }) => [...command, ...Object.values(environment)]),
  ]
}

async function freePort(): Promise<number> {
  for (let tries = 0; tries < highest - lowest; tries++) {
    const port = next
    next = port + 1 < highest ? port + 1 : lowest
    if (taken.has(port)) continue
    taken.add(port)
    if (await isFree(port)) return port
    taken.delete(port)
  }
  throw new Error(`no port from ${lowest} to ${highest - 1} is free`)
}

/** Whether a port is free at all addresses of this machine. */
export function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}
