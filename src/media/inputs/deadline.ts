import { setMaxListeners } from 'node:events'

/** A limit of time for work that waits for another program, combined with an outer signal. */
export interface Deadline {
  /** Aborts with a TimeoutError when the time is over or nothing was heard for too long, and with the outer signal's reason when that aborts. */
  signal: AbortSignal
  /** Something came from the other program. */
  heard(): void
  /** Stops the timer. Call it when the work is finished. */
  end(): void
}

export interface Patience {
  /** For the whole work, ms. */
  wholeMs: number
  /** From one sign of the other program to the next, ms. */
  silentMs: number
}

const longestStepMs = 100

/**
 * Starts a deadline. It counts the steps of its own timer: while this process has no processor the steps come late, and that time
 * is not counted, because what the other program has sent could not be read. The timer also keeps the signal alive: one of
 * `AbortSignal.timeout` may be garbage-collected before it fires.
 */
export function startDeadline({ wholeMs, silentMs }: Patience, outer?: AbortSignal): Deadline {
  const controller = new AbortController()
  const stop = () => controller.abort(outer?.reason)
  const stepMs = Math.min(longestStepMs, silentMs / 10, wholeMs / 10)
  let leftMs = wholeMs
  let silenceLeftMs = silentMs
  const timer = setInterval(() => {
    leftMs -= stepMs
    silenceLeftMs -= stepMs
    const what = leftMs <= 0 ? `not done within ${wholeMs} ms` : `nothing heard for ${silentMs} ms`
    if (leftMs <= 0 || silenceLeftMs <= 0) controller.abort(new DOMException(what, 'TimeoutError'))
  }, stepMs)
  if (outer?.aborted) stop()
  outer?.addEventListener('abort', stop, { once: true })
  return {
    signal: controller.signal,
    heard() {
      silenceLeftMs = silentMs
    },
    end() {
      clearInterval(timer)
      outer?.removeEventListener('abort', stop)
    },
  }
}

/** Aborts when the first of several signals does. The owner must keep it, and release it with `end`. */
export function eitherOf(signals: readonly (AbortSignal | undefined)[]): Omit<Deadline, 'heard'> {
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
