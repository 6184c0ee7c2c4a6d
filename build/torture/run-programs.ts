import type { seeded } from '../../test/support/seeded.ts'

export type Seeded = ReturnType<typeof seeded>

/** What a process of the model does next. A wait for a message may have a limit, ms; one that is stopped goes on after so long. */
export type Step =
  | { kind: 'sleep'; ms: number }
  | { kind: 'send'; to: number }
  | { kind: 'take'; limitMs?: number }
  | { kind: 'start'; process: number }
  | { kind: 'kill'; process: number }
  | { kind: 'stop'; process: number; ms: number }
  | { kind: 'join'; process: number }

/** A program: the steps of its processes. The first one is there from the beginning. */
export type Program = readonly (readonly Step[])[]

/** What a process does to others. */
export interface Deeds {
  start(process: number): void
  send(to: number): void
  kill(process: number): void
  stop(process: number, ms: number): void
}

/** A process that plays its steps. */
export interface Played {
  step: number
  inbox: number
  /** The moment at which its wait ends. */
  until: number | undefined
  isStarted: boolean
  isKilled: boolean
  isOver: boolean
}

export interface Moment {
  at: number
  program: Program
  played: Played[]
  log: Ended[]
}

/** The end of a wait: when, of which step, and by what. */
export interface Ended {
  at: number
  step: string
}

/** A program of two to five processes made at random, in which each is started by an earlier one. `withStops`: they stop each other. */
export function programOf(random: Seeded, { withStops = false } = {}): Program {
  const count = random.integer(2, 5)
  const ms = () => random.integer(1, 1_000_000)
  const others = (own: number) => (own + random.integer(1, count - 1)) % count
  const stepsOf = (own: number): Step[] => {
    const kind = random.integer(1, withStops ? 25 : 21)
    if (kind <= 8) return [{ kind: 'sleep', ms: ms() }]
    if (kind <= 14) return [{ kind: 'send', to: others(own) }]
    if (kind <= 20) return [{ kind: 'take', ...(kind < 19 && { limitMs: ms() }) }]
    // After a sleep, at a moment at which no other process does anything.
    const process = others(own)
    const sleep: Step = { kind: 'sleep', ms: ms() }
    if (kind > 21) return [sleep, { kind: 'stop', process, ms: random.integer(1, 3000) }]
    return [sleep, { kind: 'kill', process }, { kind: 'join', process }]
  }
  const steps = Array.from({ length: count }, (_, own) =>
    Array.from({ length: random.integer(3, 12) }, () => stepsOf(own)).flat(),
  )
  for (let process = 1; process < count; process++) {
    const parent = random.integer(0, process - 1)
    steps[parent]?.splice(random.integer(0, 2), 0, { kind: 'start', process })
  }
  return steps
}

export function unplayed(program: Program): Played[] {
  return program.map((_, own) => ({
    step: 0,
    inbox: 0,
    until: undefined,
    isStarted: own === 0,
    isKilled: false,
    isOver: false,
  }))
}

/** Does the steps of a process at a moment until it waits or ends, and logs the end of each wait. Returns whether it waits. */
export function play(own: number, { at, program, played, log }: Moment, deeds: Deeds): boolean {
  const process = played[own] as Played
  for (;;) {
    const step = program[own]?.[process.step]
    if (step === undefined) return false
    if (step.kind === 'start') deeds.start(step.process)
    else if (step.kind === 'send') deeds.send(step.to)
    else if (step.kind === 'kill') deeds.kill(step.process)
    else if (step.kind === 'stop') deeds.stop(step.process, step.ms)
    else {
      const isTaken =
        step.kind === 'join' ? played[step.process]?.isOver : step.kind === 'take' && process.inbox > 0
      const ms = step.kind === 'sleep' ? step.ms : step.kind === 'take' ? step.limitMs : undefined
      process.until ??= ms === undefined ? Number.POSITIVE_INFINITY : at + ms
      if (!isTaken && at < process.until) return true
      if (isTaken && step.kind === 'take') process.inbox--
      process.until = undefined
      log.push({ at, step: `${own}.${process.step} ${isTaken ? 'message' : 'time'}` })
    }
    process.step++
  }
}

/**
 * What happens on an idle machine that takes no time for work: the end of each wait, in order of time and process. Each stop lasts `moreMs`
 * longer than its step says.
 */
export function inRealTime(program: Program, moreMs = 0): Ended[] {
  const moment: Moment = { at: 0, program, played: unplayed(program), log: [] }
  const { played, log } = moment
  const stopped = program.map(() => 0)
  for (;;) {
    let isChanged = true
    const deeds: Deeds = {
      start(child) {
        const started = played[child] as Played
        isChanged ||= !started.isStarted
        started.isStarted = true
      },
      send(to) {
        ;(played[to] as Played).inbox++
        isChanged = true
      },
      kill(other) {
        const killed = played[other] as Played
        if (!killed.isStarted) return
        Object.assign(killed, { isOver: true, until: undefined })
        isChanged = true
      },
      stop(own, ms) {
        // One that has just been started has not begun.
        if (played[own]?.until !== undefined)
          stopped[own] = Math.max(stopped[own] ?? 0, moment.at + ms + moreMs)
      },
    }
    while (isChanged) {
      isChanged = false
      for (const [own, process] of played.entries()) {
        if (!process.isStarted || process.isOver || (stopped[own] ?? 0) > moment.at) continue
        process.isOver = !play(own, moment, deeds)
        isChanged ||= process.isOver
      }
    }
    const next = Math.min(
      ...played.map(({ until = Number.POSITIVE_INFINITY }, own) => Math.max(until, stopped[own] ?? 0)),
      ...stopped.filter(until => until > moment.at),
    )
    if (next === Number.POSITIVE_INFINITY) return log.sort(byMoment)
    moment.at = next
  }
}

/** What ended, without moments. */
export function orderOf(log: readonly Ended[]): string {
  return log.map(({ step }) => step).join('\n')
}

export function byMoment(one: Ended, other: Ended): number {
  return one.at - other.at || one.step.localeCompare(other.step)
}
