import { Conductor } from '../../src/emulator/conductor/conductor.ts'
import type { Member } from '../../src/emulator/conductor/member.ts'
import type { RunPort, Wall } from '../../src/emulator/conductor/port.ts'
import { seeded } from '../../test/support/seeded.ts'
import {
  byMoment,
  type Ended,
  inRealTime,
  orderOf,
  type Played,
  type Program,
  play,
  programOf,
  type Seeded,
  unplayed,
} from './run-programs.ts'

/** What a wrong client or conductor would leave out. */
export const mutants = [
  'no second look',
  'no word of a birth',
  'not the least moment',
  'no sight of a kill',
  'no patience',
  'no sight of a stop',
] as const

export type Mutant = (typeof mutants)[number]

/** What the processes of a program meet: nothing else, long work at any moment, or a stop by another one. */
export const weathers = ['fair', 'busy', 'stopped'] as const

export type Weather = (typeof weathers)[number]

/** The longest work that keeps a process from hearing anything, wall ms: longer than whatever the conductor waits for. */
const longestWorkMs = 100_000
/** How much later than by its stops alone a wait may end, ms: the conductor and the processes take wall time to see each other. */
const slackMs = 200

/** Which weather shows a mutant. */
export function weatherOf(mutant: Mutant): Weather {
  if (mutant === 'no patience') return 'busy'
  return mutant === 'no sight of a stop' ? 'stopped' : 'fair'
}

/** The seeds of the programs whose waits end otherwise than in real time. */
export function differing(
  seeds: { first: number; count: number },
  weather: Weather,
  mutant?: Mutant,
): number[] {
  const all = Array.from({ length: seeds.count }, (_, i) => seeds.first + i)
  return all.filter(seed => {
    const program = programOf(seeded(seed), { withStops: weather === 'stopped' })
    const log = conducted(program, { random: seeded(seed + 1_000_000), isBusy: weather === 'busy', mutant })
    return !isAsInRealTime(program, log)
  })
}

/**
 * Whether all waits end as in real time: at the same moments, and later by no more than the stops where there are any. Where a little more time
 * in these changes what happens, real time does not tell.
 */
export function isAsInRealTime(program: Program, log: readonly Ended[]): boolean {
  const real = inRealTime(program)
  const stops = program.flat().flatMap(step => (step.kind === 'stop' ? [step.ms] : []))
  if (stops.length === 0) return JSON.stringify(log) === JSON.stringify(real)
  const longest = stops.reduce((sum, ms) => sum + ms + slackMs, 0)
  const isTold = [slackMs, -longest].every(moreMs => orderOf(inRealTime(program, moreMs)) === orderOf(real))
  if (!isTold) return true
  return (
    orderOf(log) === orderOf(real) && log.every(({ at }, i) => Math.abs(at - (real[i]?.at ?? 0)) <= longest)
  )
}

/** Wall time that passes when nothing is left to do at a moment. `run` lets it pass until then, or nothing is left at all. */
export function modelWall(): Wall & { run(isOver: () => boolean): void } {
  let nowMs = 0
  let left: { at: number; act: () => void }[] = []
  return {
    nowMs: () => nowMs,
    after(ms, act) {
      const one = { at: nowMs + ms, act }
      const later = left.findIndex(({ at }) => at > one.at)
      left.splice(later < 0 ? left.length : later, 0, one)
      return () => {
        left = left.filter(other => other !== one)
      }
    },
    run(isOver) {
      while (!isOver()) {
        const one = left.shift()
        if (!one) return
        nowMs = one.at
        one.act()
      }
    },
  }
}

/** A process of the model. */
interface Process extends Played {
  member?: Member
  /** Its time, and what it has said that it waits for. */
  now: number
  told: number | undefined
  /** What it has not heard yet. */
  lines: string[]
  /** Up to when it hears nothing, wall ms, and whether it is stopped until then. */
  awayUntilMs: number
  isStopped: boolean
}

/**
 * The same with a conductor: each process hears it, and its own messages, some wall time late, as on a busy machine. Ends when nobody can go on.
 */
