import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type Clock,
  clockNow,
  formatDuration,
  latestMs,
  parseDuration,
  parseMoment,
  parseRate,
  reclocked,
} from '../../src/emulator/worlds/clock.ts'

const clock = (changes: Partial<Clock> = {}): Clock => ({
  mode: 'realtime',
  rate: 1,
  virtualMs: 1000,
  wallMs: 50,
  ...changes,
})

describe('clockNow', () => {
  it.each([
    ['with the wall clock', clock(), 60, 1010],
    ['times its rate', clock({ rate: 60 }), 60, 1600],
    ['slower too', clock({ rate: 0.5 }), 61, 1005],
    ['never back when the wall clock is set back', clock(), 0, 1000],
    ['not at all in manual', clock({ mode: 'manual' }), 1e9, 1000],
    ['not at all in auto', clock({ mode: 'auto' }), 1e9, 1000],
  ])('moves %s', (_, given, wallMs, wanted) => {
    expect(clockNow(given, wallMs)).toBe(wanted)
  })
})

describe('reclocked', () => {
  it('changes mode and rate without a jump', () => {
    const faster = reclocked(clock(), 60, { rate: 100 })
    expect(clockNow(faster, 60)).toBe(1010)
    expect(clockNow(faster, 61)).toBe(1110)
    const still = reclocked(faster, 61, { mode: 'manual' })
    expect(clockNow(still, 1e6)).toBe(1110)
    expect(clockNow(reclocked(still, 1e6, { mode: 'realtime', rate: 1 }), 1e6 + 5)).toBe(1115)
  })
})

describe('parseDuration', () => {
  it.each([
    ['250ms', 250],
    ['90s', 90_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
    ['1h30m', 5_400_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['0.5s', 500],
    ['0s', 0],
    [1500, 1500],
    [0, 0],
  ])('%j is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  it('undefined for texts and numbers that are no duration', () => {
    const others = [
      '',
      's',
      '5',
      '-5s',
      '5 s',
      '5S',
      '5s ',
      '1w',
      'soon',
      -1,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      null,
      {},
      `${'9'.repeat(400)}s`,
    ]
    for (const value of others) expect(parseDuration(value), String(value)).toBeUndefined()
  })
})

describe('parseMoment', () => {
  it.each([
    ['2026-03-01T08:00:00Z', 1_772_352_000_000],
    ['2026-03-01T16:00:00+08:00', 1_772_352_000_000],
    ['2026-03-01', 1_772_323_200_000],
    ['2026-03-01T08:00:00', 1_772_352_000_000],
    ['2026-03-01 08:00', 1_772_352_000_000],
    ['2026-03-01T16:00:00.000+0800', 1_772_352_000_000],
    [1_772_352_000_000, 1_772_352_000_000],
  ])('%j', (text, ms) => {
    expect(parseMoment(text)).toBe(ms)
  })

  it.each(['America/New_York', 'Asia/Tokyo'])(
    'reads a moment without a zone as UTC, also in %s (A-moments)',
    zone => {
      vi.stubEnv('TZ', zone)
      onTestFinished(() => void vi.unstubAllEnvs())
      expect(new Date(0).getTimezoneOffset()).not.toBe(0)
      for (const text of ['2026-03-01T08:00:00', '2026-03-01T08:00', '2026-03-01 08:00:00.000'])
        expect(parseMoment(text), text).toBe(1_772_352_000_000)
      expect(parseMoment('2026-03-01')).toBe(1_772_323_200_000)
    },
  )

  it('undefined for texts and numbers that are no moment', () => {
    const others = [
      '',
      'tomorrow',
      '1 March 2026',
      '2026-03-01 8 pm',
      '2026-03-01Z',
      '2026-13-01T00:00:00Z',
      '2026-02-30',
      '2026-04-31T10:00:00+02:00',
      '2026-03-01T25:00:00Z',
      '2026-03-01 in the morning',
      -1,
      Number.NaN,
      true,
      undefined,
    ]
    for (const value of others) expect(parseMoment(value), String(value)).toBeUndefined()
  })
})

describe('parseRate', () => {
  it.each([
    [60, 60],
    ['60', 60],
    ['60x', 60],
    ['0.1x', 0.1],
  ])('%j is %d', (text, rate) => {
    expect(parseRate(text)).toBe(rate)
  })
  it('undefined for what is no rate', () => {
    for (const value of [0, -1, '0x', 'x', '', '60y', Number.NaN, Number.POSITIVE_INFINITY, 1e9])
      expect(parseRate(value), String(value)).toBeUndefined()
  })
})

it('what formatDuration writes can be read back', () => {
  for (const ms of [0, 1, 250, 1000, 5_400_000, 93_784_005, 604_800_000])
    expect(parseDuration(formatDuration(ms))).toBe(ms)
})

it('reaches the end of the year 9999, the last year with a common form', () => {
  expect(new Date(latestMs).toISOString()).toBe('9999-12-31T23:59:59.000Z')
})
