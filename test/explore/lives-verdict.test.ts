import { describe, expect, it } from 'vitest'
import { livesVerdictOf } from '../../src/explore/judge/lives-verdict.ts'
import type { KeptFiles } from '../../src/explore/run/kept-files.ts'
import type { Exit } from '../../src/explore/run/run.ts'
import type { TwoLives } from '../../src/explore/run/two-lives.ts'
import { caseOf } from '../support/failure-of.ts'
import { task } from '../support/observed-task.ts'

let journal = 0
const request = (operation: string, id: string, others: object = {}) => ({
  id: ++journal,
  operation,
  method: 'GET',
  path: `/tasks/${id}`,
  status: 200,
  account: 'default',
  at_ms: 20_000,
  started_ms: 0,
  task_id: id,
  request_id: `asked-${journal}`,
  response: { headers: {} },
  ...others,
})
const create = (id: string, others: object = {}) =>
  request('a.create', id, { method: 'POST', path: '/tasks', request_id: `made-${id}`, ...others })
const poll = (id: string) => request('a.get', id)
const download = (id: string, others: object = {}) =>
  request('media.download', id, { path: `/files/w/${id}/video.mp4`, ...others })
const lost = { reply_lost: true }

const holding = (
  whole: Record<string, string>,
  others: Record<string, number> = {},
  begun: Record<string, { bytes: number; of: number }> = {},
): KeptFiles => ({
  whole: new Map(Object.entries(whole)),
  begun: new Map(Object.entries(begun)),
  others: new Map(Object.entries(others)),
})
const file = (id: string) => `/files/w/${id}/video.mp4`

interface ComparedCase {
  first?: object[]
  second?: object[]
  tasks?: object[]
  exit?: number | Exit
  errors?: string
  kept?: KeptFiles
  keptBefore?: KeptFiles
  endedAt?: number
  run?: object
}

function livesOf(given: ComparedCase): TwoLives {
  const { first = [], second = [], tasks = [], exit = 0, errors = '', kept, endedAt = 0 } = given
  const how: Exit = typeof exit === 'number' ? { kind: 'ended', code: exit } : exit
  const run = { exit: how, output: errors, errors, ms: 10, isOutputHeld: false, ...given.run }
  const observed = { requests: [...first, ...second], tasks, settled: 5 * tasks.length }
  return {
    run,
    observed: { ...observed, findings: [], endedAt, isDriven: true },
    stories: [],
    wasRendering: false,
    first: {
      run: { ...run, exit: { kind: 'ended', code: 0 } },
      requests: first,
      kept: given.keptBefore ?? kept,
    },
    second: { run, requests: second, kept },
  } as unknown as TwoLives
}

const whole = [create('t1'), poll('t1'), download('t1')]
const kept = holding({ 'video.mp4': file('t1') })
/** It keeps the video under a name, and a second run has nothing to do. */
const remembering = livesOf({ first: whole, tasks: [task('t1')], kept })
/** It makes a new video each time. */
const forgetful = livesOf({
  first: whole,
  second: [create('t2'), poll('t2'), download('t2')],
  tasks: [task('t1'), task('t2')],
  keptBefore: kept,
  kept: holding({ 'video.mp4': file('t2') }),
})

function judged(point: string, given: ComparedCase, undisturbed = remembering) {
  const [operation = '', id = ''] = point.split(' ')
  const { verdict, level, bill, evidence, cause } = livesVerdictOf({
    one: caseOf(operation, id),
    lives: livesOf(given),
    undisturbed,
    folder: '/',
  })
  return { verdict, level, bill: bill.verdict, lost: bill.lost, evidence, title: cause?.title }
}