export function conducted(
  program: Program,
  { random, isBusy, mutant }: { random: Seeded; isBusy: boolean; mutant?: Mutant | undefined },
): Ended[] {
  const wall = modelWall()
  const more = { now: 0, told: undefined, awayUntilMs: 0, isStopped: false }
  const played: Process[] = unplayed(program).map(one => ({ ...one, ...more, lines: [] }))
  const log: Ended[] = []
  let at = 0
  let births = 0
  let born = 0
  let isOver = false
  const processOf = (own: number) => played[own] as Process
  const isStopped = (own: number) => processOf(own).isStopped && processOf(own).awayUntilMs > wall.nowMs()
  const soon = (then: () => void) => void wall.after(random.integer(0, 4), then)
  /** Lets a process do something as soon as it can. */
  const lets = (own: number, then: () => void) => {
    const process = processOf(own)
    if (isBusy && random.integer(1, 30) === 1) {
      process.awayUntilMs = Math.max(process.awayUntilMs, wall.nowMs() + random.integer(1, longestWorkMs))
    }
    const whenBack = () => {
      if (process.isKilled) return
      if (process.awayUntilMs > wall.nowMs()) wall.after(process.awayUntilMs - wall.nowMs(), whenBack)
      else then()
    }
    soon(whenBack)
  }
  const run = idleRun(wall, {
    now: () => at,
    move: (to, isTaken) => {
      if (isTaken) at = to
    },
    free: {
      ...idleRun(wall).free,
      expect: () => {
        births++
      },
      look: () => String(born),
      graceMs: ({ before }) =>
        (births > 0 || before !== String(born)) && mutant !== 'no word of a birth' ? 1 : 0,
      sleeps: pid => mutant === 'no sight of a kill' || !(processOf(pid - 1).isKilled || isStopped(pid - 1)),
      workOf: pid => (isStopped(pid - 1) ? 'T0' : mutant === 'no patience' ? 'S0' : undefined),
      isTiming: blocked => mutant !== 'no sight of a stop' && blocked.some(pid => isStopped(pid - 1)),
    },
  })
  const conductor = new Conductor(run)
  const says = (own: number, line: string) => {
    const { member } = processOf(own)
    if (member) conductor.hear(member, line)
  }
  const end = (own: number) => {
    const { member } = processOf(own)
    delete processOf(own).member
    processOf(own).isOver = true
    if (member) conductor.leave(member)
    // Its parent hears of it some time later, if no look comes before.
    for (const other of played.keys()) lets(other, () => wake(other))
    isOver = births === 0 && played.every(one => !one.member)
  }
  const begin = (own: number) => {
    const process = processOf(own)
    births--
    born++
    if (process.isKilled) {
      end(own)
      return
    }
    process.now = at
    const hello = { pid: own + 1, start: '', takes: false, waits: false, isExplored: true }
    process.member = conductor.join(hello, line => {
      process.lines.push(line)
      lets(own, () => hearAll(own))
    })
    lets(own, () => goOn(own))
  }
  const goOn = (own: number) => {
    const process = processOf(own)
    if (!process.member) return
    const isWaiting = play(own, { ...{ at: process.now, program, played, log } }, deedsOf(own))
    if (!isWaiting) {
      end(own)
      return
    }
    process.told = process.until
    const isLeast = mutant === 'not the least moment' && process.told === leastOf(played)
    const until = isLeast || process.told === Number.POSITIVE_INFINITY ? '-' : process.told
    const wakers = program[own]?.[process.step]?.kind === 'sleep' ? 0 : 1
    says(own, `wait ${process.now} ${until} - ${wakers} 0`)
  }
  const deedsOf = (own: number) => ({
    start(child: number) {
      if (processOf(child).isStarted) return
      processOf(child).isStarted = true
      says(own, 'birth')
      soon(() => begin(child))
    },
    send(to: number) {
      processOf(to).inbox++
      // It is read some time later, if no look comes before.
      lets(to, () => wake(to))
    },
    kill(other: number) {
      const killed = processOf(other)
      if (!killed.isStarted || killed.isKilled) return
      killed.isKilled = true
      // The end of its connection is seen some time later.
      soon(() => end(other))
    },
    stop(other: number, ms: number) {
      const stopped = processOf(other)
      if (!stopped.member || stopped.isKilled) return
      stopped.awayUntilMs = Math.max(stopped.awayUntilMs, wall.nowMs() + ms)
      stopped.isStopped = true
    },
  })
  /** Whether a message waits to be read, for which the process waits. */
  const hasNews = (own: number) => {
    const process = processOf(own)
    const step = program[own]?.[process.step]
    return step?.kind === 'join' ? processOf(step.process).isOver : step?.kind === 'take' && process.inbox > 0
  }
  /** Lines come late, but in order. What has come is read before anything is done. */
  const hearAll = (own: number) => {
    const process = processOf(own)
    let round = ''
    for (const line of process.lines.splice(0)) {
      const [word, rest = ''] = line.split(' ')
      if (word === 'now') process.now = Number(rest)
      else if (word === 'look') round = rest
      else isOver ||= word === 'over'
    }
    const isDue = process.told !== undefined && process.now >= process.told
    if (!process.member || isOver) return
    if (isDue || (round && hasNews(own) && mutant !== 'no second look')) goOn(own)
    else if (round) says(own, `still ${round}`)
  }
  const wake = (own: number) => {
    hearAll(own)
    if (hasNews(own)) goOn(own)
  }
  births++
  begin(0)
  wall.run(() => isOver)
  return log.sort(byMoment)
}

/** A run in which nothing but the tied processes does anything. The port of its emulator is 1. */
export function idleRun(wall: Wall, changes: Partial<RunPort> = {}): RunPort {
  return {
    now: () => 0,
    ...{
      move() {},
      take() {},
      moment: () => undefined,
      passed() {},
      unseen() {},
      fire() {},
      follow() {},
      release() {},
    },
    requests: () => ({ open: 0, unanswered: 0, incomplete: 0, held: 0 }),
    progress: () => new Map(),
    isWorking: () => false,
    turn: then => void wall.after(0, then),
    port: () => 1,
    free: {
      ...{
        watch() {},
        leave() {},
        untie() {},
        hasUntied: () => false,
        start() {},
        expect() {},
        childless() {},
        look: () => '',
      },
      ...{ workOf: () => undefined, sleeps: () => false },
      ...{ busyMs: () => 0, graceMs: () => 0, isTiming: () => false, holders: () => [], count: () => 0 },
    },
    wall,
    ...changes,
  }
}

function leastOf(played: readonly Played[]): number {
  return Math.min(...played.map(({ until }) => until ?? Number.POSITIVE_INFINITY))
}
