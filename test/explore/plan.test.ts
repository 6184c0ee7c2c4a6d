// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { describe, expect, it } from 'vitest'
import { planGivenTo } from '../../src/explore/plan/plan.ts'
import { rulesByFailure, scenarioOf } from '../../src/explore/plan/scenario.ts'
import { htmlReport } from '../../src/explore/report/html.ts'
import { junitReport } from '../../src/explore/report/junit.ts'
import { playedText, summaryOf } from '../../src/explore/report/report.ts'
import { reporters, reportFor } from '../../src/explore/report/reports.ts'
import type { TaskView } from '../../src/kits/client/types.ts'
import { callsOf, jsonOf, kite, type Run } from '../support/explored-calls.ts'
import { failureOf } from '../support/failure-of.ts'
import { startForTest } from '../support/start-for-test.ts'

/** The same moment for all explorations, so that their file is rendered once. */
const emulator = await startForTest({ now: '2026-01-01T00:00:00Z' })

type Wait = (run: Run) => Promise<unknown>

/** Makes a task, looks it up in the list until it has succeeded, and hands its link on. A refused call is sent again. */
const byList =
  (patience: number, wait: Wait, text = 'a kite') =>
  async (run: Run): Promise<void> => {
    const { create, list } = callsOf(run.world, { signal: run.signal })
    const call = async (ask: () => Promise<Response>) => {
      for (let attempt = 1; ; attempt++) {
        const reply = await ask()
        if (reply.ok) return reply
        await reply.arrayBuffer()
        if (attempt === patience) throw new Error(`refused with ${reply.status}`)
        await wait(run)
      }
    }
    await (await call(() => create({ ...kite, content: [{ type: 'text', text }] }))).json()
    for (;;) {
      const { items } = await jsonOf<{ items: { status: string }[] }>(call(list))
      const [task] = items
      if (task?.status === 'succeeded') return
      if (task && !['queued', 'running'].includes(task.status)) throw new Error(`it is ${task.status}`)
      await wait(run)
    }
  }

const resting: Wait = async () => undefined
/** As a program in virtual time. */
const advancing: Wait = ({ world }) => world.clock.advance('5s')

/** Makes a task and cancels it at once; `isHeard`: a refusal is an error. */
const cancelling =
  (isHeard: boolean) =>
  async ({ world }: Run) => {
    const { create, remove } = callsOf(world)
    const { status } = await remove((await jsonOf(create())).id)
    if (isHeard && status !== 200) throw new Error(`not cancelled: ${status}`)
  }

/** Makes a video, and a picture where that is refused. */
const elsewhere = async (run: Run) => {
  try {
    await byList(1, advancing)(run)
  } catch {
    const reply = await callsOf(run.world).picture()
    if (reply.status !== 200) throw new Error(`refused with ${reply.status}`)
    const { data } = await jsonOf<{ data: { url: string }[] }>(reply)
    await (await fetch(data[0]?.url ?? '')).arrayBuffer()
  }
}

