import { Conductor } from '../../src/emulator/conductor/conductor.ts'
import type { Member } from '../../src/emulator/conductor/member.ts'
import type { RunPort } from '../../src/emulator/conductor/port.ts'
import type { seeded } from '../../test/support/seeded.ts'

type Seeded = ReturnType<typeof seeded>

/** What a process of the model does next. A wait for a message may have a limit, ms. */
export type Step =
  | { kind: 'sleep'; ms: number }
  | { kind: 'send'; to: number }
  | { kind: 'take'; limitMs?: number }
  | { kind: 'start'; process: number }
  | { kind: 'kill'; process: number }
  | { kind: 'join'; process: number }

/** A program: the steps of its processes. The first one is there from the beginning. */
export type Program = readonly (readonly Step[])[]

/** What a wrong client or conductor would leave out. */
export type Mutant = 'no second look' | 'no word of a birth' | 'not the least moment' | 'no sight of a kill'

/** A program of two to five processes made at random, in which each is started by an earlier one. */
export function programOf(random: Seeded): Program {
  const count = random.integer(2, 5)
  const ms = () => random.integer(1, 1_000_000)
  const others = (own: number) => (own + random.integer(1, count - 1)) % count
  const stepsOf = (own: number): Step[] => {
    const kind = random.integer(1, 21)
    if (kind <= 8) return [{ kind: 'sleep', ms: ms() }]
    if (kind <= 14) return [{ kind: 'send', to: others(own) }]
    if (kind <= 20) return [{ kind: 'take', ...(kind < 19 && { limitMs: ms() }) }]
    // After a sleep, at a moment at which no other process does anything.
    const process = others(own)
    return [
      { kind: 'sleep', ms: ms() },
      { kind: 'kill', process },
      { kind: 'join', process },
    ]
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

interface Played {
  step: number
  inbox: number
  /** The moment at which its wait ends. */
  until: number | undefined
  isStarted: boolean
  isKilled: boolean
  isOver: boolean
}

/**
 * Does the steps of a process at a moment until it waits or ends, and logs the end of each wait. `start`, `send` and `kill` are done by the caller.
 * Returns whether it waits.
 */
function play(
  own: number,
  {
    at,
    program,
    played,
    log,
    start,
    send,
    kill,
  }: Moment & { start(process: number): void; send(to: number): void; kill(process: number): void },
): boolean {
  const process = played[own] as Played
  for (;;) {
    const step = program[own]?.[process.step]
    if (step === undefined) return false
    if (step.kind === 'start') start(step.process)
    else if (step.kind === 'send') send(step.to)
    else if (step.kind === 'kill') kill(step.process)
    else {
      const isTaken =
        step.kind === 'join' ? played[step.process]?.isOver : step.kind === 'take' && process.inbox > 0
      const ms = step.kind === 'sleep' ? step.ms : step.kind === 'take' ? step.limitMs : undefined
      process.until ??= ms === undefined ? Number.POSITIVE_INFINITY : at + ms
      if (!isTaken && at < process.until) return true
      if (isTaken && step.kind === 'take') process.inbox--
      process.until = undefined
      log.push(`${at} ${own}.${process.step} ${isTaken ? 'message' : 'time'}`)
    }
    process.step++
  }
}

interface Moment {
  at: number
  program: Program
  played: Played[]
  log: string[]
}

const unplayed = (program: Program): Played[] =>
  program.map((_, own) => ({
    step: 0,
    inbox: 0,
    until: undefined,
    isStarted: own === 0,
    isKilled: false,
    isOver: false,
  }))

/** What happens on an idle machine that takes no time for work: the end of each wait, in order of time and process. */
export function inRealTime(program: Program): string[] {
  const moment: Moment = { at: 0, program, played: unplayed(program), log: [] }
  const { played, log } = moment
  for (;;) {
    let before = -1
    while (log.length !== before) {
      before = log.length
      for (const [own, process] of played.entries())
        if (process.isStarted && !process.isOver) {
          process.isOver = !play(own, {
            ...moment,
            start: child => {
              const started = played[child] as Played
              if (!started.isStarted) before = -1
              started.isStarted = true
            },
            send: to => {
              ;(played[to] as Played).inbox++
              before = -1
            },
            kill: process => {
              const killed = played[process] as Played
              if (!killed.isStarted) return
              killed.isOver = true
              killed.until = undefined
              before = -1
            },
          })
          if (process.isOver) before = -1
        }
    }
    const next = Math.min(...played.map(({ until }) => until ?? Number.POSITIVE_INFINITY))
    if (next === Number.POSITIVE_INFINITY) return log.sort(byMoment)
    moment.at = next
  }
}

const byMoment = (one: string, other: string) =>
  Number.parseInt(one, 10) - Number.parseInt(other, 10) || one.localeCompare(other)

/**
 * The same with a conductor: each process hears it, and its own messages, some turns late, as on a busy machine. Ends when nobody can go on.
 */
export function conducted(program: Program, random: Seeded, mutant?: Mutant): Promise<string[]> {
  return new Promise(resolve => {
    const played = unplayed(program)
    const log: string[] = []
    let at = 0
    let births = 0
    const members = new Map<number, Member>()
    const soon = (then: () => void) => {
      let turns = random.integer(0, 4)
      const turn = () => (turns-- <= 0 ? then() : setImmediate(turn))
      setImmediate(turn)
    }
    const run = idleRun({
      now: () => at,
      move: to => {
        at = to
      },
      free: {
        ...idleRun({}).free,
        expect: () => {
          births++
        },
        graceMs: () => (births > 0 && mutant !== 'no word of a birth' ? 1 : 0),
        sleeps: pid => mutant === 'no sight of a kill' || !played[pid - 1]?.isKilled,
      },
    })
    const conductor = new Conductor(run)
    const hello = { start: '', takes: false, waits: false, isExplored: true }
    const end = (own: number) => {
      const member = members.get(own)
      members.delete(own)
      awake.delete(own)
      ;(played[own] as Played).isOver = true
      if (member) conductor.leave(member)
      // Its parent hears of it some turns later, if no look comes before.
      for (const wake of awake.values()) soon(wake)
      if (members.size === 0 && births === 0) resolve(log.sort(byMoment))
    }
    const begin = (own: number) => {
      if (played[own]?.isKilled) {
        end(own)
        return
      }
      let now = at
      let told: number | undefined
      const says = (line: string) => {
        const member = members.get(own)
        if (member) conductor.hear(member, line)
      }
      const goOn = () => {
        const process = played[own] as Played
        if (process.isKilled) return
        const isWaiting = play(own, {
          ...{ at: now, program, played, log },
          start: child => {
            if (members.has(child) || (played[child] as Played).isStarted) return
            ;(played[child] as Played).isStarted = true
            says('birth')
            soon(() => {
              births--
              begin(child)
            })
          },
          send: to => {
            ;(played[to] as Played).inbox++
            // It is read some turns later, if no look comes before.
            soon(() => awake.get(to)?.())
          },
          kill: process => {
            const killed = played[process] as Played
            if (!killed.isStarted || killed.isKilled) return
            killed.isKilled = true
            // The end of its connection is seen some turns later.
            soon(() => end(process))
          },
        })
        if (!isWaiting) {
          end(own)
          return
        }
        told = process.until
        const second = mutant === 'not the least moment' && told === leastOf(played) ? '-' : told
        const isAsleep = program[own]?.[process.step]?.kind === 'sleep'
        const wakers = isAsleep ? 0 : 1
        says(`wait ${now} ${second === Number.POSITIVE_INFINITY ? '-' : second} - ${wakers} 0`)
      }
      /** Whether a message waits to be read, for which the process waits. */
      const hasNews = () => {
        const process = played[own] as Played
        const step = program[own]?.[process.step]
        return step?.kind === 'join'
          ? played[step.process]?.isOver
          : step?.kind === 'take' && process.inbox > 0
      }
      const hear = (line: string) => {
        const [word, rest] = line.split(' ')
        if (!members.has(own) || played[own]?.isKilled) return
        if (word === 'over') {
          resolve(log.sort(byMoment))
        } else if (word === 'now') {
          now = Number(rest)
          if (told !== undefined && now >= told) goOn()
        } else if (hasNews() && mutant !== 'no second look') {
          goOn()
        } else {
          says(`still ${rest}`)
        }
      }
      awake.set(own, () => {
        hearAll()
        if (hasNews()) goOn()
      })
      /** Lines come late, but in order. */
      const lines: string[] = []
      const hearAll = () => {
        for (let line = lines.shift(); line !== undefined; line = lines.shift()) hear(line)
      }
      members.set(
        own,
        conductor.join({ ...hello, pid: own + 1 }, line => {
          lines.push(line)
          soon(hearAll)
        }),
      )
      soon(goOn)
    }
    const awake = new Map<number, () => void>()
    begin(0)
  })
}

/** A run in which nothing but the tied processes does anything. The port of its emulator is 1. */
export function idleRun(changes: Partial<RunPort>): RunPort {
  return {
    now: () => 0,
    ...{ move() {}, take() {}, moment: () => undefined, fire() {}, follow() {}, release() {} },
    requests: () => ({ open: 0, unanswered: 0, held: 0 }),
    progress: () => new Map(),
    isWorking: () => false,
    turn: then => setImmediate(then),
    port: () => 1,
    free: {
      ...{ watch() {}, leave() {}, start() {}, expect() {}, childless() {}, look: () => '' },
      ...{ workOf: () => undefined, sleeps: () => false },
      ...{ busyMs: () => 0, graceMs: () => 0, isTiming: () => false, count: () => 0 },
    },
    ...changes,
  }
}

function leastOf(played: readonly Played[]): number {
  return Math.min(...played.map(({ until }) => until ?? Number.POSITIVE_INFINITY))
}
