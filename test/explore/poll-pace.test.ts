import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { RequestView } from '../../src/client/types.ts'
import { explore } from '../../src/explore/explore.ts'
import { exploreSettings } from '../../src/explore/options.ts'
import { isFasterThan, paceOf } from '../../src/explore/poll-pace.ts'
import { type Explored, functionSubject } from '../../src/explore/run-function.ts'
import { startEmulator } from '../../src/index.ts'

const emulator = await startEmulator({})
afterAll(() => emulator.close())

/** Longer than a request takes on a busy machine. */
const slowMs = 400
const manyPolls = 12

const body = JSON.stringify({
  model: 'model_a_25',
  content: [{ type: 'text', text: 'a kite' }],
  ratio: '16:9',
  duration: 4,
})

/** Creates, polls with the rest of the moment between, and gives up after some polls. */
const pollsEvery =
  (restMs: (polls: number) => number): Explored =>
  async ({ world }) => {
    const tasks = `${world.baseUrl}/api/v3/contents/generations/tasks`
    const headers = { Authorization: `Bearer ${world.apiKey}`, 'Content-Type': 'application/json' }
    const made = await fetch(tasks, { method: 'POST', headers, body })
    const { id } = (await made.json()) as { id: string }
    for (let polls = 1; polls <= manyPolls; polls++) {
      const reply = await fetch(`${tasks}/${id}`, { headers })
      const { status } = (await reply.json()) as { status: string }
      if (!['queued', 'running'].includes(status)) return
      await pause(restMs(polls))
    }
    throw new Error('it takes too long')
  }

async function verdictOn(explored: Explored) {
  const settings = exploreSettings({ only: ['a.create#1 task_stuck'] }, '2026-01-01T00:00:00Z')
  const { cases } = await explore({ emulator, subject: functionSubject(explored), settings })
  return cases.map(({ verdict }) => verdict)
}

const poll = (started_ms: number, path = '/tasks/t1') =>
  ({ operation: 'a.get', path, started_ms }) as unknown as RequestView
const times = (...moments: number[]) => moments.map(moment => poll(moment))

describe('polls are faster when they take less than half of the undisturbed time (explore, "Verdicts": polled faster)', () => {
  it.each([
    ['a third of the time', times(0, 30, 60, 90), 100, true],
    ['more than half of the time', times(0, 60, 120), 100, false],
    ['a difference that a busy machine can make', times(0, 5, 10), 24, false],
    ['one short time between long ones', times(0, 5, 105, 205), 100, false],
    ['one poll', times(0), 100, false],
    [
      'polls of two tasks in turn',
      [poll(0), poll(1, '/tasks/t2'), poll(100), poll(101, '/tasks/t2')],
      100,
      false,
    ],
    ['no undisturbed run with two polls', times(0, 1, 2), undefined, false],
  ])('%s', (_, requests, undisturbedMs, isFaster) => {
    expect(isFasterThan(requests, undisturbedMs)).toBe(isFaster)
  })

  it('the undisturbed time is the median, and the shorter of two, because a busy machine only adds to it', () => {
    expect(paceOf(times(0, 100, 200, 900))).toBe(100)
    expect(paceOf(times(0, 100, 800))).toBe(100)
    expect(paceOf(times(0))).toBeUndefined()
  })
})

describe('a program is rude for its pace only when it is the program that changed', () => {
  it('not when the undisturbed runs were slow, and a new one is as fast as the case', async () => {
    let runs = 0
    const rests: number[] = []
    const explored: Explored = run => {
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
    expect(await verdictOn(pollsEvery(polls => (polls <= 2 ? slowMs : 1)))).toEqual(['rude'])
  })
})
