import childProcess from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'

/** The time that passes while the program keeps its only thread: it looks at the clock again and again, or blocks itself. */
export interface BusyTime {
  /** Such time of which the world does not know yet, virtual ms. */
  passedMs(): number
  /** The same; from now on the world knows of it. */
  takePassed(): number
}

/**
 * So many looks at the clock take a millisecond, so that a loop that waits for a moment comes to an end. A program that does the least work
 * between two looks, such as to write a line, needs at least as long for them in wall time, so that no limit of its own comes early.
 */
const looksPerMs = 1000

/** Lets such time pass on the clock. `wallNow` reads the real steady clock. */
export function followBusyTime(clock: { now: number }, wallNow: () => number): BusyTime {
  let { now } = clock
  let looks = 0
  let passed = 0
  const pass = (ms: number) => {
    now += ms
    passed += ms
  }
  Object.defineProperty(clock, 'now', {
    get() {
      looks += 1
      if (looks % looksPerMs === 0) pass(1)
      return now
    },
    // A timer that is overdue does not take the clock back.
    set(value: number) {
      now = Math.max(now, value)
    },
  })
  const inWallTime = <T>(block: () => T): T => {
    const began = wallNow()
    try {
      return block()
    } finally {
      pass(Math.round(wallNow() - began))
    }
  }
  blockByAtomics(pass, inWallTime)
  for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const) {
    const real = childProcess[name] as (...args: unknown[]) => unknown
    Object.assign(childProcess, { [name]: (...args: unknown[]) => inWallTime(() => real(...args)) })
  }
  syncBuiltinESMExports()
  return {
    passedMs: () => passed,
    takePassed() {
      const ms = passed
      passed = 0
      return ms
    },
  }
}

/** `Atomics.wait` and `Atomics.waitAsync` are sleeps where no other thread can end it; else the threads have their own time. */
function blockByAtomics(pass: (ms: number) => void, inWallTime: <T>(block: () => T) => T): void {
  let isAlone = isMainThread
  subscribe('worker_threads', () => {
    isAlone = false
  })
  const wait = Atomics.wait as (
    ...args: [Int32Array, number, number, number?]
  ) => ReturnType<typeof Atomics.wait>
  Atomics.wait = ((array: Int32Array, index: number, value: number, ms = Number.POSITIVE_INFINITY) => {
    if (!isAlone || !(ms < Number.POSITIVE_INFINITY)) return inWallTime(() => wait(array, index, value, ms))
    const woken = wait(array, index, value, 0)
    if (woken === 'timed-out') pass(Math.max(0, ms))
    return woken
  }) as typeof Atomics.wait
  const atomics = Atomics as unknown as { waitAsync: WaitAsync }
  const { waitAsync } = atomics
  atomics.waitAsync = (array, index, value, ms = Number.POSITIVE_INFINITY) => {
    if (!isAlone || !(ms > 0 && ms < Number.POSITIVE_INFINITY)) return waitAsync(array, index, value, ms)
    const waiter = waitAsync(array, index, value)
    return waiter.async
      ? { async: true, value: timedOut(waiter.value, ms, () => Atomics.notify(array, index, 1)) }
      : waiter
  }
}

type WaitAsync = (
  ...args: [Int32Array, number, number, number?]
) => { async: true; value: Promise<string> } | { async: false; value: string }

/** A waiter that has timed out cannot be taken back: `handOn` gives the notification that it gets later to the next one. */
function timedOut(woken: Promise<string>, ms: number, handOn: () => void): Promise<string> {
  return new Promise(resolve => {
    let isOver = false
    const timer = setTimeout(() => {
      isOver = true
      resolve('timed-out')
    }, ms).unref()
    void woken.then(outcome => {
      clearTimeout(timer)
      if (isOver) handOn()
      resolve(outcome)
    })
  })
}