describe('what is tried (docs/explore.md, "Choosing cases")', () => {
  it('a program that polls by list has its last poll tried, which bears the result', async () => {
    // A reply that never comes takes the whole limit.
    const options = { only: ['a.list'], skip: ['no_answer'], clock: 'manual' } as const
    const { cases } = await emulator.explore(byList(1, advancing), options)
    const last = cases.filter(({ nth }) => nth > 1)
    expect(last.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['unavailable', 'paid_for_nothing'],
      ['reply_cut', 'paid_for_nothing'],
    ])
  })

  it('a look whether the task exists, before it is made, is no poll: the first poll is tried with every failure', async () => {
    const looking = async (run: Run) => {
      await (await callsOf(run.world).list()).arrayBuffer()
      await byList(1, advancing)(run)
    }
    const options = { only: ['a.list garbled_answer', 'a.list internal'], clock: 'manual' } as const
    const { cases } = await emulator.explore(looking, options)
    expect(cases.map(({ nth, id, verdict }) => [nth, id, verdict])).toEqual([
      [1, 'internal', 'recovered'],
      [1, 'garbled_answer', 'recovered'],
      [2, 'internal', 'paid_for_nothing'],
      [2, 'garbled_answer', 'paid_for_nothing'],
    ])
  })

  it('a probe that is refused undisturbed has the failures of a call, and the first create that makes a task those of a task', async () => {
    const probing = async (run: Run) => {
      const reply = await callsOf(run.world).create({})
      if (reply.status !== 400) throw new Error(`the probe was answered ${reply.status}`)
      await byList(1, advancing)(run)
    }
    const namesOf = async (only: string) => {
      const options = { only: [only], skip: ['task_expired'], clock: 'manual' } as const
      const { cases } = await emulator.explore(probing, options)
      return cases.map(({ nth, id, verdict }) => [nth, id, verdict])
    }
    const ofCalls = ['rate_limited', 'moderated', 'unauthenticated']
    const ofTasks = ['task_failed', 'task_moderated', 'task_cancelled']
    expect(await namesOf('a.create *ed')).toEqual([
      ...ofCalls.map(id => [1, id, 'told']),
      ...[...ofCalls, ...ofTasks].map(id => [2, id, 'told']),
    ])
    expect(await namesOf('a.create#1 task_moderated')).toEqual([[2, 'task_moderated', 'told']])
  })

  it('the link must have been in a reply, when the program hands it on and fetches nothing', async () => {
    const only = ['a.create no_result_link']
    const { cases } = await emulator.explore(byList(1, advancing), { only, clock: 'manual' })
    expect(cases).toMatchObject([{ end: 'false_success', verdict: 'false_success' }])
  })

  it('no reply without a link is tried at a picture that comes in the reply itself', async () => {
    const inReply = async ({ world }: Run) =>
      void (await callsOf(world).picture({ response_format: 'b64_json' }))
    const { cases, not_tried } = await emulator.explore(inReply, { only: ['no_result_link'] })
    expect(cases).toEqual([])
    const reason = 'no reply of the undisturbed run has its link'
    expect(not_tried).toEqual([{ kind: 'case', what: 'image.generate#1 no_result_link', reason }])
  })

  it('in an outage every call is refused for half a minute: three attempts are too few, ten are not', async () => {
    const options = { only: ['a.list#1 outage'], clock: 'manual' } as const
    const { cases } = await emulator.explore(byList(3, advancing), options)
    expect(cases).toMatchObject([{ id: 'outage', end: 'told', verdict: 'paid_for_nothing' }])
    expect((await emulator.explore(byList(10, advancing), options)).cases).toMatchObject([
      { verdict: 'recovered' },
    ])
  })

  it('an outage begins at its call: a create that comes a minute late is answered (docs/explore.md, "Choosing cases")', async () => {
    let runs = 0
    const starting = async (run: Run) => {
      // The undisturbed run is made twice; the run with the outage starts a minute later than these.
      if (++runs > 2) await run.world.clock.advance('60s')
      await byList(3, advancing)(run)
    }
    const { cases } = await emulator.explore(starting, { only: ['a.list#1 outage'], clock: 'manual' })
    expect(cases.map(({ end, verdict, requests }) => [end, verdict, requests?.[0]])).toEqual([
      ['told', 'paid_for_nothing', expect.stringContaining('(a.create) -> 200')],
    ])
  })

  it('a key that is refused at a poll is refused at every later call of the account, and nothing more is paid', async () => {
    const again = (run: Run) => byList(1, advancing)(run).catch(() => byList(1, advancing)(run))
    const { cases } = await emulator.explore(again, { only: ['a.list#1 unauthenticated'], clock: 'manual' })
    expect(cases.map(({ end, bill }) => [end, bill.verdict])).toEqual([['told', 'same']])
    expect(cases[0]?.requests?.at(-1)).toContain('(a.create) -> 401')
    expect(cases[0]?.bill.settled).toBe(cases[0]?.bill.undisturbed)
  })

  it('a program that receives no result is not explored, unless it is asked for', async () => {
    const options = { only: ['a.delete unavailable'], clock: 'manual' } as const
    await expect(emulator.explore(cancelling(false), options)).rejects.toThrow(
      'The undisturbed run made 1 task and received no result: no reply that it read says that a task has succeeded; in the end they are cancelled (1). A program that only cancels or lists is explored with withoutResult: true',
    )
    const { cases } = await emulator.explore(cancelling(false), { ...options, withoutResult: true })
    expect(cases.map(({ id }) => id)).toEqual(['unavailable'])
  })

  it('a DELETE that is to cancel finds the task running and is refused: that it is paid then is no problem, and silence is a warning', async () => {
    const options = { only: ['a.delete delete_refused'], clock: 'manual', withoutResult: true } as const
    const [silent] = (await emulator.explore(cancelling(false), options)).cases
    expect(silent).toMatchObject({ end: 'done', verdict: 'paid_twice', level: 'warning' })
    expect(silent?.requests?.at(-1)).toMatch(/a\.delete\) -> 409$/)
    const { cases, totals } = await emulator.explore(cancelling(true), options)
    expect(cases).toMatchObject([{ end: 'told', verdict: 'told', bill: { verdict: 'twice' } }])
    expect(totals.bill.twice).toEqual({ credits: 0, cases: 0 })
  })

  it.each([
    ['forbidden_model', ['(a.create) -> 403', '(image.generate) -> 200', '(media.download) -> 200']],
    ['insufficient_balance', ['(a.create) -> 403', '(image.generate) -> 403']],
    ['unauthenticated', ['(a.create) -> 401', '(image.generate) -> 401']],
  ])('%s refuses from its call on all that this account would be refused', async (id, expected) => {
    const { cases } = await emulator.explore(elsewhere, { only: [`a.create ${id}`], clock: 'manual' })
    const calls = cases[0]?.requests?.map(line => /\(\S+\) -> \d+/.exec(line)?.[0])
    expect(calls).toEqual(expected)
  })

  it('a report says how many of the planned cases were played', async () => {
    let runs = 0
    const forgetting = async (run: Run) => (++runs > 2 ? undefined : byList(1, advancing)(run))
    const only = ['a.create unavailable', 'a.list#1 unavailable']
    const report = await emulator.explore(forgetting, { only, clock: 'manual' })
    expect(report.planned).toBe(2)
    expect(playedText(report)).toBe('0 of 2 cases')
    expect(report.cases.map(({ id, verdict, level }) => [id, verdict, level])).toEqual([
      ['unavailable', 'not_reached', 'warning'],
      ['unavailable', 'not_reached', 'warning'],
    ])
    expect(report.cases[1]?.evidence).toBe(
      'did not make the call a.list#1, which it makes undisturbed, although no failure had come: ended with 0, but it saw 0 of 1 task succeed',
    )
    expect(summaryOf(report)).toBe('0 problems in 0 of 2 cases, 2 not reached')
    const junit = reportFor(report, { reporter: 'junit', isTerminal: false })
    expect(junit).toContain('failures="0" skipped="2"')
    expect(junit).toContain('<skipped message="not reached: did not make the call a.list#1')
    expect(junitReport({ ...report, fail_on: 'warnings' })).toContain('failures="2" skipped="0"')
    for (const reporter of reporters)
      expect(reportFor(report, { reporter, isTerminal: false })).toContain('not_reached')
    expect(htmlReport(report, { style: '' })).toContain('not reached')
    const whole = await emulator.explore(byList(1, advancing), { only, clock: 'manual' })
    expect(playedText(whole)).toBe('2 cases')
  })

  it.each(
    // biome-ignore format: a table, one row a line
    [
    [{ outcome: { kind: 'failed', code: 'c', message: 'm' } }, { outcome: 'failed', error: { code: 'c', message: 'm' } }],
    [{ gone_at: '2026-01-01T00:00:30Z' }, { gone: '20000ms' }],
    [{ ends_at: null, expires_at: '2026-01-01T01:00:10Z', outcome: { kind: 'never' } }, { running: '3600000ms', outcome: 'expired' }],
    [{ ends_at: null, expires_at: '2026-01-01T00:00:05Z', outcome: { kind: 'never' } }, { running: undefined, outcome: 'never' }],
    [{ ends_at: null, outcome: { kind: 'never' } }, { running: undefined, outcome: 'stuck' }],
  ],
  )('the plan %j that a rule gave a task is written with its label', (plan, expected) => {
    const usual = {
      starts_at: '2026-01-01T00:00:10Z',
      ends_at: '2026-01-01T00:01:10Z',
      expires_at: null,
      outcome: { kind: 'succeeded' },
    }
    const task = {
      rule: 'mine/1',
      label: 'main',
      created_at: '2026-01-01T00:00:00Z',
      plan: { ...usual, ...plan },
    }
    const given = { label: 'main', queued: '10000ms', running: '60000ms' }
    expect(planGivenTo(task as unknown as TaskView)).toEqual({ ...given, ...expected })
  })

  it.each([
    ['main', 'main'],
    [undefined, 'explored'],
  ])('a file of the task that the user labels %s is broken under the label %s', (mine, label) => {
    const failure = failureOf('media.download', 'file_empty')
    const create = { operation: 'a.create', nth: 1 }
    const one = { operation: 'media.download', nth: 1, failure, create, ...(mine && { label: mine }) }
    expect(scenarioOf(one).rules).toMatchObject([
      { then: { task: { label } } },
      { when: { task: { of: label } } },
    ])
    expect(rulesByFailure(one)).toEqual([[{ name: 'explore/2', then: failure.then }]])
  })

  it('two failures of different tasks have labels of their own', () => {
    const failed = (operation: string, id: string, nth: number) => ({
      ...{ operation, nth, failure: failureOf(operation, id) },
      create: { operation: 'a.create', nth },
    })
    const labelsOf = (nth: number) => {
      const and = failed('media.download', 'file_empty', nth)
      const { rules } = scenarioOf({ ...failed('a.get', 'not_found', 1), and })
      return rules.flatMap(
        ({ then, when }) => then.task?.label ?? (when?.task as { of?: string } | undefined)?.of,
      )
    }
    expect(labelsOf(2)).toEqual(['explored', 'explored', 'explored-2', 'explored-2'])
    expect(labelsOf(1)).toEqual(['explored', 'explored', 'explored', 'explored'])
  })

  it.each([
    ['task_failed', { queued: '0ms', running: '2m', outcome: 'failed' }],
    ['task_slow', { queued: '10m', running: '2m' }],
  ])('under the failure %s stays what a scenario of the user says about the task', (id, task) => {
    const call = { operation: 'a.create', nth: 1 }
    const failure = failureOf('a.create', id)
    const { rules } = scenarioOf({ ...call, failure, create: call, plan: { queued: '0ms', running: '2m' } })
    expect(rules.map(({ then }) => then)).toEqual([{ task }])
  })

  it.each([
    ['a kite [[queue:1s]]', 'task_slow', 'prompt/queue'],
    ['a kite [[run:2s]] [[media:slow]]', 'no_result_link', 'prompt/run and prompt/media'],
  ])(
    'with the prompt "%s" the failure %s does not come, and the case is not tried',
    async (prompt, id, rules) => {
      const options = { only: [`a.create ${id}`], clock: 'manual' } as const
      const { cases, not_tried } = await emulator.explore(byList(1, advancing, prompt), options)
      expect(cases).toEqual([])
      const reason = `the failure did not come to a.create#1: ${rules} came before it`
      expect(not_tried).toContainEqual({ kind: 'case', what: `a.create#1 ${id}`, reason })
    },
  )

  it.each(['mine', 'explore'])(
    'the scenario %s that was posted to the world default acts in every run',
    async name => {
      const rule = { when: { operation: 'a.create' }, then: { task: { queued: '7m' } } }
      await emulator.world.scenarios.post({ name, rules: [rule] })
      const seen: number[] = []
      const timed = async (run: Run) => {
        await byList(1, advancing)(run)
        seen.push((await run.world.clock.get()).now_ms)
      }
      const options = { only: ['a.create slow_answer'], clock: 'manual' } as const
      const { cases } = await emulator
        .explore(timed, options)
        .finally(() => emulator.world.scenarios.remove(name))
      expect(cases.map(({ verdict }) => verdict)).toEqual(['recovered'])
      expect(seen).toHaveLength(3)
      expect(Math.min(...seen)).toBeGreaterThan(Date.parse('2026-01-01T00:07:00Z'))
    },
  )

  it('an outage is not tried, and listed, when the clock does not move with the program', async () => {
    const { cases, not_tried } = await emulator.explore(byList(3, resting), { only: ['a.list#1 outage'] })
    expect(cases).toEqual([])
    expect(not_tried).toContainEqual({
      kind: 'case',
      what: 'a.list#1 outage',
      reason: expect.stringContaining('cannot be judged in real time'),
    })
  })

  it('a task that is not visible yet is tried only when it is asked for', async () => {
    const once = async ({ world }: Run) => {
      const { create, get } = callsOf(world)
      const reply = await get((await jsonOf(create())).id)
      if (reply.status !== 200) throw new Error(`the poll was answered ${reply.status}`)
    }
    const options = { clock: 'manual', withoutResult: true } as const
    const only = ['a.get not_found', 'a.get not_*']
    const usual = await emulator.explore(once, { only, ...options })
    expect(usual.cases.map(({ id }) => id)).toEqual(['not_found'])
    expect(usual.not_tried).toMatchObject([{ what: 'a.get#1 not_yet_visible' }])
    const asked = await emulator.explore(once, { only: ['not_yet_visible'], ...options })
    expect(asked.cases).toMatchObject([{ id: 'not_yet_visible', end: 'told' }])
  })
})
