import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { exploreSettings } from '../../src/explore/play/options.ts'
import { callsOf, jsonOf, type Run } from '../support/explored-calls.ts'
import { startForTest } from '../support/start-for-test.ts'

/** The same moment for all explorations, so that their file is rendered once. */
const emulator = await startForTest({ clock: 'manual', now: '2026-01-01T00:00:00Z' })

/** Makes a task and polls it to any of its ends. A refused call is sent again `retries` times. */
function client(retries: number) {
  return async ({ world, signal }: Run): Promise<void> => {
    /** Ten minutes of the world's time: few calls show that the client never gives up, so the processor's speed decides nothing. */
    const rest = async () => {
      await world.clock.advance('10m')
      await pause(200, undefined, { signal })
    }
    const { create, get } = callsOf(world, { signal })
    const call = async (ask: () => Promise<Response>) => {
      for (let again = retries; ; again--) {
        const reply = await ask()
        if (reply.ok) return jsonOf(reply)
        await reply.arrayBuffer()
        if (again === 0) throw new Error(`refused with ${reply.status}`)
        await rest()
      }
    }
    const { id } = await call(create)
    for (;;) {
      const { status } = await call(() => get(id))
      if (status === 'succeeded') return
      if (status !== 'queued' && status !== 'running') throw new Error(`the task is ${status}`)
      await rest()
    }
  }
}

const refusals = [
  'a.create unauthenticated',
  'a.create forbidden_model',
  'a.create moderated',
  'a.create insufficient_balance',
  'a.create invalid_parameter',
  'a.get unauthenticated',
  'a.get not_found',
]

/** `limit` ends those that never end; for others it is long, since a machine may be slow. */
async function verdicts(retries: number, only: string[], limit = '4s'): Promise<Record<string, string>> {
  const { cases } = await emulator.explore(client(retries), { only, limit, jobs: 7, clock: 'manual' })
  return Object.fromEntries(cases.map(({ operation, id, verdict }) => [`${operation} ${id}`, verdict]))
}

const each = (names: string[], verdict: string) => Object.fromEntries(names.map(name => [name, verdict]))

describe('a failure that is not transient happens at every attempt (docs/explore.md, "Choosing cases": transient)', () => {
  it('a client that repeats a refused call without an end is `hung`', async () => {
    expect(await verdicts(Number.POSITIVE_INFINITY, refusals)).toEqual(each(refusals, 'hung'))
  }, 60_000)

  it('a client that gives up after three attempts is `told`, not `recovered`', async () => {
    expect(await verdicts(3, refusals, '60s')).toEqual(each(refusals, 'told'))
  }, 60_000)

  it('a client that sends the call again recovers from a transient refusal', async () => {
    const passing = ['a.create unavailable', 'a.create rate_limited_bare', 'a.get internal']
    expect(await verdicts(1, passing, '60s')).toEqual(
      expect.objectContaining({ 'a.create unavailable': 'recovered', 'a.get internal': 'recovered' }),
    )
  }, 60_000)

  it('a stuck task does not expire: a client that never gives up is `hung`; one that sees `expired` is `told`', async () => {
    const only = ['a.create task_stuck', 'a.create task_expired']
    const { cases } = await emulator.explore(client(0), { only, limit: '4s' })
    expect(cases).toMatchObject([
      { id: 'task_expired', verdict: 'told' },
      {
        id: 'task_stuck',
        verdict: 'hung',
        evidence: expect.stringMatching(
          /^asked \d+ times in \d+h\w* of virtual time .* while the task never ended$/,
        ),
      },
    ])
  }, 60_000)
})

it('a call that the program no longer makes is listed as not tried, although a rule waits for it (docs/explore.md, "Choosing cases")', async () => {
  let runs = 0
  const forgetful = async ({ world, signal }: Run): Promise<void> => {
    const { create, get } = callsOf(world, { signal })
    const { id } = await jsonOf(create())
    // The undisturbed run is made twice.
    if (++runs <= 2) await (await get(id)).json()
  }
  const { cases, not_tried } = await emulator.explore(forgetful, {
    only: ['a.get not_found'],
    withoutResult: true,
  })
  expect(cases).toEqual([])
  expect(not_tried).toMatchObject([{ what: 'a.get#1 not_found' }])
}, 60_000)

it.each([
  ['2026-01-01T00:00', '2026-01-01T00:00:00.000Z'],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
])('reads the moment %s as UTC on every machine (A-moments)', (now, expected) => {
  expect(exploreSettings({ now }, 'unused').now).toBe(expected)
})

it('refuses a text that is not a moment, and quotes it (A-moments)', () => {
  expect(() => exploreSettings({ now: 'soon' }, 'unused')).toThrow('now: "soon" is not a moment such as')
})
