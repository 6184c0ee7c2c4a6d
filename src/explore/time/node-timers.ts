import childProcess, { type ChildProcess } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import promises from 'node:timers/promises'
import { promisify } from 'node:util'
import { withoutStack } from './limits.ts'

type Waiting = { signal?: AbortSignal; ref?: boolean }

/** As they are before the fake clock replaces them. */
const real = {
  promises: { ...promises },
  hrtime: process.hrtime.bigint(),
  uptime: process.uptime(),
  now: performance.now(),
}

/**
 * Ties what Node times by itself and a fake clock does not reach to the program's `setTimeout` and steady clock. What stays on wall time,
 * and why, is listed in `test/explore/node-timers.test.ts`.
 */
export function tieNodeTimers(): void {
  tieTimerPromises()
  tieAbortSignals()
  tieChildren()
  const fake = process.hrtime.bigint
  const sinceStartMs = () => Number(fake()) / 1e6
  tieSteadyClock(() => real.hrtime + fake())
  process.uptime = () => real.uptime + sinceStartMs() / 1000
  tiePerformance(() => real.now + sinceStartMs())
  // Programs import these by name.
  syncBuiltinESMExports()
}

/** `process.hrtime` goes on from where it was, since Node itself subtracts moments of before. */
function tieSteadyClock(ns: () => bigint): void {
  const hrtime = (before?: [number, number]): [number, number] => {
    const passed = ns() - (before ? BigInt(before[0]) * 1_000_000_000n + BigInt(before[1]) : 0n)
    const seconds = passed / 1_000_000_000n
    return [Number(seconds), Number(passed - seconds * 1_000_000_000n)]
  }
  process.hrtime = Object.assign(hrtime, { bigint: ns })
}

/** All of `node:timers/promises` that waits, and `util.promisify(setTimeout)`. */
function tieTimerPromises(): void {
  /** Node's own error for an aborted signal, and for arguments that it refuses. */
  const refused = (ms?: number, options?: Waiting): Promise<never> =>
    real.promises.setTimeout(ms, undefined, options) as Promise<never>
  const sleep = <T>(ms?: number, value?: T, options: Waiting = {}): Promise<T> => {
    if (!isWaiting(ms, options)) return refused(ms, options)
    return new Promise((resolve, reject) => {
      const { signal, ref } = options
      const stop = () => {
        clearTimeout(timer)
        refused(ms, options).catch(reject)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve(value as T)
      }, ms)
      if (ref === false) timer.unref()
      signal?.addEventListener('abort', stop, { once: true })
    })
  }
  async function* every<T>(ms?: number, value?: T, options: Waiting = {}): AsyncGenerator<T> {
    if (!isWaiting(ms, options)) await refused(ms, options)
    const { signal, ref } = options
    let due = 0
    let wake = () => {}
    const timer = setInterval(() => {
      due += 1
      wake()
    }, ms)
    if (ref === false) timer.unref()
    const stop = () => wake()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      for (;;) {
        if (due === 0 && !signal?.aborted)
          await new Promise<void>(resolve => {
            wake = resolve
          })
        for (; due > 0; due--) yield value as T
        if (signal?.aborted) await refused(ms, options)
      }
    } finally {
      clearInterval(timer)
      signal?.removeEventListener('abort', stop)
    }
  }
  const wait = (ms: number, options?: Waiting) => sleep(ms, undefined, options)
  Object.assign(promises, { setTimeout: sleep, setInterval: every })
  Object.defineProperty(promises.scheduler, 'wait', { value: wait, configurable: true, writable: true })
  for (const make of [globalThis.setTimeout, timers.setTimeout])
    Object.defineProperty(make, promisify.custom, { value: sleep, configurable: true })
}

