import type { Exit, RunOptions } from './run.ts'

/** The most that a run may take in place of one limit. */
export const mostLimits = 10

/** How often a run past its limit is looked at, in limits. */
const step = 0.25

/**
 * Calls `over` when the limit of a run has passed, or when it no longer goes on towards a moment of its own time that will show whether it
 * ever ends: a slow machine must not decide that. After ten limits it is over in any case. Returns a function that stops the watch.
 */
export function watchLimit(
  { limitMs, goesOn }: Pick<RunOptions, 'limitMs' | 'goesOn'>,
  over: (exit: Exit) => void,
): () => void {
  let isStopped = false
  let timer: NodeJS.Timeout
  const look = async (limits: number) => {
    const isAllowed = limits < mostLimits && (await goesOn?.().catch(() => false))
    if (isStopped) return
    if (isAllowed) timer = setTimeout(() => void look(limits + step), limitMs * step)
    else over({ kind: 'limit', ms: limitMs * limits, ...(limits > 1 && { limits }) })
  }
  timer = setTimeout(() => void look(1), limitMs)
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
