import type { WorldClient } from '../../kits/client.ts'

/**
 * The time that an explored program lives in. `virtual`: its sleeps move the clock of its world and return at once. `real`: it
 * sleeps in wall time. `auto`: virtual where that is possible.
 */
export const times = ['virtual', 'real', 'auto'] as const

/** The time in which a program may be explored; `auto`: virtual where that is possible. */
export type TimeChoice = (typeof times)[number]

export type Exit =
  | { kind: 'ended'; code: number }
  | { kind: 'signal'; signal: string }
  | { kind: 'threw'; name: string; message: string }
  /** Explore ended it at the limit of wall time. */
  | {
      kind: 'limit'
      ms: number
      /** How many limits it took, where it was more than one. */
      limits?: number
    }
  /** It still ran after this much virtual time. */
  | { kind: 'endless'; ms: number }

/** Whether the program ended by itself, with or without an error. */
export function endedByItself({ kind }: Exit): boolean {
  return kind === 'ended' || kind === 'threw'
}

/** One run: its exit and its output. */
export interface Run {
  exit: Exit
  /** Everything that it wrote, in order. */
  output: string
  /** The part that it wrote to its standard error. */
  errors: string
  /** Wall milliseconds. */
  ms: number
  /**
   * Processor milliseconds of it and of all that ended meanwhile, so of it alone when no other run was made, and at least the time in which the
   * machine had no processor idle; absent where it is not known.
   */
  busyMs?: number
  /** Whether a process that could not be found holds its output open, although the program has ended. */
  isOutputHeld?: boolean
  /** Its calls, where they were told. */
  calls?: readonly ToldCall[]
  /** Of a system, whose driver this run is. */
  system?: SystemRun
}

/** What became of the parts of a system. */
export interface SystemRun {
  /** All services, with what they wrote. */
  parts: readonly (PartRun & { isBeside: boolean })[]
  /** Those that ended although nobody ended them, in that order. */
  ended: readonly (PartRun & { exit: Exit; isBeside: boolean })[]
  /** The service that was killed at the point of a restart, and when it was started again: virtual, ISO 8601. */
  killed?: PartRun & { exit: Exit; startedAgainAt?: string }
  /** The first service that did not become ready, and why, in words that follow its name. */
  notReady?: PartRun & { why: string }
  /** What the check of the whole said after the driver. */
  check?: PartRun & { exit: Exit; isBeside: boolean }
  /** How long it took until all services were ready, wall ms. Absent: they were not. */
  readyMs?: number
  /** In real time: when the driver ended by itself, wall ms since the emulator started. */
  driverEndedMs?: number
  /** Services of which no process is tied to the clock of the world, without the parts beside. */
  untied: readonly string[]
  /** The parts beside that keep the time of the wall, although that of the run is another one. Absent: none. */
  onTheWall?: readonly string[]
}

export interface PartRun {
  name: string
  output: string
  errors: string
}

/** The name of a run for the program, its limit of wall time, and the time that the program lives in. */
export interface RunOptions {
  name: string
  limitMs: number
  /** Whether the run, past its limit, is on its way to a moment of its own time that will show whether it ever ends. */
  goesOn?(): Promise<boolean>
  signal: AbortSignal
  time: TimeChoice
  /** The folder in which the program keeps what it remembers. Functions have none. */
  state?: string
  /** Variables by which the processes of a command write which files they load, and what of them runs; absent: they do not. */
  told?(start: ToldStart): NodeJS.ProcessEnv
  /** Whether they also tell where in the program each call was made, which takes a stack each time. */
  tellsCalls?: boolean
  /** The point at which it is killed; absent: it ends by itself. */
  death?: Death
  /** Of a system: whether the run is over as soon as a service has ended with an error. */
  isOverByService?: boolean
}

/** A command that is about to start. */
export interface ToldStart {
  words: readonly string[]
  /** Its own variables. */
  env: NodeJS.ProcessEnv
  /** Of a system: which of its parts it is. */
  part?: string
  /** Whether it is none of the program, but looks at what that did. */
  isCheck?: boolean
}

/** A call, as the process of the program that made it told it. */
export interface ToldCall {
  method: string
  /** Without the query. */
  path: string
  /** Of a system: the part that made it. */
  service?: string
  /** The stack, innermost first, as Node writes it. */
  stack: string
}

/** The point at which a program is killed. */
export interface Death {
  /** Resolves when the point is reached. */
  reached: Promise<void>
  /** Whether the program first works on all that it has received. */
  afterRest: boolean
  /** Of a system. */
  service?: {
    /** The service that is killed, once the point is reached; undefined when nobody knows who called. */
    name(): string | undefined
    caller(): string | undefined
    /** Lets the call be answered: whoever made it lives on. */
    release(): Promise<unknown>
    /** It starts again after this time, ms. */
    restartAfterMs: number
  }
}

/** The explored program: a command or a function. Rejects with UsageError when it cannot be started at all. */
export interface Subject {
  run(world: WorldClient, options: RunOptions): Promise<Run>
}

/**
 * A program under virtual time that still runs after seven virtual days never gives up, so it is ended. `explore`
 * recognises it by this line and this exit code.
 */
export const stillRunning = {
  ms: 7 * 86_400_000,
  code: 124,
  line: 'virtual-time: still running after seven virtual days',
}

/** The signal at which a process of Node that tells what ran does so and ends. Programs do not use it, and others end by it. */
export const endTelling = 'SIGVTALRM'

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
