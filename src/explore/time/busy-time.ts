import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

/** How a thread waits that does not return to its event loop. */
export interface SyncWaits {
  /** Calls a function that blocks the thread until another process has done something. */
  blocked<T>(block: () => T): T
  /** The same with one that starts a child process and waits for its end. */
  withChild<T>(start: () => T): T
  /**
   * Blocks the thread until a moment, virtual ms, or until `attempt` gives a value; it may block for so many wall ms. False where that is not
   * possible: then nothing has happened.
   */
  until<T>(at: number, attempt: (wallMs: number) => T | undefined): { value: T | undefined } | false
}

/**
 * So many looks at the clock take a millisecond, so that a loop that waits for a moment comes to an end. A program that does the least work
 * between two looks, such as to write a line, needs at least as long for them in wall time, so that no limit of its own comes early.
 */
const looksPerMs = 1000

/**
 * Lets the time of looks pass on the clock, and ties what blocks the thread. `onLook` is called before each look. Returns the time without a
 * look: how often this package reads it depends on the machine.
 */
export function followBusyTime(clock: { now: number }, waits: SyncWaits & { onLook(): void }): () => number {
  let { now } = clock
  let looks = 0
  Object.defineProperty(clock, 'now', {
    get() {
      waits.onLook()
      looks += 1
      if (looks % looksPerMs === 0) now += 1
      return now
    },
    // A timer that is overdue does not take the clock back.
    set(value: number) {
      now = Math.max(now, value)
    },
  })
  tieAtomics(waits, ms => {
    now += ms
  })
  for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const) {
    const real = childProcess[name] as (...args: unknown[]) => unknown
    Object.assign(childProcess, { [name]: (...args: unknown[]) => waits.withChild(() => real(...args)) })
  }
  syncBuiltinESMExports()
  return () => now
}

function tieAtomics(waits: SyncWaits, pass: (ms: number) => void): void {
  const wait = Atomics.wait as Wait
  Atomics.wait = ((array, index, value, ms = Number.POSITIVE_INFINITY) => {
    const first = wait(array, index, value, 0)
    if (first !== 'timed-out' || !(ms > 0)) return first
    const attempt = (wallMs: number) => {
      const woken = wait(array, index, value, wallMs)
      // Another value than before means that it was changed and told.
      return woken === 'timed-out' ? undefined : 'ok'
    }
    const slept = waits.until(Date.now() + ms, attempt)
    if (slept) return slept.value ?? 'timed-out'
    if (ms === Number.POSITIVE_INFINITY) return waits.blocked(() => wait(array, index, value))
    pass(ms)
    return 'timed-out'
  }) as Wait as typeof Atomics.wait
  const atomics = Atomics as unknown as { waitAsync: WaitAsync }
  const { waitAsync } = atomics
  atomics.waitAsync = (array, index, value, ms = Number.POSITIVE_INFINITY) => {
    if (!(ms > 0 && ms < Number.POSITIVE_INFINITY)) return waitAsync(array, index, value, ms)
    const waiter = waitAsync(array, index, value)
    return waiter.async
      ? { async: true, value: timedOut(waiter.value, ms, () => Atomics.notify(array, index, 1)) }
      : waiter
  }
}

type Wait = (...args: [Int32Array, number, number, number?]) => ReturnType<typeof Atomics.wait>

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
