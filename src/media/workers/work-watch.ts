import { type ChildProcess, spawn } from 'node:child_process'
import { procNames, procText, statOf } from '../../emulator/ground.ts'
import { GivenUp } from '../inputs/errors.ts'

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
    const isStill = standStill(seen, stillMs)
    seen.shift()
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

/** What a process and all below it do at the moment. */
export interface Load {
  /** Processor time that they have used so far, those that have ended included, ms. */
  cpuMs: number
  /** One of their threads runs, waits for a processor or the disk, or was stopped from outside: it does not stand still by itself. */
  isAtWork: boolean
}

const msPerTick = 10

/** The load of a process and all below it. Undefined where the system does not tell (only Linux does), and when the process has ended. */
export function loadOf(leader: number): Load | undefined {
  const pids = processesUnder(leader)
  if (pids.length === 0) return undefined
  const ticks = pids.flatMap(pid => statOf(pid).slice(11, 15)).map(Number)
  const threads = pids.flatMap(pid => threadsOf(pid).map(id => statOf(`${pid}/task/${id}`)))
  return {
    cpuMs: ticks.reduce((sum, some) => sum + some, 0) * msPerTick,
    isAtWork: threads.some(([state = '']) => /[RDTt]/.test(state)),
  }
}

/** The ids of all threads of a process and of all below it. On Linux each has a priority of its own; elsewhere only the process is known. */
export function threadsUnder(leader: number): number[] {
  return process.platform === 'linux' ? processesUnder(leader).flatMap(threadsOf) : [leader]
}

/** None when the process has ended, and on other systems than Linux. */
function processesUnder(leader: number): number[] {
  const threads = threadsOf(leader)
  if (threads.length === 0) return []
  const children = threads
    .flatMap(id => procText(`${leader}/task/${id}/children`).split(' ').filter(Boolean))
    .map(Number)
  return [leader, ...children.flatMap(processesUnder)]
}

function threadsOf(pid: number): number[] {
  return procNames(`${pid}/task`).map(Number)
}

/** A process that is started here leads a group, so that ffmpeg ends with it, and Ctrl-C in the terminal reaches only the server. Windows knows no groups. */
export const hasGroup = process.platform !== 'win32'

/** Ends a process and those that it started. */
export function endGroup(child: ChildProcess): void {
  try {
    if (hasGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    else child.kill('SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}

/** For a program that only tells something about itself. */
const limits: WorkLimits = { stillMs: 5000, cpuMs: 20_000, clockMs: 10_000 }

/**
 * What a program writes that answers at once, without input. It is ended with all that it started when it stands still or will not end,
 * and with this process.
 * @throws the error of starting it, what it wrote to standard error when it fails, and the reason when it is ended
 */
export function runBriefly(
  path: string,
  args: readonly string[],
): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: hasGroup })
    const output = { stdout: '', stderr: '' }
    child.stdout?.on('data', chunk => {
      output.stdout += chunk
    })
    child.stderr?.on('data', chunk => {
      output.stderr += chunk
    })
    const end = () => endGroup(child)
    const settle = (finish: () => void) => {
      unwatch()
      process.off('exit', end)
      finish()
    }
    const unwatch = watchWork(child.pid ?? 0, limits, reason => {
      end()
      settle(() => reject(new Error(`it gives no answer: ${reason.message}`)))
    })
    process.once('exit', end)
    child.once('error', error => settle(() => reject(error)))
    child.once('close', (code, signal) =>
      settle(() => {
        if (code === 0) resolve(output)
        else
          reject(
            new Error(output.stderr.trim().split('\n').at(-1) || `it ended with ${signal ?? `code ${code}`}`),
          )
      }),
    )
  })
}
