import { describe, expect, it } from 'vitest'
import { conducted, idleRun, inRealTime, type Mutant, programOf } from '../../build/torture/run-model.ts'
import { Conductor } from '../../src/emulator/conductor/conductor.ts'
import type { Member } from '../../src/emulator/conductor/member.ts'
import { seeded } from '../support/seeded.ts'

/** The programs of so many seeds, and how many of them go another way than in real time. */
async function differing(seeds: number, mutant?: Mutant): Promise<number[]> {
  const found: number[] = []
  for (let seed = 1; seed <= seeds; seed++) {
    const program = programOf(seeded(seed))
    const log = await conducted(program, seeded(seed + 1_000_000), mutant)
    if (log.join('\n') !== inRealTime(program).join('\n')) found.push(seed)
  }
  return found
}

const hello = { pid: 1, start: '', takes: false, waits: false, isExplored: true }

describe('the conductor of a run (docs/explore.md, "Time")', () => {
  it('lets every wait of random programs end at the moment at which it ends in real time', async () => {
    const waits = Array.from({ length: 20 }, (_, seed) => inRealTime(programOf(seeded(seed + 1))).length)
    expect(Math.max(...waits)).toBeGreaterThan(10)
    expect(await differing(20)).toEqual([])
  })

  it.each<Mutant>(['no second look', 'no word of a birth', 'not the least moment', 'no sight of a kill'])(
    'the model notices %s',
    async mutant => {
      expect((await differing(16, mutant)).length).toBeGreaterThan(0)
    },
  )

  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['moves time when all replies wait for it', '127.0.0.1:1=1', { open: 1, unanswered: 1, held: 1 }, true],
    ['moves no time while the emulator has not got a call yet', '127.0.0.1:1=1', { open: 0, unanswered: 0, held: 0 }, false],
    ['moves no time while the emulator works on a reply', '127.0.0.1:1=1', { open: 1, unanswered: 1, held: 0 }, false],
    ['moves no time while it holds back fewer replies than a process waits for', '127.0.0.1:1=2', { open: 1, unanswered: 1, held: 1 }, false],
    ['moves no time while a call has not come to it, and the rest of another reply waits', '127.0.0.1:1=1', { open: 1, unanswered: 0, held: 1 }, false],
    ['moves no time while a call has just gone to a server of this machine that is not of the run', 'localhost:2=1', { open: 0, unanswered: 0, held: 0 }, false],
    ['lets a call to a process of the run lie with that one', 'localhost:3=1', { open: 0, unanswered: 0, held: 0 }, true],
  ],
  )('%s', async (_, calls, counts, isMoved) => {
    const moves: number[] = []
    let asked = 0
    let stop = () => {}
    const run = idleRun({
      requests: () => counts,
      isWorking: () => counts.open > counts.held,
      // Six times it looked whether time may move, and each time it did not.
      progress: () => {
        if (++asked === 6) stop()
        return new Map()
      },
      move: to => moves.push(to),
    })
    const conductor = new Conductor(run)
    const heard = new Promise<void>(resolve => {
      stop = resolve
      const member = conductor.join(hello, line => {
        const [word, round] = line.split(' ')
        if (word === 'look') queueMicrotask(() => conductor.hear(member, `still ${round}`))
        if (word === 'now' && moves.length > 0) resolve()
      })
      conductor.hear(member, 'listen 3')
      conductor.hear(member, `wait 0 1000 ${calls} 1 0`)
    })
    await heard
    expect(moves).toEqual(isMoved ? [1000] : [])
  })

  it('takes a process for blocked when it does nothing although a line has come, and not when it only sleeps long', async () => {
    const pid = { sleeping: 1, blocked: 2 }
    let lines = 0
    let asked = 0
    const free = {
      ...idleRun({}).free,
      // Whoever sleeps is woken by a line.
      workOf: (one: number) => {
        asked++
        return one === pid.sleeping ? `S${lines}` : 'S0'
      },
    }
    const conductor = new Conductor(idleRun({ free }))
    const sleeping = conductor.join({ ...hello, pid: pid.sleeping }, () => lines++)
    const blocked = conductor.join({ ...hello, pid: pid.blocked }, () => {})
    await expect.poll(() => blocked.state.kind).toBe('blocked')
    const before = asked
    await expect.poll(() => asked - before).toBeGreaterThan(10)
    expect(sleeping.state.kind).toBe('work')
  })

  it('tells nobody a new time before a host that keeps a clock has said that it is done', async () => {
    const told: string[] = []
    const conductor = new Conductor(idleRun({}))
    await new Promise<void>(resolve => {
      const hear = (name: string) => (line: string) => {
        const [word = '', number] = line.split(' ')
        if (word === 'look') queueMicrotask(() => conductor.hear(members[name] as Member, `still ${number}`))
        else told.push(`${name} ${line}`)
        if (word === 'move') setImmediate(() => setImmediate(() => conductor.hear(members.host, 'kept')))
        if (line === 'now 1000' && name === 'process') resolve()
      }
      const members: Record<'host' | 'process', Member> & Record<string, Member> = {
        host: conductor.join({ ...hello, pid: 0, isHost: true }, hear('host')),
        process: conductor.join(hello, hear('process')),
      }
      conductor.hear(members.host, 'keeps')
      conductor.hear(members.host, 'wait - - - 1 1')
      conductor.hear(members.process, 'wait - 1000 - 1 0')
    })
    expect(told.slice(-3)).toEqual(['host move 1000', 'host now 1000', 'process now 1000'])
  })
})
