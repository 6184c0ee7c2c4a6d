import { describe, expect, it } from 'vitest'
import {
  differing,
  idleRun,
  isAsInRealTime,
  modelWall,
  mutants,
  weatherOf,
  weathers,
} from '../../build/torture/run-model.ts'
import { inRealTime, programOf } from '../../build/torture/run-programs.ts'
import { Conductor } from '../../src/emulator/conductor/conductor.ts'
import { asleepMs, momentsMs } from '../../src/emulator/conductor/limits.ts'
import type { Member } from '../../src/emulator/conductor/member.ts'
import { seeded } from '../support/seeded.ts'

const hello = { pid: 1, start: '', takes: false, waits: false, isExplored: true }

describe('the conductor of a run (docs/explore.md, "Time")', () => {
  const seeds = { first: 1, count: 60 }

  it.each(weathers)('lets every wait of random programs end as in real time: %s', weather => {
    expect(differing(seeds, weather)).toEqual([])
  })

  it('the model sees long programs, and stops that change them', () => {
    const all = Array.from({ length: seeds.count }, (_, i) => i + seeds.first)
    const waits = all.map(seed => inRealTime(programOf(seeded(seed))).length)
    expect(Math.max(...waits)).toBeGreaterThan(10)
    const stopped = all.map(seed => programOf(seeded(seed), { withStops: true }))
    const hasStop = (program: (typeof stopped)[number]) => program.flat().some(({ kind }) => kind === 'stop')
    expect(stopped.filter(hasStop).length).toBeGreaterThan(seeds.count / 2)
    const isEmptyRefused = stopped.filter(program => !isAsInRealTime(program, []))
    expect(isEmptyRefused.length).toBeGreaterThan(seeds.count / 2)
  })

  it.each(mutants)('the model notices %s', mutant => {
    expect(differing(seeds, weatherOf(mutant), mutant).length).toBeGreaterThan(0)
  })

  it('only long work shows a conductor without patience, and only a stop one that does not see it', () => {
    const found = (mutant: (typeof mutants)[number]) =>
      weathers.filter(weather => differing(seeds, weather, mutant).length > 0)
    expect([found('no patience'), found('no sight of a stop')]).toEqual([['busy'], ['stopped']])
  })

  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['moves time when all replies wait for it', '127.0.0.1:1=1', { open: 1, unanswered: 1, incomplete: 0, held: 1 }, true],
    ['moves no time while the emulator has not got a call yet', '127.0.0.1:1=1', { open: 0, unanswered: 0, incomplete: 0, held: 0 }, false],
    ['moves no time while the emulator works on a reply', '127.0.0.1:1=1', { open: 1, unanswered: 1, incomplete: 0, held: 0 }, false],
    ['moves no time while it holds back fewer replies than a process waits for', '127.0.0.1:1=2', { open: 1, unanswered: 1, incomplete: 0, held: 1 }, false],
    ['moves no time while a call has not come to it, and the rest of another reply waits', '127.0.0.1:1=1', { open: 1, unanswered: 0, incomplete: 0, held: 1 }, false],
    ['moves no time while a call has just gone to a server of this machine that is not of the run', 'localhost:2=1', { open: 0, unanswered: 0, incomplete: 0, held: 0 }, false],
    ['moves no time while the body of a call has not come, but its head', '127.0.0.1:1=1', { open: 1, unanswered: 1, incomplete: 1, held: 0 }, false],
    ['lets a call to a process of the run lie with that one', 'localhost:3=1', { open: 0, unanswered: 0, incomplete: 0, held: 0 }, true],
  ],
  )('%s', (_, calls, counts, isMoved) => {
    const wall = modelWall()
    const moves: number[] = []
    let asked = 0
    const run = idleRun(wall, {
      requests: () => counts,
      isWorking: () => counts.open > counts.held + counts.incomplete,
      progress: () => {
        asked++
        return new Map()
      },
      move: to => moves.push(to),
    })
    const conductor = new Conductor(run)
    const member = conductor.join(hello, line => {
      const [word, round] = line.split(' ')
      if (word === 'look') wall.after(0, () => conductor.hear(member, `still ${round}`))
    })
    conductor.hear(member, 'listen 3')
    conductor.hear(member, `wait 0 1000 ${calls} 1 0`)
    // Six times it looked whether time may move, and each time it did not.
    wall.run(() => moves.length > 0 || asked === 6)
    expect(moves).toEqual(isMoved ? [1000] : [])
  })

  it('takes a process for blocked when it does nothing although a line has come, and not when it only sleeps long', () => {
    const wall = modelWall()
    const pid = { sleeping: 1, blocked: 2 }
    let lines = 0
    // Whoever sleeps is woken by a line.
    const workOf = (one: number) => (one === pid.sleeping ? `S${lines}` : 'S0')
    const conductor = new Conductor(idleRun(wall, { free: { ...idleRun(wall).free, workOf } }))
    const sleeping = conductor.join({ ...hello, pid: pid.sleeping }, () => lines++)
    const blocked = conductor.join({ ...hello, pid: pid.blocked }, () => {})
    wall.run(() => wall.nowMs() >= asleepMs)
    expect([blocked.state.kind, sleeping.state.kind]).toEqual(['work', 'work'])
    wall.run(() => wall.nowMs() >= 100 * asleepMs)
    expect([blocked.state.kind, sleeping.state.kind]).toEqual(['blocked', 'work'])
  })

  it.each([
    ['works in moments only, and for nobody else', 0, [{ name: 'native code', is_replaced: false }]],
    ['waits for what a process that is not tied works on', 5, []],
  ])('lets no process hold time up for ever: one that %s', (_, busyMs, expected) => {
    const wall = modelWall()
    const found: unknown[] = []
    let at = 0
    let isUntied = false
    let isOver = false
    const free = {
      ...idleRun(wall).free,
      // It looks around ten times a second.
      workOf: (pid: number) => `S${pid === 1 ? Math.floor(wall.nowMs() / 100) : 0}`,
      busyMs: () => (isOver ? 0 : busyMs),
      isTiming: () => isUntied,
      hasUntied: () => isUntied,
      untie: () => {
        isUntied = true
      },
      leave: () => {
        isUntied = false
        isOver = true
      },
    }
    const run = idleRun(wall, {
      free,
      unseen: one => found.push(one),
      now: () => at,
      move: to => {
        at = to
      },
    })
    const conductor = new Conductor(run)
    const holding = conductor.join({ ...hello, takes: true }, () => {})
    const other = conductor.join({ ...hello, pid: 2 }, line => {
      const [word, round] = line.split(' ')
      if (word === 'look') wall.after(0, () => conductor.hear(other, `still ${round}`))
    })
    conductor.hear(other, 'begin')
    conductor.hear(other, 'wait - 60000 - 1 0')
    wall.run(() => wall.nowMs() >= momentsMs)
    expect([found, at]).toEqual([[], 0])
    wall.run(() => wall.nowMs() >= 3 * momentsMs)
    expect(found).toEqual(expected)
    expect([at > momentsMs, at < 3 * momentsMs]).toEqual([expected.length > 0, true])
    conductor.leave(holding)
    wall.run(() => at === 60_000 || wall.nowMs() >= 4 * momentsMs)
    expect(at).toBe(60_000)
  })

  it('tells nobody a new time before a host has said that it is done', () => {
    const wall = modelWall()
    const told: string[] = []
    const conductor = new Conductor(idleRun(wall))
    const hear = (name: string) => (line: string) => {
      const [word = '', number] = line.split(' ')
      if (word === 'look') wall.after(0, () => conductor.hear(members[name] as Member, `still ${number}`))
      else told.push(`${name} ${line}`)
      if (word === 'move') wall.after(50, () => conductor.hear(members.host, 'kept'))
    }
    const members: Record<'host' | 'process', Member> & Record<string, Member> = {
      host: conductor.join({ ...hello, pid: 0, isHost: true }, hear('host')),
      process: conductor.join(hello, hear('process')),
    }
    conductor.hear(members.host, 'wait - - - 1 1')
    conductor.hear(members.process, 'wait - 1000 - 1 0')
    wall.run(() => told.includes('process now 1000'))
    expect(told.slice(-3)).toEqual(['host move 1000', 'host now 1000', 'process now 1000'])
  })
})
