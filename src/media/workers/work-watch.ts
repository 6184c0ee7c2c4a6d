import { GivenUp } from '../given-up.ts'
import { type Load, loadOf } from './process-group.ts'

/** Limits of one job, in ms. */
export interface WorkLimits {
  /** Time in which none of its processes uses a processor or wants one. */
  stillMs: number
  /** Processor time of all its processes. The largest video (4k, 30 s) takes less than a tenth. */
  cpuMs: number
  /** Time on the clock, only where the system does not tell what processes do (all but Linux). */
  clockMs: number
}

export const standardLimits: WorkLimits = { stillMs: 10_000, cpuMs: 600_000, clockMs: 300_000 }

/** How often a job is looked at before it counts as still. A node process wakes up now and then, also when it only waits. */
const looks = 10
const fewestAtWork = 2
/** Part of a processor. */
const stillLoad = 0.01

/**
 * Watches a job that a worker and the processes below it do, and calls `giveUp` once with the reason when it will not end: it stands
 * still, for example because ffmpeg hangs, or never ends. How long others use the processors does not count. Returns the end of watching.
 */
export function watchWork(
  leader: number,
  { stillMs, cpuMs, clockMs }: WorkLimits,
  giveUp: (reason: Error) => void,
): () => void {
  const seen: Load[] = []
  const stepMs = stillMs / looks
  const cpuBefore = loadOf(leader)?.cpuMs ?? 0
  let passedMs = 0
  const timer = setInterval(() => {
    passedMs += stepMs
    const reason = reasonNow()
    if (!reason) return
    clearInterval(timer)
    giveUp(reason)
  }, stepMs).unref()

  const reasonNow = () => {
    const load = loadOf(leader)
    if (!load)
      return passedMs > clockMs ? new GivenUp(`the work was not done within ${clockMs / 1000} s`) : undefined
    seen.push(load)
    const usedMs = load.cpuMs - cpuBefore
    if (usedMs > cpuMs) return new Error(`the work took more than ${cpuMs / 1000} s of processor time`)
    if (seen.length <= looks) return undefined
    const first = seen.shift() ?? load
    const isStill =
      load.cpuMs - first.cpuMs < stillMs * stillLoad &&
      seen.filter(({ isAtWork }) => isAtWork).length < fewestAtWork
    return isStill
      ? new GivenUp(`the work stood still for ${stillMs / 1000} s, as when ffmpeg hangs`)
      : undefined
  }
  return () => clearInterval(timer)
}

/** Whether processes stood still in this time: they used no processor to speak of, and were not kept from it. */
export function standStill(seen: readonly Load[], ms: number): boolean {
  const used = (seen.at(-1)?.cpuMs ?? 0) - (seen[0]?.cpuMs ?? 0)
  return used < ms * stillLoad && seen.filter(({ isAtWork }) => isAtWork).length < fewestAtWork
}
