import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { isFasterThan, paceOf } from '../../src/explore/plan/poll-pace.ts'
import type { ExploredFunction } from '../../src/explore/run/run-function.ts'
import type { RequestView } from '../../src/kits/client/types.ts'
import { callsOf, jsonOf } from '../support/explored-calls.ts'
import { startForTest } from '../support/start-for-test.ts'

const emulator = await startForTest({})

/** Longer than a request takes on a busy machine. */
const slowMs = 400
/** So long that half of it is. */
const verySlowMs = 1000
const manyPolls = 12
/** So many that ten in a row come without a rest, however often a busy machine delays one. */
const veryManyPolls = 200

/** Creates, polls with the rest of the moment between, and gives up after some polls. */
const pollsEvery =
  (restMs: (polls: number) => number, mostPolls = manyPolls): ExploredFunction =>
  async ({ world }) => {
    const { create, get } = callsOf(world)
    const { id } = await jsonOf(create())
    for (let polls = 1; polls <= mostPolls; polls++) {
      const { status } = await jsonOf(get(id))
      if (!['queued', 'running'].includes(status)) return
      await pause(restMs(polls))
    }
    throw new Error('it takes too long')
  }

async function verdictOn(explored: ExploredFunction) {
  const { cases } = await emulator.explore(explored, { only: ['a.create#1 task_stuck'] })
  return cases.map(({ verdict }) => verdict)
}

const poll = (started_ms: number, path = '/tasks/t1') =>
  ({ operation: 'a.get', path, started_ms }) as unknown as RequestView
const times = (...moments: number[]) => moments.map(moment => poll(moment))

describe('polls are faster when they take less than half of the undisturbed time (docs/explore.md, "What it says": polled faster)', () => {
  it.each([
    ['a third of the time', times(0, 300, 600, 900), 1000, true],
    ['more than half of the time', times(0, 600, 1200), 1000, false],
    ['a difference that a busy machine can make', times(0, 5, 10), 200, false],
    ['one short time between long ones', times(0, 5, 1005, 2005), 1000, false],
    ['one poll', times(0), 100, false],
    [
      'polls of two tasks in turn',
      [poll(0), poll(1, '/tasks/t2'), poll(1000), poll(1001, '/tasks/t2')],
      1000,
      false,
    ],
    ['no undisturbed run with two polls', times(0, 1, 2), undefined, false],
  ])('%s', (_, requests, undisturbedMs, isFaster) => {
    expect(isFasterThan({ requests, isDriven: false }, undisturbedMs)).toBe(isFaster)
  })

  it('the undisturbed time is the median, and the shorter of two, because a busy machine only adds to it', () => {
    expect(paceOf({ requests: times(0, 100, 200, 900), isDriven: false })).toBe(100)
    expect(paceOf({ requests: times(0, 100, 800), isDriven: false })).toBe(100)
    expect(paceOf({ requests: times(0), isDriven: false })).toBeUndefined()
  })
})

it('the pace of a program that is driven by its own sleeps is virtual time where that is longer', () => {
  const sleepy = times(0, 3, 6).map((request, n) => ({ ...request, at_ms: n * 5000 }))
  expect(paceOf({ requests: sleepy, isDriven: true })).toBe(5000)
  expect(paceOf({ requests: sleepy, isDriven: false })).toBe(3)
  const restless = times(0, 3, 6).map(request => ({ ...request, at_ms: 0 }))
  expect(isFasterThan({ requests: restless, isDriven: true }, 5000)).toBe(true)
})

describe('a program is rude for its pace only when it is the program that changed', () => {
  it('not when the undisturbed runs were slow, and a new one is as fast as the case', async () => {
    let runs = 0
    const rests: number[] = []
    const explored: ExploredFunction = run => {
      const restMs = ++runs <= 2 ? slowMs : 1
      rests.push(restMs)
      return pollsEvery(() => restMs)(run)
    }
    expect(await verdictOn(explored)).toEqual(['told'])
    expect(rests).toEqual([slowMs, slowMs, 1, 1])
  })

  it('but when it polls without a rest where it rests otherwise', async () => {
    const undisturbed = await verdictOn(pollsEvery(() => slowMs / 4))
    expect(undisturbed).toEqual(['told'])
    const restless = pollsEvery(polls => (polls <= 2 ? verySlowMs : 1), veryManyPolls)
    expect(await verdictOn(restless)).toEqual(['rude'])
  })
})
