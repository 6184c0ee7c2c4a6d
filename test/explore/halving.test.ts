import { describe, expect, it } from 'vitest'
import { halve, type Shown } from '../../src/explore/patience/halving.ts'
import { needResults, readNeed } from '../../src/explore/patience/needs.ts'
import {
  lengthText,
  type Patience,
  type PatienceFigure,
  spoken,
} from '../../src/explore/patience/patience.ts'

const ladder = [1, 5, 20, 60, 300, 1200].map(seconds => seconds * 1000)
const search = (shownAt: (seconds: number) => Shown) =>
  halve({
    ladder,
    round: length => Math.round(length / 1000) * 1000,
    probe: async length => ({ shown: shownAt(length / 1000), why: '' }),
  })

describe('halving', () => {
  it.each([1, 7, 42, 59, 250, 900])('finds what a program survives: %i s, within a fifth', async limit => {
    const { survived, failed, is_uneven, tried } = await search(length =>
      length <= limit ? 'survived' : 'failed',
    )
    expect(survived).toBeLessThanOrEqual(limit * 1000)
    expect(failed).toBeGreaterThan(limit * 1000)
    expect((failed ?? 0) / (survived ?? 1)).toBeLessThanOrEqual(limit === 1 ? 2 : 1.26)
    expect([is_uneven, tried.length <= 12]).toEqual([false, true])
  })

  it('a program that survives nothing, or everything', async () => {
    expect(await search(() => 'failed')).toMatchObject({ survived: null, failed: 1000 })
    expect(await search(() => 'survived')).toMatchObject({ survived: 1_200_000, failed: null })
  })

  it('claims nothing about runs that showed nothing', async () => {
    const halved = await search(length => (length <= 60 ? 'survived' : 'nothing'))
    expect(halved).toMatchObject({ survived: 60_000, failed: null })
    expect(lengthText('queue', halved)).toBe(
      'waits for a queue of 1 min; of 2 min 14 s nothing was shown, the run had not ended at its limit',
    )
  })

  it('says of a program that is uneven only what was shown', async () => {
    const uneven = await search(length => (length > 50 && length < 70 ? 'failed' : 'survived'))
    expect(uneven.is_uneven).toBe(true)
    expect(lengthText('queue', uneven)).toContain(
      'it does not grow evenly, only these were shown: 1 s survived',
    )
  })
})

describe('--need', () => {
  const figure = (survived: number | null, failed: number | null): PatienceFigure => ({
    survived,
    failed,
    is_uneven: false,
    tried: [],
    text: `survived ${survived}`,
  })
  const patience: Omit<Patience, 'needs'> = {
    outage: { polls: figure(120_000, 180_000), downloads: null },
    queue: figure(600_000, null),
    answer: null,
    rate: figure(6, 5),
    jobs: [],
    not_measured: [
      { what: 'outage.downloads', reason: 'the program downloads nothing' },
      { what: 'answer', reason: 'only virtual time shows it' },
    ],
  }
  it.each([
    ['outage=2m', true],
    ['outage.polls=121s', false],
    ['outage.downloads=1s', false],
    ['queue=10m', true],
    ['queue=11m', false],
    ['answer=1s', false],
    ['rate=6', true],
    ['rate=5', false],
  ])('%s', (text, isMet) => {
    expect(needResults([readNeed(text)], patience)[0]).toMatchObject({ need: text, is_met: isMet })
  })

  it('names what is allowed', () => {
    expect(() => readNeed('outige=2m')).toThrow('did you mean outage?')
    expect(() => readNeed('queue')).toThrow('queue=TIME')
    expect(() => readNeed('queue=soon')).toThrow('queue: ')
    expect(() => readNeed('rate=0')).toThrow('rate: ')
  })

  it('says lengths as people do', () => {
    expect([1000, 90_000, 86_400_000, 5_400_000].map(spoken)).toEqual([
      '1 s',
      '1 min 30 s',
      '1 d',
      '1 h 30 min',
    ])
  })
})
