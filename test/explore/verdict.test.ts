import { describe, expect, it } from 'vitest'
import type { Case } from '../../src/explore/case.ts'
import { failuresOf } from '../../src/explore/catalogue.ts'
import type { Observed } from '../../src/explore/observe.ts'
import type { End } from '../../src/explore/run.ts'
import { verdictOf } from '../../src/explore/verdict.ts'

const at = (seconds: number) => new Date(seconds * 1000).toISOString()

/** A task that succeeded after ten seconds and was paid for. */
const task = (id: string, others: object = {}) => ({
  id,
  family: 'a',
  request_id: `made-${id}`,
  next_change_at: null,
  timeline: [
    { at: at(0), to: 'queued' },
    { at: at(10), from: 'running', to: 'succeeded', is_past: true },
  ],
  charges: [{ at: at(10), kind: 'settled', amount: 5 }],
  media: [{ name: 'video' }],
  ...others,
})
const create = (id: string, others: object = {}) => ({
  operation: 'a.create',
  method: 'POST',
  path: '/tasks',
  status: 200,
  account: 'default',
  at_ms: 0,
  task_id: id,
  request_id: `made-${id}`,
  started_ms: 0,
  response: { headers: {} },
  ...others,
})
const poll = (id: string, second: number, others: object = {}) => ({
  ...create(id),
  operation: 'a.get',
  method: 'GET',
  path: `/tasks/${id}`,
  request_id: 'poll',
  at_ms: second * 1000,
  started_ms: second * 1000,
  ...others,
})
const download = (id: string, others: object = {}) => ({
  ...poll(id, 11),
  operation: 'media.download',
  path: `/files/world/${id}/video.mp4`,
  ...others,
})
/** Three polls with this time between. */
const pollsEvery = (ms: number) => [0, 1, 2].map(index => poll('t1', 11, { started_ms: index * ms }))
const world = (
  parts: { requests?: object[]; tasks?: object[]; settled?: number; findings?: object[] } = {},
) =>
  ({
    requests: [create('t1'), poll('t1', 11), download('t1')],
    tasks: [task('t1')],
    settled: 5,
    findings: [],
    endedAt: 0,
    ...parts,
  }) as unknown as Observed

function caseOf(operation: string, id: string): Case {
  const failure = failuresOf({ operation }).find(one => one.id === id)
  if (!failure) throw new Error(`${operation} cannot meet ${id}`)
  return { operation, nth: 1, failure }
}

function judged(one: Case, observed: Observed, end: End | number = 0, output = '') {
  const how: End = typeof end === 'number' ? { kind: 'ended', code: end } : end
  return verdictOf({ one, run: { end: how, output, ms: 1000 }, observed, baseline: world(), paceMs: 100 })
}

const lost = caseOf('a.create', 'reply_lost')
const stuck = caseOf('a.create', 'task_stuck')
const refusedPoll = caseOf('a.get', 'unavailable')
const broken = caseOf('media.download', 'file_empty')
const finding = (kind: string) => ({ kind, text: kind, request_ids: [] })

