import type FakeTimers from '@sinonjs/fake-timers'

type Handle = Pick<NodeJS.Timeout, 'hasRef'>
type Make = (...args: unknown[]) => Handle
interface Clock {
  setTimeout: Make
  setInterval: Make
  clearTimeout(timer: unknown): void
  clearInterval(timer: unknown): void
  timers?: Map<number, unknown>
}

/**
 * Returns a function that says whether a timer keeps the program alive. The library also counts timers after `unref()`, so their
 * handles are noted and asked. The global functions and those of node:timers use the functions of the clock. `onTimer` is called for each
 * new timer, and `onClear` when one was stopped.
 */
export function followTimers(
  installed: ReturnType<typeof FakeTimers.install>,
  { onTimer, onClear }: { onTimer(): void; onClear(): void },
): () => boolean {
  const clock = installed as unknown as Clock
  const handles = new Map<number, Handle>()
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const make = clock[name]
    const noting: Make = (...args) => {
      onTimer()
      const timer = make(...args)
      handles.set(Number(timer), timer)
      const close = () => {
        clock.clearTimeout(timer)
        return timer
      }
      return Object.assign(timer, { close, [Symbol.dispose]: close })
    }
    clock[name] = Object.assign(noting, make)
  }
  for (const name of ['clearTimeout', 'clearInterval'] as const) {
    const clear = clock[name]
    clock[name] = timer => {
      clear(timer)
      onClear()
    }
  }
  return () => {
    const waiting = [...(clock.timers?.keys() ?? [])]
    for (const id of handles.keys()) if (!clock.timers?.has(id)) handles.delete(id)
    return waiting.some(id => handles.get(id)?.hasRef() ?? true)
  }
}
