import { expect, it } from 'vitest'
import type { ProcessCall, Row } from '../../src/explore/judge/row.ts'
import { lanesOf } from '../../src/explore/report/process-lanes.ts'

const begin = Date.parse('2026-01-01T00:00:00Z')

/** A call of a process: from and until these moments, virtual seconds and wall milliseconds. */
function call(
  service: string,
  name: string,
  [from, wallFrom, to, wallTo]: [number, number, number, number],
  more: Partial<ProcessCall> = {},
): ProcessCall {
  const [operation = '', nth] = name.split('#')
  return {
    operation,
    nth: Number(nth),
    service,
    status: 200,
    at: new Date(begin + from * 1000).toISOString(),
    wall_ms: wallFrom,
    ended_at: new Date(begin + to * 1000).toISOString(),
    ended_wall_ms: wallTo,
    ...more,
  }
}

const rowOf = (system: Row['system'], more: Partial<Row> = {}) =>
  ({ operation: 'a.create', nth: 1, id: 'x', ...(system && { system }), ...more }) as Row

const lanes = (row: Row, services: string[] = []) => lanesOf(row, services)?.lanes ?? []

it('a reply that is held overlaps the call of another process, on the lane of its own', () => {
  const calls = [
    call('worker-2', 'a.create#1', [0, 0, 0, 40]),
    call('worker-1', 'a.create#2', [0, 10, 0, 20]),
    call('worker-1', 'a.get#1', [5, 60, 5, 70], { status: 503 }),
  ]
  const found = lanes(rowOf({ calls }, { first: 'a.create#2' }), ['web', 'worker-1', 'worker-2'])
  expect(found.map(({ process }) => process)).toEqual(['worker-1', 'worker-2'])
  const [second, poll] = found[0]?.calls ?? []
  const [held] = found[1]?.calls ?? []
  expect(held?.from).toBeLessThan(second?.from ?? 0)
  expect(second?.to).toBeLessThan(held?.to ?? 0)
  expect(held?.to).toBeLessThan(poll?.from ?? 0)
  expect([held, second, poll].map(one => [one?.name, one?.tone, one?.isOfCase])).toEqual([
    ['create#1', 'good', true],
    ['create#2', 'good', true],
    ['get#1', 'problem', false],
  ])
  expect(lanesOf(rowOf({ calls }), ['web', 'worker-1', 'worker-2'])?.note).toContain('Without a call: web.')
})

it('a rest takes more of the line than a step of one moment, and the times below are those of the calls', () => {
  const calls = [0, 0, 60].map((second, i) =>
    call('worker', `a.get#${i + 1}`, [second, i * 10, second, i * 10 + 5]),
  )
  const found = lanesOf(rowOf({ calls }))
  const [first, second, third] = found?.lanes[0]?.calls ?? []
  if (!first || !second || !third) throw new Error('not all calls have a place')
  expect(third.from - second.to).toBeGreaterThan(3 * (second.from - first.to))
  expect(found?.ticks.map(({ text }) => text)).toEqual(['0.0 s', '1m'])
})

it('the lane of a service that was killed says where, also when another one made the call', () => {
  const calls = [call('worker', 'a.create#1', [0, 0, 0, 10], { status: 0 })]
  const [worker, redis] = lanes(rowOf({ calls, killed: 'redis' }))
  expect(worker).toMatchObject({ process: 'worker', calls: [{ tone: 'problem' }] })
  expect(worker).not.toHaveProperty('killedAt')
  expect(redis).toMatchObject({ process: 'redis', calls: [], killedAt: worker?.calls[0]?.to })
})

it('the lane of a service that was started again says when, between the calls before and after it', () => {
  const calls = [
    call('worker', 'a.create#1', [5, 0, 5, 10]),
    call('worker', 'a.get#1', [5, 20, 5, 30]),
    call('worker', 'a.get#2', [7, 40, 7, 50]),
  ]
  const started_again_at = new Date(begin + 6000).toISOString()
  const [worker, redis] = lanes(rowOf({ calls, killed: 'redis', started_again_at }))
  const [created, before, after] = worker?.calls ?? []
  expect(redis).toMatchObject({ killedAt: created?.to, startedAgain: { title: 'started again after 1.0 s' } })
  expect(redis?.startedAgain?.at).toBeGreaterThan(before?.to ?? 1)
  expect(redis?.startedAgain?.at).toBeLessThan(after?.from ?? 0)
  expect(worker).not.toHaveProperty('startedAgain')
  expect(lanes(rowOf({ calls, killed: 'redis' }))[1]).not.toHaveProperty('startedAgain')
})

it('names that would lie above each other are left out, but for that of the call of the case', () => {
  const calls = Array.from({ length: 60 }, (_, i) =>
    call('worker', `a.get#${i + 1}`, [0, i * 10, 0, i * 10 + 5]),
  )
  const [lane] = lanes(rowOf({ calls }, { operation: 'a.get', nth: 31 }))
  const names = lane?.calls.filter(({ isNamed }) => isNamed) ?? []
  expect(names.map(({ name }) => name)).toContain('get#31')
  expect(names.length).toBeLessThan(31)
})

it('a program of one process has no lanes', () => {
  expect(lanesOf(rowOf(undefined))).toBeUndefined()
})