type Row = [verdict: string, what: string, found: () => ReturnType<typeof judged>]
const rows: Row[] = [
  ['recovered', 'everything is there', () => judged(lost, world())],
  [
    'recovered',
    'a broken file was fetched again whole',
    () =>
      judged(
        broken,
        world({
          requests: [
            create('t1'),
            poll('t1', 11),
            download('t1', { media: 'without a byte' }),
            download('t1'),
          ],
        }),
      ),
  ],
  [
    'recovered',
    'a file came in two ranges',
    () => {
      const part = (range: string) =>
        download('t1', { status: 206, response: { headers: { 'Content-Range': range } } })
      return judged(
        lost,
        world({ requests: [create('t1'), poll('t1', 11), part('bytes 0-9/20'), part('bytes 10-19/20')] }),
      )
    },
  ],
  ...[
    ['cut off half way', 10, 'recovered'],
    ['stalled after 50 %', 10, 'recovered'],
    ['stalled after 50 %', 12, 'false_success'],
    ['with broken bytes', 10, 'false_success'],
  ].map(
    ([media, from, verdict]): Row => [
      String(verdict),
      `a file ${media} was continued at byte ${from} of 20`,
      () => {
        const whole = { media, response: { headers: { 'Content-Length': '20' } } }
        const rest = { status: 206, response: { headers: { 'Content-Range': `bytes ${from}-19/20` } } }
        const requests = [create('t1'), poll('t1', 11), download('t1', whole), download('t1', rest)]
        return judged(broken, world({ requests }))
      },
    ],
  ),
  [
    'recovered',
    'polls as quick as undisturbed are not rude',
    () =>
      judged(
        lost,
        world({
          requests: [create('t1'), ...pollsEvery(90), download('t1')],
          findings: [finding('polls_too_fast')],
        }),
      ),
  ],
  [
    'told',
    'ended with 1 before anything was made',
    () => judged(lost, world({ requests: [], tasks: [], settled: 0 }), 1, 'moderated'),
  ],
  [
    'told',
    'a key that was withdrawn does not come back',
    () =>
      judged(
        caseOf('a.get', 'unauthenticated'),
        world({ requests: [create('t1'), poll('t1', 1, { status: 401 })] }),
        1,
      ),
  ],
  [
    'false_success',
    'only a broken file came',
    () =>
      judged(
        broken,
        world({ requests: [create('t1'), poll('t1', 11), download('t1', { media: 'without a byte' })] }),
      ),
  ],
  [
    'false_success',
    'nothing was fetched',
    () => judged(broken, world({ requests: [create('t1'), poll('t1', 11)] })),
  ],
  ['false_success', 'nothing was made', () => judged(lost, world({ requests: [], tasks: [], settled: 0 }))],
  ['hung', 'the limit passed', () => judged(lost, world(), { kind: 'limit', ms: 60_000 })],
  ['crashed', 'a signal', () => judged(lost, world(), { kind: 'signal', signal: 'SIGSEGV' })],
  ['crashed', 'an error', () => judged(lost, world(), { kind: 'crashed', line: "KeyError: 'id'" })],
  [
    'paid_twice',
    'two tasks were paid for',
    () => judged(lost, world({ tasks: [task('t0'), task('t1')], settled: 10 })),
  ],
  [
    'paid_twice',
    'also when it gave up then',
    () => judged(lost, world({ tasks: [task('t0'), task('t1')], settled: 10 }), 1),
  ],
  [
    'paid_for_nothing',
    'gave up at a poll that may pass',
    () => judged(refusedPoll, world({ requests: [create('t1'), poll('t1', 1, { status: 503 })] }), 1),
  ],
  [
    'paid_for_nothing',
    'gave up on a create without an answer, whose task can be listed',
    () => judged(lost, world({ requests: [create('t1', { reply_lost: true })] }), 1),
  ],
  [
    'told',
    'a picture without an answer cannot be found again',
    () =>
      judged(
        caseOf('image.generate', 'reply_lost'),
        world({
          requests: [create('t1', { operation: 'image.generate', reply_lost: true })],
          tasks: [task('t1', { family: 'image' })],
        }),
        1,
      ),
  ],
  [
    'told',
    'a picture whose answer came too late cannot be found again',
    () =>
      judged(
        caseOf('image.generate', 'slow_answer'),
        world({
          requests: [create('t1', { operation: 'image.generate' })],
          tasks: [task('t1', { family: 'image' })],
        }),
        1,
      ),
  ],
  [
    'rude',
    'a stuck task was made again, and not cancelled',
    () => judged(stuck, world({ findings: [finding('created_again_while_running')] })),
  ],
  [
    'rude',
    'polls take a tenth of the undisturbed time',
    () =>
      judged(
        lost,
        world({
          requests: [create('t1'), ...pollsEvery(10), download('t1')],
          findings: [finding('polls_too_fast')],
        }),
      ),
  ],
  [
    'rude',
    'Retry-After was ignored',
    () => judged(lost, world({ findings: [finding('retry_after_ignored')] })),
  ],
]

describe('verdicts follow from the facts (explore, "Verdicts")', () => {
  it.each(rows)('%s: %s', (verdict, _, found) => {
    const { verdict: given, evidence } = found()
    expect(given, evidence).toBe(verdict)
    expect(evidence).not.toBe('')
  })
})