describe('a program that was killed and started again', () => {
  it('resumed: no more was settled, and the file is whole', () => {
    const first = [create('t1', lost)]
    const second = [request('a.list', 't1'), poll('t1'), download('t1')]
    const found = judged('a.create killed_after', { first, second, tasks: [task('t1')], kept })
    expect(found).toMatchObject({ verdict: 'resumed', level: 'good', bill: 'same' })
  })

  it('resumed: a file that the first life fetched need not be fetched again', () => {
    const first = [...whole, create('t2', lost)]
    const both = holding({ 'a.mp4': file('t1'), 'b.mp4': file('t2') })
    const all = [...whole, create('t2'), poll('t2'), download('t2')]
    const undisturbed = livesOf({ first: all, tasks: [task('t1'), task('t2')], kept: both })
    const given = { first, second: [poll('t2'), download('t2')], tasks: [task('t1'), task('t2')] }
    expect(judged('a.create killed_after', { ...given, kept: both }, undisturbed).verdict).toBe('resumed')
    // It believes that it has the first one, which it only had in memory.
    const one = holding({ 'b.mp4': file('t2') })
    const forgot = judged('a.create killed_after', { ...given, kept: one }, undisturbed)
    expect(forgot).toMatchObject({ verdict: 'lost', lost: 5 })
  })

  it('paid_again: one cause for a program that makes a new task each time it runs', () => {
    const second = [create('t2'), poll('t2'), download('t2')]
    const tasks = [task('t1'), task('t2')]
    const given = { second, tasks, kept: holding({ 'video.mp4': file('t2') }) }
    const atPoll = judged('a.get killed_after', { ...given, first: [create('t1'), poll('t1')] }, forgetful)
    const atCreate = judged('a.create killed_after', { ...given, first: [create('t1', lost)] }, forgetful)
    expect(atPoll).toMatchObject({ verdict: 'paid_again', level: 'problem', bill: 'twice' })
    expect(atPoll.title).toMatch(/^remembers nothing/)
    expect(atCreate.title).toBe(atPoll.title)
    const before = { ...given, first: [create('', { status: 0 })], tasks: [task('t2')] }
    expect(judged('a.create killed_before', before, forgetful).verdict).toBe('resumed')
  })

  it('is no alarm when it finishes the old task and then makes the new one of this run', () => {
    const first = [create('t1'), poll('t1')]
    const second = [poll('t1'), download('t1'), create('t2'), poll('t2'), download('t2')]
    const tasks = [task('t1'), task('t2')]
    const disk = holding({ 't1.mp4': file('t1'), 't2.mp4': file('t2') })
    const found = judged('a.get killed_after', { first, second, tasks, kept: disk }, forgetful)
    expect(found.verdict).toBe('resumed')
  })

  it('paid_again is only a warning where no program can find a task whose create got no reply', () => {
    const second = [create('t2'), poll('t2'), download('t2')]
    const given = { first: [create('t1', lost)], second, tasks: [task('t1'), task('t2')], kept }
    expect(judged('a.create killed_after', given)).toMatchObject({ verdict: 'paid_again', level: 'problem' })
    for (const operation of ['b.create', 'image.generate'])
      expect(judged(`${operation} killed_after`, given), operation).toMatchObject({
        verdict: 'paid_again',
        level: 'warning',
      })
  })

  it('lost: half a file lies under the name of the whole one', () => {
    const first = [create('t1'), poll('t1'), download('t1', { effects: [{ kind: 'stall', share: 0.5 }] })]
    const half = holding({}, {}, { 'video.mp4': { bytes: 40, of: 80 } })
    const found = judged('media.download killed_during', { first, tasks: [task('t1')], kept: half })
    expect(found).toMatchObject({ verdict: 'lost', level: 'problem', bill: 'lost', lost: 5 })
    expect(found.evidence).toContain('video.mp4, the name of a whole result, holds 40 of 80 bytes')
    const repaired = { first, second: [poll('t1'), download('t1')], tasks: [task('t1')], kept }
    expect(judged('media.download killed_during', repaired).verdict).toBe('resumed')
  })

  it('a part of a file under another name is no harm', () => {
    const first = [create('t1'), poll('t1'), download('t1', { effects: [{ kind: 'stall', share: 0.5 }] })]
    const both = holding({ 'video.mp4': file('t1') }, {}, { 'video.mp4.part': { bytes: 40, of: 80 } })
    const given = { first, second: [download('t1')], tasks: [task('t1')], kept: both }
    expect(judged('media.download killed_during', given).verdict).toBe('resumed')
  })

  it('lost: it ends with 0 and never fetches what was paid for', () => {
    const first = [create('t1'), poll('t1')]
    const found = judged('a.get killed_after', { first, tasks: [task('t1')], kept: holding({}) })
    expect(found).toMatchObject({ verdict: 'lost', lost: 5 })
  })

  it('stuck: the second life fails while the paid result can still be had', () => {
    const first = [create('t1'), poll('t1')]
    const errors = 'another instance is running'
    const given = { first, tasks: [task('t1')], kept: holding({}), exit: 1, errors }
    const found = judged('a.get killed_after', given)
    expect(found).toMatchObject({ verdict: 'stuck', level: 'problem', lost: 5, title: errors })
    const nothing = { ...given, first: [create('', { status: 0 })], tasks: [] }
    expect(judged('a.create killed_before', nothing)).toMatchObject({ verdict: 'stuck', level: 'warning' })
  })

  it('stuck at the limit is a problem only when hours of virtual time passed in vain', () => {
    const first = [create('t1'), poll('t1')]
    const exit: Exit = { kind: 'limit', ms: 60_000 }
    const given = { first, tasks: [task('t1')], kept: holding({}), exit }
    expect(judged('a.get killed_after', { ...given, endedAt: 30_000 }).level).toBe('warning')
    expect(judged('a.get killed_after', { ...given, endedAt: 20_000 + 7_200_000 }).level).toBe('problem')
  })

  it('a program that refuses to run again when all is done has resumed when all is done', () => {
    const given = { first: whole, tasks: [task('t1')], kept, exit: 3, errors: 'it exists' }
    expect(judged('a.get killed_after', given, livesOf(given)).verdict).toBe('resumed')
    expect(judged('a.get killed_after', given)).toMatchObject({ verdict: 'stuck', level: 'warning' })
  })

  it('beside a part with the time of the wall, skipped time shows nothing, and the row says how little passed there', () => {
    const given = { first: [create('t1')], tasks: [task('t1')], endedAt: 20_000 + 7_200_000 }
    const system = { parts: [], ended: [], untied: [], readyMs: 2000, onTheWall: ['postgres'] }
    const stuckFor = (ms: number, exit: Exit | number) =>
      judged('a.get killed_after', { ...given, exit, errors: 'too late', run: { system, ms } })
    const atLimit = { kind: 'limit', ms: 60_000 } as const
    expect(stuckFor(62_000, atLimit)).toMatchObject({
      ...{ verdict: 'stuck', level: 'warning' },
      evidence: expect.stringContaining('2h of its time passed without a call, and 1m of that of postgres'),
    })
    expect(stuckFor(62_000, 1)).toMatchObject({
      ...{ verdict: 'stuck', level: 'warning' },
      evidence: expect.stringContaining('2h of its time passed without a call, and 1m of that of postgres'),
    })
    const asFast = stuckFor(7_200_000, atLimit)
    expect(asFast.level).toBe('problem')
    expect(asFast.evidence).not.toContain('postgres')
    expect(stuckFor(7_200_000, 1).level).toBe('problem')
    const fallen = {
      name: 'worker',
      output: 'KeyError',
      errors: 'KeyError',
      exit: { kind: 'ended', code: 1 },
    }
    const crashed = { ...given, exit: 1, run: { system: { ...system, ended: [fallen] }, ms: 62_000 } }
    expect(judged('a.get killed_after', crashed).level).toBe('problem')
    const atOnce = { ...given, exit: 1, endedAt: 21_000, run: { system, ms: 5000 } }
    expect(judged('a.get killed_after', atOnce).level).toBe('problem')
  })

  it('stuck: a batch that stops at what is done, with the words that it has when all is done', () => {
    const refusing = livesOf({ first: whole, tasks: [task('t1')], kept, exit: 2, errors: 'nothing new' })
    const given = { first: [create('t1')], tasks: [task('t1')], kept: holding({}), exit: 2 }
    const title = 'ends as if nothing were left to do'
    const found = judged('a.get killed_after', { ...given, errors: 'nothing new' }, refusing)
    expect(found).toMatchObject({ verdict: 'stuck', level: 'problem', title })
    expect(judged('a.get killed_after', { ...given, errors: 'disk full' }, refusing).title).not.toBe(title)
  })

  it('a program that keeps no file is judged by what it fetched', () => {
    const undisturbed = livesOf({ first: whole, tasks: [task('t1')], kept: holding({}, { 'jobs.db': 9 }) })
    const database = holding({}, { 'jobs.db': 9 })
    const first = [create('t1'), poll('t1'), download('t1', lost)]
    const given = { first, tasks: [task('t1')], kept: database }
    expect(
      judged('media.download killed_after', { ...given, second: [download('t1')] }, undisturbed).verdict,
    ).toBe('resumed')
    expect(judged('media.download killed_after', given, undisturbed).verdict).toBe('lost')
  })
})
