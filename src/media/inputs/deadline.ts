import { setMaxListeners } from 'node:events'

/** A limit of wall time for some work, combined with an outer signal. */
export interface Deadline {
  /** Aborts with a TimeoutError when the time is over, and with the outer signal's reason when that aborts. */
  signal: AbortSignal
  /** Stops the timer. Call it when the work is finished. */
  end(): void
}

/**
 * Starts a deadline. The timer keeps the signal alive: a signal from `AbortSignal.any` of
 * `AbortSignal.timeout` may be garbage-collected before it fires.
 */
export function startDeadline(ms: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const stop = () => controller.abort(outer?.reason)
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`not done within ${ms} ms`, 'TimeoutError'))
  }, ms)
  if (outer?.aborted) stop()
  outer?.addEventListener('abort', stop, { once: true })
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', stop)
    },
  }
}

/** Aborts when the first of several signals does. The owner must keep it, and release it with `end`. */
export function eitherOf(signals: readonly (AbortSignal | undefined)[]): Deadline {
  const controller = new AbortController()
  const given = signals.filter(signal => signal !== undefined)
  // Each input of each request adds a listener, so a high number is not a leak.
  setMaxListeners(0, ...given)
  const stop = () => controller.abort(given.find(signal => signal.aborted)?.reason)
  for (const signal of given) signal.addEventListener('abort', stop, { once: true })
  if (given.some(signal => signal.aborted)) stop()
  return {
    signal: controller.signal,
    end() {
      for (const signal of given) signal.removeEventListener('abort', stop)
    },
  }
}
