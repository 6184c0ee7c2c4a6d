import childProcess from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import type { EventEmitter } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { Server } from 'node:net'
import { isMainThread } from 'node:worker_threads'

/** When this process was started, as Linux shows it; `-` elsewhere. A tied program reads no file of this package for it. */
export function startOfProcess(): string {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-'
  } catch {
    return '-'
  }
}

/**
 * Whether a thread of this process beside that of the program runs: then it compresses, hashes or compiles for it. Only Linux tells it. With
 * workers the threads cannot be told from one another; each worker says itself when it waits.
 */
export function followThreads(): () => boolean {
  let isAlone = isMainThread && process.platform === 'linux'
  followWorkers(() => {
    isAlone = false
  })
  const own = String(process.pid)
  /** By thread, a descriptor of its state: to open it costs more than to read it. */
  const states = new Map<string, number>()
  const part = Buffer.alloc(400)
  const runs = (thread: string) => {
    const known = states.get(thread)
    try {
      const file = known ?? openSync(`/proc/self/task/${thread}/stat`, 'r')
      states.set(thread, file)
      const stat = part.toString('latin1', 0, readSync(file, part, 0, part.length, 0))
      return /^[RD]/.test(stat.slice(stat.lastIndexOf(')') + 2))
    } catch {
      // It has ended.
      states.delete(thread)
      if (known !== undefined) closeSync(known)
      return false
    }
  }
  /** The one that was last seen to run: while it goes on, the others need no look. */
  let runner: string | undefined
  const anyRuns = () => {
    if (runner !== undefined && runs(runner)) return true
    runner = readdirSync('/proc/self/task').find(thread => thread !== own && runs(thread))
    return runner !== undefined
  }
  return () => isAlone && anyRuns()
}

/**
 * Calls back for each worker that the program starts. Node starts one of its own for hooks of `module.register`, such as those of tsx and
 * Playwright: it loads no module before them, so it is never tied, and works only for the program.
 */
export function followWorkers(act: (worker: EventEmitter) => void): void {
  subscribe('worker_threads', message => {
    const { worker } = message as { worker: EventEmitter }
    if (worker.constructor.name !== 'InternalWorker') act(worker)
  })
}

/** Calls back before a child process is started, and when none lives any more; `tell` does so if that is the case. */
export function followChildren({ onBirth, onNone }: { onBirth(): void; onNone(): void }): { tell(): void } {
  const { prototype } = childProcess.ChildProcess as unknown as {
    prototype: childProcess.ChildProcess & { spawn(...args: unknown[]): unknown }
  }
  const { spawn } = prototype
  let living = 0
  const tell = () => {
    if (living === 0) onNone()
  }
  prototype.spawn = function (this: childProcess.ChildProcess, ...args: unknown[]) {
    onBirth()
    living++
    const end = () => {
      living--
      tell()
    }
    try {
      return spawn.apply(this, args)
    } finally {
      if (this.pid === undefined) end()
      else this.once('exit', end)
    }
  }
  return { tell }
}

/** Calls back for each port at which this process listens. */
export function followPorts(tell: (port: number) => void): void {
  const { prototype } = Server as unknown as { prototype: Server }
  const { listen } = prototype as unknown as { listen(...args: unknown[]): Server }
  Object.assign(prototype, {
    listen(this: Server, ...args: unknown[]) {
      this.prependOnceListener('listening', () => {
        const address = this.address()
        if (typeof address === 'object' && address) tell(address.port)
      })
      return listen.apply(this, args)
    },
  })
}
