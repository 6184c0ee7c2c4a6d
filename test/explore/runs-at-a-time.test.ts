import { getMaxListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { sleepShareOf } from '../../src/explore/plan/poll-pace.ts'
import { explore } from '../../src/explore/play/explore.ts'
import { type ExploreOptions, exploreSettings } from '../../src/explore/play/options.ts'
import type { Subject } from '../../src/explore/run/run.ts'
import { commandSubject } from '../../src/explore/run/run-command.ts'
import { emptyStates } from '../../src/explore/run/state-folder.ts'
import type { ControlClient } from '../../src/kits/client/client.ts'
import type { RequestView } from '../../src/kits/client/types.ts'
import { callsOf, jsonOf } from '../support/explored-calls.ts'
import { startForTest } from '../support/start-for-test.ts'

const emulator = await startForTest({})

/** The same emulator, to which polls seem to come five seconds later than they do. */
const afterSleep: ControlClient = {
  ...emulator,
  async openWorld(asked) {
    const world = await emulator.openWorld(asked)
    const list: typeof world.requests.list = async filter =>
      (await world.requests.list(filter)).map(one =>
        one.operation === 'a.get' ? { ...one, started_ms: one.started_ms + 5000 } : one,
      )
    return { ...world, requests: { ...world.requests, list } }
  },
}

/**
 * Creates and polls once, in a run that says that it took `ms`. With a failure it waits until `together` runs are under way, so
 * that fewer at a time never end.
 */
function sleeper({
  together,
  ...told
}: {
  ms: number
  busyMs?: number
  together: number
}): Subject & { most(): number; names: string[] } {
  const names: string[] = []
  let [now, most] = [0, 0]
  let meet = () => {}
  const met = new Promise<void>(resolve => {
    meet = resolve
  })
  return {
    most: () => most,
    names,
    async run(world, { name }) {
      most = Math.max(most, ++now)
      names.push(name)
      if (now === together) meet()
      const { create, get } = callsOf(world)
      const { id } = await jsonOf(create())
      if (name === 'undisturbed') {
        await (await get(id)).text()
      } else await met
      now -= 1
      return { exit: { kind: 'ended', code: 0 }, output: '', errors: '', ...told }
    },
  }
}

async function explored(subject: Subject, options: ExploreOptions, isCommand = true) {
  const refusals = ['moderated', 'rate_limited', 'unavailable', 'internal', 'unauthenticated']
  const tasks = ['task_failed', 'task_expired', 'task_cancelled']
  const only = [...refusals, ...tasks].map(id => `a.create#1 ${id}`)
  const settings = exploreSettings({ only, withoutResult: true, ...options }, '2026-01-01T00:00:00Z')
  return explore({ emulator: afterSleep, subject, settings, ...(isCommand && { states: emptyStates }) })
}

describe('runs at a time (docs/explore.md, "Time")', () => {
  it('are eight of a command that does nothing but sleep in real time, and the report says so', async () => {
    const subject = sleeper({ ms: 5000, together: 8 })
    const { time, cases } = await explored(subject, {})
    expect(time.why).toMatch(/; it mostly waits, so 8 runs at a time$/)
    expect([cases.length, subject.most()]).toEqual([8, 8])
  })

  it('are as many as keep one processor busy, however short the pauses of a command are', async () => {
    const subject = sleeper({ ms: 60_000, busyMs: 12_000, together: 5 })
    const { time } = await explored(subject, {})
    expect([time.why, subject.most()]).toEqual([
      expect.stringMatching(/mostly waits, so 5 runs at a time$/),
      5,
    ])
  })

  it('are two of a command whose work takes half of its run, however long its pauses are', async () => {
    const subject = sleeper({ ms: 5000, busyMs: 2500, together: 2 })
    const { time } = await explored(subject, {})
    expect([time.why, subject.most()]).toEqual(['as asked for', 2])
  })

  it.each([
    ['first, so that nothing waits for them at the end', '5m', 'a.create#1 task_stuck'],
    ['last, when they could use half of the budget', '1m', 'a.create#1 moderated'],
  ])('begin with those that may take long %s', async (_, budget, begun) => {
    const subject = sleeper({ ms: 5000, busyMs: 5000, together: 1 })
    const only = ['a.create#1 moderated', 'a.create#1 task_stuck']
    await explored(subject, { only, budget, limit: '1m', jobs: 1 })
    expect(subject.names.find(name => name !== 'undisturbed')).toBe(begun)
  })

  it('are two of a command that sleeps for less than half of its run', async () => {
    const subject = sleeper({ ms: 60_000, together: 2 })
    const { time } = await explored(subject, {})
    expect([time.why, subject.most()]).toEqual(['as asked for', 2])
  })

  it.each([
    ['as many as the user chose', { jobs: 3 }, true, 3],
    ['two of a function, which shares its process with the others', {}, false, 2],
  ])('are %s', async (_, options, isCommand, together) => {
    const subject = sleeper({ ms: 5000, together })
    const { time } = await explored(subject, options, isCommand)
    expect([time.why, subject.most()]).toEqual(['as asked for', together])
  })
})

const call = (operation: string, started_ms: number, duration_ms = 0) =>
  ({ operation, started_ms, duration_ms }) as RequestView

describe('the share of a run in which a program slept', () => {
  it.each([
    ['counts pauses before polls', [call('a.create', 0), call('a.get', 5000), call('a.get', 9000)], 0.9],
    ['counts polls by list', [call('a.create', 0), call('a.list', 5000)], 0.5],
    ['does not count the time of a reply', [call('a.create', 0, 4000), call('a.get', 9000)], 0.5],
    ['does not count short pauses', [call('a.create', 0), call('a.get', 900), call('a.get', 1800)], 0],
    [
      'does not count work before a create or a download',
      [call('a.create', 0), call('media.download', 9000)],
      0,
    ],
    ['is 0 without calls', [], 0],
  ])('%s', (_, requests, share) => {
    expect(sleepShareOf({ requests }, 10_000)).toBeCloseTo(share, 6)
  })
})

it.runIf(process.platform === 'linux')(
  'the processor time of a run is that of all its processes',
  async () => {
    const work = `while (process.cpuUsage().user < 200_000) Math.random()`
    const script = `require('node:child_process').spawnSync(process.execPath, ['-e', '${work}'])`
    const inherited = process.env
    const subject = commandSubject({ program: process.execPath, args: ['-e', script], env: [], inherited })
    const world = await emulator.openWorld({ clock: 'manual' })
    const { signal } = new AbortController()
    const { busyMs } = await subject.run(world, { name: 'a test', limitMs: 500_000, signal, time: 'real' })
    await world.drop()
    expect(busyMs).toBeGreaterThanOrEqual(200)
  },
)

describe('runs that go on together', () => {
  it("are ended by the caller's signal, however many they are: Node warns of none, and the signal stays as it was", async () => {
    const warnings: string[] = []
    const hear = ({ name }: Error) => warnings.push(name)
    process.on('warning', hear)
    const caller = new AbortController()
    const listeners = getMaxListeners(caller.signal)
    const { signal } = exploreSettings({ jobs: 20, signal: caller.signal }, '2026-01-01T00:00:00Z')
    const subject = commandSubject({ program: 'sleep', args: ['600'], env: [], inherited: process.env })
    const world = await emulator.openWorld({ clock: 'manual' })
    const run = { name: 'a test', limitMs: 500_000, signal, time: 'real' } as const
    const runs = Array.from({ length: 20 }, () => subject.run(world, run))
    caller.abort()
    const exits = (await Promise.all(runs)).map(({ exit }) => exit)
    process.off('warning', hear)
    await world.drop()
    expect(exits).toEqual(Array(20).fill({ kind: 'signal', signal: 'SIGINT' }))
    expect(warnings).toEqual([])
    expect(getMaxListeners(caller.signal)).toBe(listeners)
  })
})