/** Whether Node waits with these arguments; else it throws. */
function isWaiting(ms: unknown, options: Waiting | null): boolean {
  if (!['number', 'undefined'].includes(typeof ms) || typeof options !== 'object' || options === null)
    return false
  const { signal, ref } = options
  return (
    (signal === undefined || (isOptions(signal) && 'addEventListener' in signal && !signal.aborted)) &&
    (ref === undefined || typeof ref === 'boolean')
  )
}

function tieAbortSignals(): void {
  const { timeout } = AbortSignal
  AbortSignal.timeout = ms => {
    // Node's own error for a delay that it refuses.
    if (!Number.isSafeInteger(ms) || ms < 0) return timeout.call(AbortSignal, ms)
    const controller = new AbortController()
    const abort = () => {
      const why = 'The operation was aborted due to timeout'
      controller.abort(withoutStack(() => new DOMException(why, 'TimeoutError')))
    }
    setTimeout(abort, ms).unref()
    return controller.signal
  }
}

type Start = (...args: unknown[]) => ChildProcess
type Ended = (error: Error | null, stdout: unknown, stderr: unknown) => void

/** The option `timeout` of child processes. While one runs, time passes as fast as wall time, or as fast as the child sleeps. */
function tieChildren(): void {
  const module = childProcess as unknown as Record<'spawn' | 'fork' | 'execFile' | 'exec', Start>
  const withLimit = (start: Start, onLimit: (child: ChildProcess) => void): Start => {
    const limited: Start = (...args) => {
      const at = args.findIndex((arg, i) => i > 0 && isOptions(arg))
      const { timeout, ...options } = (args[at] ?? {}) as { timeout?: number; killSignal?: NodeJS.Signals }
      // What Node refuses, it refuses itself.
      if (!Number.isSafeInteger(timeout) || !(Number(timeout) > 0)) return start(...args)
      const child = start(...args.with(at, options))
      const end = () => {
        onLimit(child)
        child.kill(options.killSignal)
      }
      const timer = setTimeout(end, timeout)
      for (const event of ['exit', 'error']) child.once(event, () => clearTimeout(timer))
      return child
    }
    return limited
  }
  for (const name of ['spawn', 'fork'] as const) module[name] = withLimit(module[name], () => {})
  // `exec` calls the `execFile` of the module.
  module.execFile = withLimit(module.execFile, ({ stdout, stderr }) => {
    stdout?.destroy()
    stderr?.destroy()
  })
  const value = (...args: unknown[]) => {
    let child: ChildProcess | undefined
    const result = new Promise((resolve, reject) => {
      const ended: Ended = (error, stdout, stderr) =>
        error ? reject(Object.assign(error, { stdout, stderr })) : resolve({ stdout, stderr })
      child = module.execFile(...args, ended)
    })
    return Object.assign(result, { child })
  }
  Object.defineProperty(module.execFile, promisify.custom, { value })
}

function isOptions(arg: unknown): boolean {
  return typeof arg === 'object' && arg !== null && !Array.isArray(arg)
}

/** The global `performance` and that of `node:perf_hooks`. What it says of the machine (event loop, functions) stays in wall time. */
function tiePerformance(now: () => number): void {
  type Given = string | Record<string, unknown>
  type Measure = (name: string, from?: Given, to?: string) => unknown
  const { mark, toJSON } = performance
  const measure = performance.measure as Measure
  const tied = {
    now,
    timeOrigin: Date.now() - now(),
    mark: (name: string, options?: object) => mark.call(performance, name, { startTime: now(), ...options }),
    measure(name: string, from: Given = {}, to?: string) {
      const options = typeof from === 'object' ? from : { start: from }
      const hasEnd = to !== undefined || options?.end !== undefined || options?.duration !== undefined
      return measure.call(performance, name, ...(hasEnd ? [from, to] : [{ ...options, end: now() }]))
    },
    toJSON: () => ({ ...toJSON.call(performance), timeOrigin: performance.timeOrigin }),
  }
  for (const [name, value] of Object.entries(tied))
    Object.defineProperty(performance, name, { value, configurable: true, writable: true, enumerable: true })
}
