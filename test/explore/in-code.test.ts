import { describe, expect, it } from 'vitest'
import { explore } from '../../src/explore/play/explore.ts'
import { functionExploration } from '../../src/explore/play/explore-function.ts'
import { exploreSettings } from '../../src/explore/play/options.ts'
import { notesOf } from '../../src/explore/report/report.ts'
import type { Subject } from '../../src/explore/run/run.ts'
import { filesReady } from '../../src/explore/run/world-run.ts'
import { connectEmulator } from '../../src/index.ts'
import type { TaskView } from '../../src/kits/client/types.ts'
import { exploreTests } from '../../src/kits/testing/vitest.ts'
import { callsOf, jsonOf, type Run } from '../support/explored-calls.ts'
import { listening } from '../support/input-server.ts'
import { startForTest } from '../support/start-for-test.ts'

/** The same moment for all explorations, so that their file is rendered once. */
const emulator = await startForTest({ clock: 'manual', now: '2026-01-01T00:00:00Z' })

interface TaskReply {
  status: string
  content: { video_url: string }
}

/** Creates and polls; reports each refusal, and reads fields without a check. */
async function plain({ world }: Pick<Run, 'world'>): Promise<void> {
  const { create, get } = callsOf(world)
  const made = await create()
  if (!made.ok) throw new Error(`refused with ${made.status}`)
  const { id } = await jsonOf(made)
  for (;;) {
    const task = await jsonOf<TaskReply>(get(id))
    if (['queued', 'running'].includes(task.status)) continue
    console.assert(task.content.video_url.length > 0)
    return
  }
}

/** Fetches the file twice with the key of the API, which a signed link does not take, and does not look at the replies. */
async function withKeyEverywhere({ world }: Pick<Run, 'world'>): Promise<void> {
  const { create, get } = callsOf(world)
  const { id } = await jsonOf(create())
  for (;;) {
    const task = await jsonOf<TaskReply>(get(id))
    if (task.status !== 'succeeded') continue
    const headers = { Authorization: `Bearer ${world.apiKey}` }
    for (let times = 0; times < 2; times++)
      await (await fetch(task.content.video_url, { headers })).arrayBuffer()
    return
  }
}

const busyHealth = async () => ({ ...(await emulator.health()), rendering: 1 })
/** The emulator may still render files of earlier tests. */
const idleHealth = async () => ({ ...(await emulator.health()), rendering: 0 })

/** Explores while the emulator renders all the time. Two undisturbed runs and the first of the case are those of `plain`. */
async function playedBusy(only: string[], later: (run: Run) => Promise<void>) {
  let runs = 0
  const counted = (run: Run) => (++runs <= 3 ? plain(run) : later(run))
  const exploration = await functionExploration({ ...emulator, health: busyHealth }, counted, { only })
  const { cases } = await explore(exploration)
  return { runs, cases }
}

