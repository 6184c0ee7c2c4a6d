import { syncBuiltinESMExports } from 'node:module'
import promises from 'node:timers/promises'
import type FakeTimers from '@sinonjs/fake-timers'

type Handle = Pick<NodeJS.Timeout, 'hasRef' | 'unref'>
type Make = (...args: unknown[]) => Handle
interface Clock {
  setTimeout: Make
  setInterval: Make
  timers?: Map<number, unknown>
}

/**
 * Returns a function that says whether a timer keeps the program alive. The library also counts timers after `unref()`, so their
 * handles are noted and asked. The global functions, node:timers and node:timers/promises all use the functions of the clock. A
 * timer without a handle, from util.promisify(setTimeout), always keeps the program alive. `onTimer` is called for each new timer.
 */
export function followTimers(
  installed: ReturnType<typeof FakeTimers.install>,
  onTimer: () => void,
): () => boolean {
  const clock = installed as unknown as Clock
  const handles = new Map<number, Handle>()
  let newest: Handle | undefined
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const make = clock[name]
    const noting: Make = (...args) => {
      onTimer()
      newest = make(...args)
      handles.set(Number(newest), newest)
      return newest
    }
    clock[name] = Object.assign(noting, make)
  }
  honourRef(() => newest?.unref())
  return () => {
    const waiting = [...(clock.timers?.keys() ?? [])]
    for (const id of handles.keys()) if (!clock.timers?.has(id)) handles.delete(id)
    return waiting.some(id => handles.get(id)?.hasRef() ?? true)
  }
}

/** The library ignores the option `ref` of the `setTimeout` of node:timers/promises. `release` acts on the timer that was just made. */
function honourRef(release: () => void): void {
  const sleep = promises.setTimeout
  promises.setTimeout = ((ms, value, options) => {
    const slept = sleep(ms, value, options)
    if (options?.ref === false) release()
    return slept
  }) as typeof sleep
  // Programs import it by name.
  syncBuiltinESMExports()
}
