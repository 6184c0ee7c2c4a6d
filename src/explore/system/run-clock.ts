import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { statOf } from '../../emulator/ground.ts'
import type { WorldClient } from '../../kits/client.ts'
import { joinRun } from '../time/conductor-link.ts'

/** The time of a run, as the process knows it that starts the services. */
export interface RunClock {
  /** Lets time pass, ms. */
  sleep(ms: number): Promise<void>
  /** Does something that takes no time of the run. */
  work<T>(act: () => Promise<T>): Promise<T>
  /** Waits for an answer from this port of the machine, while the others go on. */
  call<T>(port: number, act: () => Promise<T>): Promise<T>
  started(pid: number, isBeside: boolean): void
  /** A part beside answers at this port: what is sent there is on its way only as long as that part works. */
  answers(port: number): void
  /** A process that is awaited: time moves only when it is known not to have ended. */
  watch(child: ChildProcess): void
  /** No held reply holds the time any more. */
  spared(): void
  /** Something that has a clock of its own: it is told of each new time before the services are. */
  keep(own: OwnClock): void
  /** The services of which a process is tied. */
  joined: ReadonlySet<string>
  leave(): void
}

/** What has a clock of its own. */
export interface OwnClock {
  /** The time of the run moves on by so much, ms. */
  moved(byMs: number): Promise<void>
  end(): void
}

export function wallClock(): RunClock {
  return {
    sleep: ms => pause(ms),
    work: act => act(),
    call: (_, act) => act(),
    ...{ started() {}, answers() {}, watch() {}, spared() {}, keep() {}, leave() {} },
    joined: new Set(),
  }
}

/** The time that a conductor moves: `emulator/conductor/member.ts` says what is spoken. `dies`: a held reply holds the time. */
export async function conductedClock(
  { id, baseUrl }: WorldClient,
  { dies }: { dies: boolean },
): Promise<RunClock> {
  const joined = new Set<string>()
  const sleepers = new Set<{ at: number; wake(): void }>()
  const calls: number[] = []
  const watched = new Set<ChildProcess>()
  const kept: OwnClock[] = []
  let now = 0
  /** So many things are done that take no time. Nobody has to say so before the first wait. */
  let working = 0
  let waits = 0
  const later = (then: () => void) => setImmediate(() => setImmediate(then))
  const waitsAgain = () => {
    if (working > 0) return
    const until = Math.min(...[...sleepers].map(({ at }) => at))
    const places = calls.map(port => `127.0.0.1:${port}=1`).join(',') || '-'
    link.say(`wait - ${Number.isFinite(until) ? Math.ceil(until) : '-'} ${places} 1 ${++waits}`)
  }
  const answer = (round: string, wait: number) =>
    later(() => {
      if (working > 0 || wait !== waits) return
      if ([...watched].some(hasJustEnded)) answer(round, wait)
      else link.say(`still ${round}`)
    })
  /** Nobody moves the time any more: that of the wall is left. */
  let isOver = false
  const wakeAll = () => {
    isOver = true
    for (const { wake } of [...sleepers]) wake()
  }
  const hear = (line: string) => {
    const [word = '', ...rest] = line.split(' ')
    if (word === 'joined') joined.add(rest[0] ?? '')
    if (word === 'over') wakeAll()
    if (word === 'look') answer(rest[0] ?? '', waits)
    if (word === 'move')
      void Promise.allSettled(kept.map(one => one.moved(Number(rest[0])))).then(() => link.say('kept'))
    if (word !== 'now' && word !== 'at') return
    now = Number(rest[0])
    for (const one of [...sleepers]) if (one.at <= now) one.wake()
  }
  const begin = () => {
    if (++working === 1) link.say('awake')
  }
  const end = () => {
    working--
    waitsAgain()
  }
  const work: RunClock['work'] = async act => {
    begin()
    try {
      return await act()
    } finally {
      end()
    }
  }
  const link = await joinRun({
    url: baseUrl,
    world: id,
    hello: `host ${dies ? 1 : 0}`,
    hear,
    ended: wakeAll,
  })
  let isEnded = false
  return {
    joined,
    work,
    sleep: ms =>
      new Promise(resolve => {
        if (isEnded) return resolve()
        if (isOver) return void pause(ms).then(resolve)
        const sleeper = {
          at: now + ms,
          wake() {
            sleepers.delete(sleeper)
            // Whoever slept goes on before time does.
            begin()
            resolve()
            later(end)
          },
        }
        sleepers.add(sleeper)
        waitsAgain()
      }),
    async call(port, act) {
      calls.push(port)
      waitsAgain()
      try {
        return await act()
      } finally {
        calls.splice(calls.indexOf(port), 1)
        begin()
        later(end)
      }
    },
    started: (pid, isBeside) => link.say(`started ${pid} ${isBeside ? 'beside' : 'own'}`),
    answers(port) {
      // Only Linux shows whether a process works.
      if (process.platform === 'linux') link.say(`listen ${port}`)
    },
    watch(child) {
      watched.add(child)
    },
    spared: () => link.say('spared'),
    keep: own => void kept.push(own),
    leave() {
      isEnded = true
      link.end()
      for (const own of kept) own.end()
      wakeAll()
    },
  }
}

/** Whether a child has ended, and this process has not heard of it yet. */
function hasJustEnded({ pid = 0, exitCode, signalCode }: ChildProcess): boolean {
  if (exitCode !== null || signalCode !== null || process.platform !== 'linux') return false
  return /^[ZX]/.test(statOf(pid)[0] ?? 'X')
}
