import { expect, it } from 'vitest'
import { shortTrace } from '../../src/explore/run/world-run.ts'
import type { Trace, TraceCall } from '../../src/kits/client/types.ts'

const callsOf = (count: number) => Array.from({ length: count }, (_, id) => ({ id }) as TraceCall)

const traceOf = (...counts: number[]) =>
  ({ attempts: counts.map(count => ({ operation: 'a.get', calls: callsOf(count) })) }) as unknown as Trace

it('the trace of an explored run keeps the first and last calls of a long attempt, and says what it left out', () => {
  const { attempts, incomplete } = shortTrace(traceOf(3, 10_000))
  expect(attempts.map(({ calls }) => calls.length)).toEqual([3, 400])
  expect(attempts[1]?.calls.map(({ id }) => id)).toEqual(
    callsOf(10_000)
      .map(({ id }) => id)
      .filter(id => id < 200 || id >= 9800),
  )
  expect(incomplete).toBe('of 10000 calls of a.get, only the first 200 and the last 200 are here')
})

it('a trace with few calls stays as it is', () => {
  const trace = traceOf(400)
  expect(shortTrace(trace)).toBe(trace)
})
