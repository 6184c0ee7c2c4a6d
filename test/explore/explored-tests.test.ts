import { describe, expect, it, vi } from 'vitest'
import { exploredCases } from '../../src/kits/testing/explored-cases.ts'
import { exploreTests } from '../../src/kits/testing/vitest.ts'
import { callsOf, jsonOf, type Run } from '../support/explored-calls.ts'
import { startForTest } from '../support/start-for-test.ts'

const emulator = await startForTest({})

/** Lists the tasks `times` times; throws an error after a refusal. */
async function lister({ world }: Pick<Run, 'world'>, times = 3): Promise<void> {
  for (let time = 0; time < times; time++) {
    const reply = await callsOf(world).list()
    if (!reply.ok) throw new Error(`refused with ${reply.status}`)
    await reply.json()
  }
}

const { url } = emulator
const only = ['unavailable', 'internal', 'unauthenticated']

async function outcomes(
  options: Parameters<typeof exploredCases>[1],
  program: (run: Run) => Promise<void> = lister,
): Promise<(string | undefined)[]> {
  const { cases, close } = await exploredCases(program, { url, only, ...options })
  const found = await Promise.all(cases.map(({ play }) => play()))
  await close()
  return found.map(({ skipped }) => skipped)
}

describe('exploreTests reports everything that it leaves out (docs/explore.md, "Choosing cases")', () => {
  it('repeated calls become one skipped test whose reason lists them', async () => {
    const { cases } = await exploredCases(lister, { url, only: ['a.list unavailable'] })
    expect(cases.map(({ title }) => title)).toEqual([
      'a.list#1 unavailable: the service is unavailable for a short time',
      'later calls of a.list: repeats a.list#1',
    ])
    expect(await cases[1]?.play()).toEqual({ skipped: 'not tried: a.list#2 to #3 repeats a.list#1' })
  })

  it('tests are skipped with a reason when the budget is used up', async () => {
    const now = performance.now.bind(performance)
    let passedMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs)
    const slow = (run: Run) => lister(run).finally(() => (passedMs += 3_600_000))
    const [first, ...later] = await outcomes({ budget: 600_000 }, slow)
    vi.restoreAllMocks()
    expect(first).toBeUndefined()
    expect(later).toEqual([
      'not tried: the budget of 10m had passed',
      'not tried: the budget of 10m had passed',
      'not tried: a.list#2 to #3 repeats a.list#1',
    ])
  })

  it('two failures in one run become a test when `pairs` is set', async () => {
    const { cases } = await exploredCases(lister, { url, only: ['unavailable', 'internal'], pairs: true })
    expect(cases.map(({ title }) => title.split(': ')[0])).toEqual([
      'a.list#1 unavailable',
      'a.list#1 internal',
      'a.list#1 unavailable + a.list#1 internal',
      'later calls of a.list',
    ])
  })

  it('a pair is skipped when one of its failures alone has the same cause', async () => {
    const careless = async ({ world }: Run) => {
      const { list } = callsOf(world)
      await (await list('?page_num=1')).text()
      const { items } = await jsonOf<{ items: unknown[] }>(list('?page_size=5'))
      items.map(String)
    }
    const { cases, close } = await exploredCases(careless, { url, only: ['internal'], pairs: true })
    const found: unknown[] = []
    for (const { title, play } of cases)
      found.push([title.split(':')[0], await play().catch(error => String(error).split(':')[1])])
    await close()
    expect(found).toEqual([
      ['a.list#1 internal', {}],
      ['a.list#2 internal', ' crashed'],
      [
        'a.list#1 internal + a.list#2 internal',
        { skipped: 'left out: one of the two failures alone has the same cause' },
      ],
    ])
  })

  it('a test is skipped with a reason when the program does not make the call again', async () => {
    let runs = 0
    const forgetful = async ({ world }: Run) => {
      // The undisturbed run is made twice.
      if (++runs <= 2) return await lister({ world })
      await fetch(`${world.baseUrl}/api/v3/contents/generations/tasks/x`)
    }
    const { cases, close } = await exploredCases(forgetful, { url, only: ['a.list internal'] })
    expect(await cases[0]?.play()).toEqual({
      skipped: 'not tried: the program did not make the call a.list#1 in this run',
    })
    await close()
  })

  it.each([
    [undefined, 1],
    [2, 2],
  ])('with `jobs: %s`, at most %i tests run at a time', async (jobs, most) => {
    let running = 0
    let seen = 0
    const counting = async (run: Run) => {
      seen = Math.max(seen, ++running)
      await lister(run).finally(() => running--)
    }
    const { cases, close } = await exploredCases(counting, { url, only, jobs })
    await Promise.allSettled(cases.map(({ play }) => play()))
    await close()
    expect(seen).toBe(most)
  })

  it('the time limit of a test allows each earlier case two plays, each with a second run and a wait for files', async () => {
    const { cases, timeoutMs } = await exploredCases(lister, { url, only, limit: '20s', jobs: 2 })
    expect(cases).toHaveLength(4)
    // Three cases, two at a time: two turns.
    expect(timeoutMs).toBe(2 * (42 * 20_000 + 10_000))
  })

  /** Ignores Retry-After: a warning. */
  async function hasty({ world }: Run): Promise<void> {
    for (let attempt = 0; attempt < 2; attempt++) {
      const reply = await callsOf(world).picture({ size: '1k' })
      await reply.text()
      if (reply.ok) return
    }
    throw new Error('refused twice')
  }

  it('a warning passes with its finding, and fails where `failOn` is `warnings` (docs/explore.md, "What it says": rude)', async () => {
    const rude = { url, only: ['image.generate rate_limited'] }
    const passing = await exploredCases(hasty, rude)
    const { warning } = (await passing.cases[0]?.play()) ?? {}
    expect(warning).toMatch(
      /^image\.generate#1 rate_limited: rude: ended with 0, .*; image\.generate came again after \d+ms, although/,
    )
    await passing.close()
    const strict = await exploredCases(hasty, { ...rude, failOn: 'warnings' })
    await expect(strict.cases[0]?.play()).rejects.toThrow(/^rude: .*Cause: does not wait as long as/s)
    await strict.close()
  })

  it('a command is played in the time in which it ran undisturbed', async () => {
    // It works only in real time.
    const program = `
      const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key, GATEWAY_EMULATOR_TIME: time } = process.env
      if (time) throw new Error('not in ' + time)
      const headers = { Authorization: 'Bearer ' + key }
      const reply = await fetch(url + '/api/v3/contents/generations/tasks', { headers })
      console.log('the list is empty')
      if (!reply.ok) throw new TypeError('no list')`
    const command = [process.execPath, '--input-type=module', '-e', program] as const
    const { cases, close } = await exploredCases({ command }, { url, only: ['a.list unavailable'] })
    await expect(cases[0]?.play()).rejects.toThrow(/^crashed: .*no list/)
    await close()
  })

  it('wrong options are refused with the messages of `emulator.explore`', async () => {
    await expect(exploredCases(lister, { url, jobs: 0 })).rejects.toThrow('jobs: "0" is not an integer')
    await expect(exploredCases(lister, { url, budget: 'soon' })).rejects.toThrow('budget: "soon"')
  })
})

const once = (run: Run) => lister(run, 1)
await exploreTests('a client with two tests at a time (docs/explore.md, "In code")', once, {
  url,
  only,
  jobs: 2,
})
