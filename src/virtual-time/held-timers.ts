import type FakeTimers from '@sinonjs/fake-timers'

/**
 * Returns a function that says whether a timer keeps the program alive. The library also counts timers after `unref()`, so their
 * handles are asked: `setTimeout` and `setInterval` are replaced by functions that note them.
 */
export function followTimers(clock: ReturnType<typeof FakeTimers.install>): () => boolean {
  const handles = new Map<number, NodeJS.Timeout>()
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const tied = globalThis[name] as (...args: unknown[]) => NodeJS.Timeout
    const noting = (...args: unknown[]) => {
      const handle = tied(...args)
      handles.set(Number(handle), handle)
      return handle
    }
    globalThis[name] = Object.assign(noting, tied) as never
  }
  return () => {
    const { timers } = clock as unknown as { timers?: Map<number, unknown> }
    for (const id of handles.keys()) if (!timers?.has(id)) handles.delete(id)
    return [...handles.values()].some(handle => handle.hasRef())
  }
}