describe('emulator.explore (docs/explore.md, "In code")', () => {
  it('gives cases, problems and a matrix; a function that throws is `told`, or `crashed` for an error of the language', async () => {
    const report = await emulator.explore(plain, {
      only: ['a.create moderated', 'a.create task_failed', 'a.get proxy_page'],
    })
    const found = Object.fromEntries(report.cases.map(({ id, verdict }) => [id, verdict]))
    // A page of HTML read as JSON is a SyntaxError: the function has thrown, and none of the three classes.
    expect(found).toEqual({ moderated: 'told', task_failed: 'crashed', proxy_page: 'paid_for_nothing' })
    expect(report.problems.map(({ id }) => id)).toEqual(['task_failed', 'proxy_page'])
    expect(report.matrix()).toMatch(/a\.create#1 +· C/)
  })

  it('says what the gateway refuses undisturbed, such as a link that is fetched with a key (`undisturbed_refusals`)', async () => {
    const report = await emulator.explore(withKeyEverywhere, { only: ['media.download unavailable'] })
    expect(report.undisturbed_refusals).toEqual([
      {
        operation: 'media.download',
        status: 400,
        times: 2,
        said: expect.stringMatching(/^Only one auth mech/),
      },
    ])
    expect(notesOf(report)).toEqual([
      expect.stringMatching(/^also undisturbed, media\.download was refused 2 times with 400: Only one auth/),
    ])
    expect(report.not_tried).toContainEqual({
      kind: 'case',
      what: 'media.download#1 unavailable',
      reason: 'media.download#1 was refused with 400 before the failure could come to it',
    })
  })

  it('does not report accepted problems, and lists those that no longer occur', async () => {
    const report = await emulator.explore(plain, { only: ['a.create task_failed'] })
    const known = report.accept([
      { operation: 'a.create', id: 'task_failed', verdict: 'crashed', reason: 'soon' },
      { operation: 'a.create', id: 'task_failed', verdict: 'hung' },
    ])
    expect(known.problems).toEqual([])
    expect(known.stale).toMatchObject([{ verdict: 'hung' }])
  })

  it('gives the same result with an emulator that is only known by its address', async () => {
    const report = await connectEmulator(emulator.url).explore(plain, { only: ['a.create moderated'] })
    expect(report.cases.map(({ verdict }) => verdict)).toEqual(['told'])
  })

  it('names the call whose reply a part of the function waits for, also when other parts went on after it', async () => {
    const beside = async (run: Run) => {
      const made = plain(run)
      for (let i = 0; i < 5; i++) await (await callsOf(run.world).list()).text()
      await made
    }
    const { cases } = await emulator.explore(beside, { only: ['a.create no_answer'], limit: '2s' })
    expect(cases[0]?.requests?.at(-1)).toContain('a.list')
    expect(cases).toMatchObject([
      { evidence: expect.stringMatching(/^waited for a reply to a\.create, which never came/) },
    ])
  })

  it('stops waiting for a function that does not end, and aborts its signal', async () => {
    const signals: AbortSignal[] = []
    const report = await emulator.explore(
      async ({ world, signal }) => {
        signals.push(signal)
        await plain({ world }).catch(() => new Promise(() => {}))
      },
      { only: ['a.create moderated'], limit: '1s' },
    )
    expect(report.cases[0]).toMatchObject({ verdict: 'unfinished' })
    expect(signals.at(-1)?.aborted).toBe(true)
  })

  it('an undisturbed run may take three times the limit, since files are rendered in it (docs/explore.md, "Choosing cases": --limit)', async () => {
    const limits: [string, number][] = []
    const { subject, ...exploration } = await functionExploration(emulator, plain, {
      only: ['a.create moderated'],
      limit: '20s',
    })
    const watched: Subject = {
      run(world, options) {
        limits.push([options.name, options.limitMs])
        return subject.run(world, options)
      },
    }
    await explore({ ...exploration, subject: watched })
    expect(limits).toEqual([
      ['undisturbed', 60_000],
      ['undisturbed', 60_000],
      ['a.create#1 moderated', 20_000],
    ])
  })

  it.each([
    ['a pattern that matches no case', { only: ['k.create'] }, 'matches no case'],
    ['a limit that is not a duration', { limit: 'soon' }, 'limit: "soon" is not a length of time'],
    ['no jobs', { jobs: 0 }, 'jobs: "0" is not an integer'],
    ['an option that does not exist', { limt: '5s' } as object, 'Unknown option limt; did you mean limit?'],
    ['a text in the place of a list', { only: 'a.create' } as object, 'only: "a.create" is not an array'],
  ])('refuses %s', async (_, options, message) => {
    await expect(emulator.explore(plain, options)).rejects.toThrow(message)
  })

  it('repeats the undisturbed run when it failed while a file was still being rendered', async () => {
    let runs = 0
    const impatient = async (run: Run) => {
      await plain(run)
      if (++runs === 1) throw new Error('the download took too long')
    }
    const { cases } = await emulator.explore(impatient, { only: ['a.create moderated'] })
    expect(cases).toHaveLength(1)
    // Three undisturbed runs, of which the first failed, and none of the case: its create throws.
    expect(runs).toBe(3)
  })

  it('plays a case once more when the program gave up while a file was still being rendered', async () => {
    const only = ['a.get#1 garbled_answer']
    const busy = await playedBusy(only, run => plain(run).catch(() => plain(run)))
    expect(busy).toMatchObject({ runs: 6, cases: [{ verdict: 'paid_twice' }] })
    const { cases } = await emulator.explore(plain, { only })
    expect(cases).toMatchObject([{ id: 'garbled_answer', verdict: 'paid_for_nothing' }])
  })

  it('plays a crash once more too, and calls it unsteady when no later play meets the failure', async () => {
    const only = ['a.create#1 task_failed']
    const again = await playedBusy(only, run => plain(run).catch(() => plain(run)))
    expect(again).toMatchObject({ runs: 4, cases: [{ verdict: 'recovered' }] })
    const unmet = await playedBusy(only, async () => {})
    expect(unmet).toMatchObject({ runs: 6, cases: [{ verdict: 'unsteady' }] })
  })

  it('plays a case once more when it reached its limit while its file was still being rendered', async () => {
    const patient = (run: Run) => plain(run).catch(() => plain(run))
    const { subject, ...exploration } = await functionExploration(emulator, patient, {
      only: ['a.create#1 unavailable'],
    })
    const endedAfter = async (health: typeof emulator.health) => {
      let runs = 0
      const late: Subject = {
        async run(world, options) {
          const done = await subject.run(world, options)
          // Two undisturbed runs, and the first of the case, in which the download is still awaited.
          return ++runs === 3 ? { ...done, exit: { kind: 'limit', ms: options.limitMs } } : done
        },
      }
      return (await explore({ ...exploration, subject: late, emulator: { ...emulator, health } })).cases
    }
    expect(await endedAfter(busyHealth)).toMatchObject([{ verdict: 'recovered' }])
    expect(await endedAfter(idleHealth)).toMatchObject([{ verdict: 'unfinished' }])
  })

  it('an abort in the first undisturbed run starts no other run', async () => {
    const stop = new AbortController()
    let runs = 0
    const aborted = async (run: Run) => {
      runs++
      await plain(run)
      stop.abort()
      throw new Error('stopped')
    }
    const exploring = emulator.explore(aborted, { only: ['a.create moderated'], signal: stop.signal })
    await expect(exploring).rejects.toThrow('The undisturbed run ended with 1')
    expect(runs).toBe(1)
  })

  it('waits for a file at most as long as a run may take, and not at all after an abort', async () => {
    const silent = await listening(() => {})
    const tasks = [{ media: [{ url: `${silent.url}/file` }] }] as unknown as TaskView[]
    await filesReady(tasks, { signal: new AbortController().signal, limitMs: 20 })
    await filesReady(tasks, { signal: AbortSignal.abort(), limitMs: 3_600_000 })
    await silent.close()
  })

  it('reads a number as milliseconds, also with a fraction', () => {
    const settings = exploreSettings({ limit: 1500.5, budget: '2500.25' }, '2026-01-01T00:00:00Z')
    expect([settings.limitMs, settings.budgetMs]).toEqual([1501, 2500])
  })

  it('rejects when the undisturbed run throws, or calls nothing', async () => {
    await expect(emulator.explore(() => Promise.reject(new Error('no luck')))).rejects.toThrow(
      'The undisturbed run ended with 1',
    )
    await expect(emulator.explore(() => {})).rejects.toThrow(
      /made no call: no request came to .*; the function gets its address and key as `world.baseUrl`/,
    )
  })
})

await exploreTests('a client that tells (docs/explore.md, "In code")', plain, {
  only: ['a.create#1 moderated', 'a.create#1 rate_limited', 'a.create#1 task_failed'],
  accept: [
    { operation: 'a.create', id: 'task_failed', verdict: 'crashed', reason: 'shows how it is accepted' },
  ],
})
