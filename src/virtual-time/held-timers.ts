import type FakeTimers from '@sinonjs/fake-timers'

/**
 * Tells whether a timer keeps the program alive. The library counts its timers after `unref()` too, so their handles are asked.
 * Replaces `setTimeout` and `setInterval` by functions that note the handles.
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
