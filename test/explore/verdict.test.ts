import { STATUS_CODES } from 'node:http'
import { describe, expect, it } from 'vitest'
import { effectTexts } from '../../src/emulator/control/journal/entry-view.ts'
import type { MediaEffect, RequestEffect } from '../../src/emulator/worlds/journal.ts'
import { causesOf, causeText, countText, groupedByCause } from '../../src/explore/judge/causes.ts'
import type { Row as JudgedRow } from '../../src/explore/judge/row.ts'
import { verdictOf } from '../../src/explore/judge/verdict.ts'
import type { Case } from '../../src/explore/plan/case.ts'
import type { WorldObservation } from '../../src/explore/plan/observe.ts'
import { totalsOf } from '../../src/explore/report/report.ts'
import type { Exit } from '../../src/explore/run/run.ts'
import { caseOf } from '../support/failure-of.ts'
import { at, task } from '../support/observed-task.ts'

/** What the journal shows of a request with these effects. */
const met = (...effects: RequestEffect[]) => ({ effects, ...effectTexts({ effects }) })
const silence = met({ kind: 'hang', place: 'before_headers' })
const emptied = met({ kind: 'empty' })

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
  path: `/files/w/${id}/video.mp4`,
  ...others,
})
type Parts = {
  requests?: object[]
  tasks?: object[]
  settled?: number
  findings?: object[]
  endedAt?: number
}
/** What was seen of a run, by default one that has all of its paid task t1. What its tasks were charged is settled. */
const world = (parts: Parts = {}) => {
  const { tasks = [task('t1')] } = parts
  const amounts = (tasks as Pick<ReturnType<typeof task>, 'charges'>[]).flatMap(({ charges }) => charges)
  return {
    requests: [create('t1'), poll('t1', 11), download('t1')],
    tasks,
    settled: amounts.reduce((sum, { amount }) => sum + amount, 0),
    findings: [],
    endedAt: 0,
    ...parts,
  } as unknown as WorldObservation
}

function judged(
  one: Case,
  observed: WorldObservation,
  exit: Exit | number = 0,
  errors = 'refused',
  baseline = world(),
  undisturbedOutput = 'started\n',
) {
  const how: Exit = typeof exit === 'number' ? { kind: 'ended', code: exit } : exit
  return verdictOf({
    one,
    run: { exit: how, output: errors, errors, ms: 1000 },
    observed,
    baseline,
    undisturbedOutput,
    paceMs: 1000,
    folder: '/app',
  })
}

/** What a program has paid and lost that gives up, beside its undisturbed run. */
const billOf = (one: Case, now: WorldObservation, before: WorldObservation) => {
  const { bill } = judged(one, now, 1, 'refused', before)
  return [bill.verdict, bill.lost]
}

const lost = caseOf('a.create', 'reply_lost')
const stuck = caseOf('a.create', 'task_stuck')
const refusedCreate = caseOf('a.create', 'unavailable')
const refusedPoll = caseOf('a.get', 'unavailable')
const broken = caseOf('media.download', 'file_empty')
const expired = caseOf('a.create', 'task_expired')
const noLink = caseOf('a.create', 'no_result_link')
const limit = (ms: number): Exit => ({ kind: 'limit', ms })
const threw = (name: string, message: string): Exit => ({ kind: 'threw', name, message })
/** The task t1 was paid for, and these calls were made. */
const calls = (...requests: object[]) => world({ requests })
/** Polls of a task that expired after ten seconds, at this pace. */
const polledOn = ({ times, everyMs }: { times: number; everyMs: number }) =>
  world({
    requests: [
      create('t1'),
      ...Array.from({ length: times }, (_, index) =>
        poll('t1', 0, { at_ms: 10_000 + index * everyMs, started_ms: index * everyMs }),
      ),
    ],
    tasks: [
      task('t1', {
        timeline: [
          { at: at(0), to: 'queued', state: 'queued' },
          { at: at(10), from: 'running', to: 'expired', state: 'expired' },
        ],
        charges: [],
        media: [],
      }),
    ],
  })
/** The task t1 was made, paid for and seen to succeed; then came these calls. */
const succeeded = (...others: object[]) => calls(create('t1'), poll('t1', 11), ...others)
const replied = (body: object) => ({ response: { headers: {}, body } })
const linked = replied({ video_url: 'http://x/files/world/t1/video.mp4' })
const handedOn = calls(create('t1'), poll('t1', 11, linked))
/** Two tasks race: both succeed, and the file of the first is fetched. */
const raced = world({
  requests: [...['t1', 't2'].flatMap(id => [create(id), poll(id, 11)]), download('t1')],
  tasks: [task('t1'), task('t2')],
})
/** Both files of two tasks are fetched. */
const batch = world({
  requests: ['t1', 't2'].flatMap(id => [create(id), poll(id, 11), download(id)]),
  tasks: [task('t1'), task('t2')],
})
const linkless = world({
  requests: [create('t1'), poll('t1', 11)],
  tasks: [task('t1', { rule: 'explore/1' })],
})
const finding = (kind: string) => ({ kind, text: kind, request_ids: [] })
const nothing = world({ requests: [], tasks: [] })
const twoPaid = world({ tasks: [task('t0'), task('t1')] })
const part = (range: string) =>
  download('t1', { status: 206, response: { headers: { 'Content-Range': range } } })
const quick = (ms: number) =>
  world({
    requests: [
      create('t1'),
      ...[0, 1, 2].map(nth => poll('t1', 11, { started_ms: nth * ms })),
      download('t1'),
    ],
    findings: [finding('polls_too_fast')],
  })

type Row = [verdict: string, what: string, ...given: Parameters<typeof judged>]
/** A file with a fault, which was continued at a byte of its twenty. */
const continued = (verdict: string, effect: MediaEffect, from: number): Row => {
  const fault = download('t1', { ...met(effect), response: { headers: { 'Content-Length': '20' } } })
  const what = `a file with the fault ${JSON.stringify(effect)} was continued at byte ${from} of 20`
  return [verdict, what, broken, succeeded(fault, part(`bytes ${from}-19/20`))]
}
// biome-ignore format: a table, one row a line
const rows: Row[] = [
  ['recovered', 'everything is there', lost, world()],
  ['recovered', 'a broken file was fetched again whole', broken, succeeded(download('t1', emptied), download('t1'))],
  ['recovered', 'a file came in two ranges', lost, succeeded(part('bytes 0-9/20'), part('bytes 10-19/20'))],
  continued('recovered', { kind: 'truncated', share: 0.5 }, 10),
  continued('recovered', { kind: 'stall', share: 0.5 }, 10),
  continued('false_success', { kind: 'stall', share: 0.5 }, 12),
  continued('false_success', { kind: 'stall', share: 0.496 }, 10),
  continued('false_success', { kind: 'corrupt' }, 10),
  ['recovered', 'polls as quick as undisturbed are not rude', lost, quick(900)],
  ['told', 'ended with 1 before anything was made', lost, nothing, 1, 'moderated'],
  ['told', 'a key that was withdrawn does not come back', caseOf('a.get', 'unauthenticated'), calls(create('t1'), poll('t1', 1, { status: 401 })), 1],
  ['false_success', 'only a broken file came', broken, succeeded(download('t1', emptied))],
  ['false_success', 'nothing was fetched', broken, succeeded()],
  ['false_success', 'nothing was made', lost, nothing],
  ['unfinished', 'the limit passed, and nothing shows that it never ends', lost, world(), limit(60_000)],
  ['unfinished', 'it polls an ended task every five seconds, and its own limit may be ten minutes', expired, polledOn({ times: 12, everyMs: 5000 }), limit(60_000)],
  ['unfinished', 'it polls an ended task every two seconds of a minute', expired, polledOn({ times: 30, everyMs: 2000 }), limit(60_000)],
  ['unfinished', 'it polls an ended task five times a second for some seconds, and may stop after a hundred attempts', expired, polledOn({ times: 90, everyMs: 200 }), limit(18_000)],
  ['hung', 'it polls an ended task without a rest', expired, polledOn({ times: 120, everyMs: 50 }), limit(6000)],
  ['hung', 'it polls an ended task for more than an hour of virtual time', expired, polledOn({ times: 70, everyMs: 60_000 }), limit(60_000)],
  ['hung', 'it still ran after seven virtual days', lost, { ...world(), tasks: [] }, { kind: 'endless', ms: 604_800_000 }],
  ['crashed', 'a signal', lost, world(), { kind: 'signal', signal: 'SIGSEGV' }],
  ['crashed', 'a TypeError of a function', lost, world(), threw('TypeError', 'x is undefined')],
  ['uncaught', 'a broken connection of a function', lost, world(), threw('TypeError', 'fetch failed')],
  ['told', 'another error of a function', lost, world(), threw('SyntaxError', 'no JSON')],
  ['crashed', 'the exit code of a segmentation fault in a shell', lost, world(), 139],
  ['uncaught', 'ended with 1 and wrote nothing', lost, world(), 1, ' \n'],
  ['uncaught', 'ended with 1 and wrote only what it always writes', lost, world(), 1, 'started\n'],
  ['uncaught', 'ended with 1 and wrote only what it always writes, at another time', lost, world(), 1, 'started\n12:07 poll 9\n', world(), 'started\n12:00 poll 3\n'],
  ['told', 'ended with 1 and wrote another status than it always writes', lost, world(), 1, 'answer 503\n', world(), 'answer 200\n'],
  ['told', 'ended with 1 and counted one result less', lost, world(), 1, '4 of 5 saved\n', world(), '5 of 5 saved\n'],
  ['told', 'ended with 1 and counted a failure', lost, world(), 1, 'saved: 4, failed: 1\n', world(), 'saved: 5, failed: 0\n'],
  ['uncaught', 'ended with 1 and counted its polls only, to the last, on another day', lost, world(), 1, '12/01/2026 poll 9 of 9\n', world(), '11/24/2026 poll 1 of 9\n'],
  ['told', 'no other task can be asked for while the list is not found', caseOf('special.list', 'no_access'), calls(create('t1'), poll('t1', 1, { task_id: undefined, status: 404, path: '/list' })), 1],
  ['told', 'ended with 1 and said why', lost, world(), 1, 'started\nno answer\n'],
  ['false_success', 'the reply had no link, and the program hands links on', noLink, linkless, 0, '', handedOn],
  ['recovered', 'the program hands the link on', noLink, handedOn, 0, '', handedOn],
  ['recovered', 'the file of the other task of two that race', refusedCreate, world(), 0, '', raced],
  ['paid_for_nothing', 'no file of two tasks that race', refusedCreate, succeeded(), 0, '', raced],
  ['false_success', 'one file of two that it fetches undisturbed', refusedCreate, world(), 0, '', batch],
  ['paid_twice', 'two tasks were paid for', lost, twoPaid],
  ['paid_twice', 'also when it gave up then', lost, twoPaid, 1],
  ['paid_for_nothing', 'gave up at a poll that may pass', refusedPoll, calls(create('t1'), poll('t1', 1, { status: 503 })), 1],
  ['paid_for_nothing', 'gave up on a create without an answer, whose task can be listed', lost, calls(create('t1', { reply_lost: true })), 1],
  ['told', 'no other task can be asked for while every query is refused', caseOf('special.get', 'forbidden_model'), calls(create('t1'), poll('t2', 1, { status: 403, rule: 'explore/1' })), 1],
  [
    'paid_for_nothing',
    'a result whose reply could not be parsed was not seen, although it ended with 0',
    caseOf('a.get', 'garbled_answer'), calls(create('t1'), poll('t1', 11, { ...linked, broken: 'garbled' })), 0, '', handedOn,
  ],
  ['rude', 'a stuck task was made again, and not cancelled', stuck, world({ findings: [finding('created_again_while_running')] })],
  ['rude', 'polls take a tenth of the undisturbed time', lost, quick(100)],
  ['rude', 'Retry-After was ignored', lost, world({ findings: [finding('retry_after_ignored')] })],
]

describe('verdicts follow from the facts (docs/explore.md, "What it says")', () => {
  it.each(rows)('%s: %s', (verdict, _, ...given) => {
    const { verdict: found, evidence } = judged(...given)
    expect(found, evidence).toBe(verdict)
    expect(evidence).not.toBe('')
  })
})

describe('how it ended and what it cost are two axes (docs/explore.md, "What it says")', () => {
  const refusal = {
    status: 503,
    ...replied({ error: { code: 'Down', message: 'the service is resting now' } }),
  }
  const gaveUp = calls(create('t1'), poll('t1', 1, refusal))
  /** It gave up with 1 at a poll that was refused, and wrote this. */
  const saying = (errors: string) => judged(refusedPoll, gaveUp, 1, errors)

  it('a crash that leaves a charged result behind is paid for nothing, with the end, the credits and the error', () => {
    const { end, bill, verdict, level, evidence } = judged(
      refusedPoll,
      gaveUp,
      threw('TypeError', 'x is undefined'),
    )
    expect({ end, bill, verdict, level }).toEqual({
      end: 'crashed',
      bill: { verdict: 'lost', settled: 5, undisturbed: 5, lost: 5 },
      verdict: 'paid_for_nothing',
      level: 'problem',
    })
    expect(evidence).toBe(
      '5 credits lost: t1 was charged and could still be fetched (the service is unavailable for a short time); an uncaught error ended it: TypeError: x is undefined',
    )
  })

  it('what is lost in a pair of failures is told with both', () => {
    const pair = { ...refusedPoll, and: caseOf('media.download', 'file_truncated') }
    expect(judged(pair, gaveUp, 1).evidence).toContain(
      '(the service is unavailable for a short time, and the file breaks off half way)',
    )
  })

  it('a program that pays twice and crashes shows both sums and its end', () => {
    const { end, bill, verdict } = judged(lost, twoPaid, threw('TypeError', 'x'))
    expect([end, bill, verdict]).toEqual([
      'crashed',
      { verdict: 'twice', settled: 10, undisturbed: 5, lost: 0 },
      'paid_twice',
    ])
  })

  it('a task that another service made again is told so, unless this is so undisturbed', () => {
    const findings = [finding('made_twice')]
    const requests = [create('t0'), create('t1'), poll('t1', 1)]
    const paid = world({ requests, tasks: [task('t0'), task('t1')], findings })
    expect(judged(lost, paid).cause?.title).toContain('is sent again by another service, and a second task')
    const usual = world({ findings })
    const title = judged(lost, paid, 0, '', usual).cause?.title
    expect(title).toContain('is sent again, and a second task')
  })

  it('of several kinds of tasks, the one that was made again is named, whatever was made last', () => {
    const shot = (id: string, operation: string) => create(id, { operation })
    const baseline = world({ requests: [shot('p1', 'image.generate'), shot('v1', 'k.create')] })
    const twice = (...operations: string[]) =>
      world({
        requests: operations.map((operation, index) => shot(`t${index}`, operation)),
        tasks: operations.map((_, index) => task(`t${index}`)),
      })
    const titleOf = (one: Case, ...operations: string[]) =>
      judged(one, twice(...operations), 0, '', baseline).cause?.title
    const image = ['image.generate', 'image.generate', 'k.create']
    expect(titleOf(caseOf('image.generate', 'reply_lost'), ...image)).toMatch(
      /^image\.generate is sent again/,
    )
    const both = ['image.generate', 'k.create', 'image.generate', 'k.create']
    expect(titleOf(caseOf('k.create', 'reply_lost'), ...both)).toMatch(/^k\.create is sent again/)
    expect(titleOf(caseOf('image.generate', 'reply_lost'), ...both)).toMatch(/^image\.generate is sent again/)
    expect(titleOf(caseOf('k.tasks.get', 'unavailable'), ...both)).toMatch(/^k\.create is sent again/)
  })

  it('an unfinished run tells how often it asked while the answer could still change, and claims no silence', () => {
    const requests = [create('t1'), ...Array.from({ length: 100 }, (_, index) => poll('t1', 15 * index))]
    const timeline = [
      { at: at(0), to: 'queued', state: 'queued' },
      { at: at(172_800), from: 'queued', to: 'expired', state: 'expired' },
    ]
    const polled = world({ requests, tasks: [task('t1', { timeline, charges: [] })] })
    expect(judged(expired, polled, limit(30_000), '')).toMatchObject({
      verdict: 'unfinished',
      evidence:
        'was ended after 30s; its last call was a.get -> 200, made 100 times in 24m45s of virtual time',
    })
    const once = world({ requests: requests.slice(0, 2), tasks: [task('t1', { timeline })] })
    expect(judged(expired, once, limit(30_000), '').evidence).toBe(
      'was ended after 30s; its last call was a.get -> 200',
    )
  })

  it('in virtual time two hundred polls show nothing before an hour has passed: a program may give up after 240', () => {
    const polls = (many: number) => Array.from({ length: many }, (_, index) => poll('t1', 11 + 5 * index))
    const open = [{ at: at(0), to: 'queued', state: 'queued' }]
    const endAfter = (many: number, isDriven: boolean) => {
      const tasks = [task('t1', { timeline: open, charges: [] })]
      const polled = world({ requests: [create('t1'), ...polls(many)], tasks })
      return judged(stuck, { ...polled, isDriven }, limit(30_000)).end
    }
    expect([endAfter(230, true), endAfter(722, true), endAfter(230, false)]).toEqual([
      'unfinished',
      'hung',
      'hung',
    ])
  })

  it('calls are counted as "at least" when the journal no longer has the first of them', () => {
    const late = polledOn({ times: 120, everyMs: 50 })
    const [first, ...others] = late.requests
    const kept = { ...late, requests: [{ ...first, id: 2301 }, ...others] } as WorldObservation
    const { evidence } = judged(expired, kept, limit(6000))
    expect(evidence).toMatch(/^asked at least 120 times in 6s after the task had become expired/)
  })

  it.each([
    ['of family A', 'a.get', { status: 404, fault: 'not_found' }, 'hung'],
    ['of family B', 'b.get', { status: 200 }, 'hung'],
    ['that a rule refuses', 'a.get', { status: 404, fault: 'not_found', rule: 'mine/1' }, 'unfinished'],
    ['by an external id, which may come', 'k.avatar.get', { status: 400, fault: 'not_found' }, 'unfinished'],
  ])('a program that polls without an end for a task that does not exist, %s', (_, operation, reply, end) => {
    const asked = { operation, path: '/tasks/undefined', task_id: undefined, ...reply }
    const polls = Array.from({ length: 70 }, (__, index) => poll('', 60 * index, asked))
    const run = judged(lost, calls(create('t1'), ...polls), limit(60_000))
    expect(run.end).toBe(end)
    expect(run.evidence.includes('for a task that does not exist')).toBe(end === 'hung')
  })

  it('one poll of each of several ended tasks is not taken for polling on', () => {
    const ids = ['t1', 't2', 't3']
    const requests = [...ids.map(id => create(id)), ...ids.map(id => poll(id, 12))]
    const several = world({ requests, tasks: ids.map(id => task(id)) })
    expect(judged(noLink, several, limit(20_000), '', several).evidence).toBe(
      'was ended after 20s; its last call was a.get -> 200',
    )
  })

  it('a program that waits after it printed an error has that error and its line as the cause', () => {
    const died = `Exception in thread Thread-1 (work):
Traceback (most recent call last):
  File "/app/threads.py", line 12, in work
    id = call("/tasks")
urllib.error.HTTPError: HTTP Error 429: Too Many Requests
`
    expect(judged(refusedPoll, gaveUp, limit(30_000), died)).toMatchObject({
      verdict: 'unfinished',
      evidence:
        'was ended after 30s; its last call was a.get -> 503; before, it wrote: urllib.error.HTTPError: HTTP Error 429: Too Many Requests',
      cause: { title: 'had not ended after HTTPError', where: 'threads.py:12 `work`' },
    })
    const twoDied = died.replaceAll(/^.*\n/gm, line => `${line}${line}`)
    expect(judged(refusedPoll, gaveUp, limit(30_000), twoDied).evidence).toMatch(
      /it wrote: .*429: Too Many Requests$/,
    )
    expect(judged(refusedPoll, gaveUp, limit(30_000), died, world(), died).cause).toEqual({
      title: 'had not ended after its last a.get',
      where: null,
    })
  })

  it('a program that waits for seven virtual days is told with what it waits for', () => {
    const silent = succeeded(download('t1', silence))
    expect(judged(broken, silent, { kind: 'endless', ms: 604_800_000 })).toMatchObject({
      end: 'hung',
      evidence: expect.stringContaining(
        'waited for a reply to media.download, which never came, and still ran after seven virtual days',
      ),
    })
  })

  it('a generic error is one cause with all its messages where its line is known, and so is a decoder', () => {
    const thrown = (line: string) =>
      saying(`file:///app/a.mjs:9\n\n\n${line}\n    at call (file:///app/a.mjs:9:3)\n\nNode.js v20.20.2\n`)
        .cause
    const where = 'a.mjs:9 `call`'
    const [refused, forbidden] = [thrown('Error: the task is lost'), thrown('Error: the key is wrong')]
    expect(refused).toEqual({ title: 'not caught: Error: the task is lost', where, error: 'Error' })
    const titles = (...causes: unknown[]) =>
      groupedByCause(causes.map(cause => ({ cause }) as JudgedRow)).map(({ cause }) => causeText(cause))
    expect(titles(refused, refused)).toEqual([`${where}: not caught: Error: the task is lost`])
    expect(titles(refused, forbidden)).toEqual([`${where}: Error not caught`])
    expect(titles(refused, { ...forbidden, where: null })).toHaveLength(2)
    expect(titles(refused, thrown('TypeError: fetch failed'))).toHaveLength(2)
    for (const message of ['Unexpected end of JSON input', 'Unexpected token < in JSON'])
      expect(thrown(`SyntaxError: ${message}`)).toEqual({ title: 'SyntaxError', where })
    expect(thrown("TypeError: Cannot read properties of undefined (reading 'url')")?.title).toContain("'url'")
  })

  it('an unfinished run tells what it waits for: any reply, or the rest of a file', () => {
    const waits = (others: object) =>
      judged(broken, succeeded(download('t1', others)), limit(30_000), '').evidence
    expect(waits(silence)).toBe(
      'waited for a reply to media.download, which never came, until it was ended after 30s',
    )
    expect(waits(met({ kind: 'stall', share: 0.5 }))).toBe(
      'waited for the rest of a file until it was ended after 30s',
    )
  })

  it.each(
    // biome-ignore format: a table, one row a line
    [
    [
      'not the advice of a library below it',
      "giving up: HTTPStatusError Client error '403 Forbidden' for url 'http://x/tasks'\nFor more information check: https://developer.mozilla.org/en-US/docs/Web/HTTP/Status/403\n",
      /^ended with 1: giving up: HTTPStatusError/,
    ],
    ['not the end of a log', 'poll: /tasks/1: 404 Not Found\nGet "http://x/tasks/1": context deadline exceeded\ndone in 20 s\n', /context deadline exceeded$/],
    ['not the page of a proxy below it', 'refused: 502 <html>\n<center><h1>502 Bad Gateway</h1></center>\n</html>\n', /ended with 1: refused: 502 <html>$/],
    ['not a part of such a page', 'refused: 502 <html>\n<body>\n<center><h1>502 Bad\n', /ended with 1: refused: 502 <html>$/],
    ['in one line, where the JSON parser of Node quotes a reply', 'skipped: Unexpected token \'<\', "<html>\r\n<h"... is not valid JSON\n', /^ended with 1: skipped: Unexpected token '<', "<html> <h"\.\.\. is not valid JSON$/],
    ['not a warning about what it got over, nor the bracket of an object', 'FATAL [AggregateError: All promises were rejected] {\n[WARNING] save: try 1 failed\n', /^ended with 1: FATAL \[AggregateError: All promises were rejected\]$/],
    ['or a warning, where there is nothing else', '2026-01-01 08:00:00 WARNING no answer\n', /no answer/],
  ],
  )('evidence quotes the line that failed, %s', (_, errors, evidence) => {
    expect(judged(lost, world(), 1, errors).evidence).toMatch(evidence)
  })

  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['node:test', 'not ok 1 - makes a video\n  ---\n  error: gone\n  ...\n1..1\n# fail 1\n# cancelled 0\n', 'not ok 1'],
    ['pytest', 'FAILED test_it.py::test_video - assert 1 == 2\n==== 1 failed in 0.12s ====\n', 'FAILED test_it'],
    [
      'pytest with the errors',
      'E       sdk.ReadTimeout: no answer\nE       and more: error\n\ntest_it.py:9: ReadTimeout\nFAILED test_it.py::test_video - sdk.ReadTi...\n',
      'sdk.ReadTimeout: no answer',
    ],
    [
      'vitest',
      ' FAIL  a.test.ts > makes a video\nAssertionError: expected 429 to be 200\n\n- Expected\n+ Received\n\n- 200\n+ 429\n',
      'AssertionError: expected 429 to be 200',
    ],
    [
      'vitest with a refused connection',
      'TypeError: fetch failed\nCaused by: Error: read ECONNRESET\nSerialized Error: { errno: -104 }\n',
      'Caused by: Error: read ECONNRESET',
    ],
    [
      'Playwright',
      '  1) a.spec.mjs:2:1 › a user ─────\n\n    Error: expect(locator).toHaveText(expected) failed\n\n    Expected: "ready"\n    Received: "gave up"\n    Timeout:  5000ms\n\n    Error Context: results/a.md\n\n  1 failed\n    a.spec.mjs:2:1 › a user ─────\n',
      'Error: expect(locator).toHaveText(expected) failed: Received: "gave up"',
    ],
  ],
  )('evidence of a suite of %s names the test that failed, not the totals below it', (_, output, line) => {
    expect(saying(output).evidence).toContain(`ended with 1: ${line}`)
  })

  it.each([
    ['not a PNG: <Buffer 3c 68 74 6d 6c>', 'not a PNG: <Buffer 00 00 00 1c 66 74>'],
    ['not a PNG: {"type":"Buffer","data":[60,33,100]}', 'not a PNG: {"type":"Buffer","data":[]}'],
    ["not an mp4: b'<!doctype html>\\n'", "not an mp4: b''"],
    ['bad head: 3c 68 74 6d 6c', 'bad head: 00 00 00 1c 66 74'],
    ['bad head: [60, 104, 116, 109]', 'bad head: [0, 0, 0, 28, 102]'],
    ['2026-11-24 08:31:05,123 ERROR no video', '2026-11-24 08:31:07,001 ERROR no video'],
    ['2026/11/24 00:19:40 no video', '2026/11/24 00:20:41 no video'],
    ['RetryError[<Future at 0x7f36 state=finished>]', 'RetryError[<Future at 0x1b state=finished>]'],
    ['HTTP 503 on POST: {"error":{"code":"Down"}}', 'HTTP 502 on POST: <html>'],
    [`Unexpected token '<', "<html>" is not valid JSON`, `Unexpected token 'x', "xy"... is not valid JSON`],
    ['HTTP 429 Too Many Requests', 'HTTP 502 Bad Gateway'],
    ['refused: Forbidden', 'refused: Service Unavailable'],
    ["Client error '403 Forbidden' for url 'http://x'", "Server error '502 Bad Gateway' for url 'http://y'"],
    ['429 Client Error: Too Many Requests for url: http://x', '503 Server Error: 503 for url: http://x'],
    ['refused: 503 the service is resting now', 'refused: 503 Service Unavailable'],
    ['{"level":50,"msg":"no video","pid":7}', '{"level":50,"msg":"no video","pid":9,"time":1}'],
    [`${'far '.repeat(48)}too long: 12345678`, `${'far '.repeat(48)}too long: 9`],
  ])('words that differ only in what they quote have one cause: %s', (one, other) => {
    const [title, same] = [one, other].map(words => saying(words).cause?.title)
    expect(title).toBe(same)
    expect(title).toMatch(/^[a-zHRU…]/)
  })

  it.each(Object.entries(STATUS_CODES).filter(([status]) => Number(status) >= 400))(
    'the name of a status tells no cause from another: %s %s',
    (status, phrase) => {
      const titles = [`${status} ${phrase}`, `${phrase} (${status})`].map(
        words => saying(`no video: ${words}`).cause?.title,
      )
      expect(titles).toEqual(['at a.get: no video: …', 'at a.get: no video: … (…)'])
    },
  )

  it('where no line is known the call that failed tells causes apart: the last one that was refused or broken', () => {
    const lostReply = { reply_lost: true, status: 0 }
    const runs = [
      [create('t1', lostReply)],
      [create('t1', { rule: 'explore/1' }), poll('t1', 1, lostReply)],
      [create('t1', { rule: 'explore/1' }), poll('t1', 11), download('t1', lostReply)],
      [create('t1'), poll('t1', 1, { status: 503 }), poll('t1', 11)],
    ]
    const titles = (errors: string) =>
      runs.map(requests => judged(refusedPoll, world({ requests }), 1, errors).cause?.title)
    const calls = ['a.create', 'a.get', 'media.download', 'a.get']
    expect(titles('fetch failed')).toEqual(calls.map(call => `at ${call}: fetch failed`))
    expect(titles('')).toEqual(calls.map(call => `fails in silence at ${call}`))
    expect(titles("jq: error: it's null")).toEqual(calls.map(call => `at ${call}: jq: error: it's null`))
  })

  it('a reply without a link is the failure of the download, which a shell then makes without an address', () => {
    const now = world({ requests: [create('t1', { rule: 'explore/1' }), poll('t1', 11)], settled: 0 })
    const { title } = judged(noLink, now, 3, 'curl: (3) URL using bad/illegal format\n').cause ?? {}
    expect(title).toMatch(/^not caught at media\.download: curl: /)
  })

  it.each([
    ['pino', '{"level":50,"time":1,"msg":"no video","err":{"type":"Error","message":"fetch failed"}}'],
    ['structlog', '{"event":"no video","exception":"Traceback (most…\\n  x\\nfetch failed","level":"error"}'],
    ['zap', '{"level":"error","ts":1.5,"caller":"a.go:3","msg":"no video","error":"fetch failed"}'],
    ['slog', 'time=2026-01-01T00:00:00Z level=ERROR msg="no video" err="fetch failed"'],
    ['an error alone', '{"error":{"code":"x","message":"no video: fetch failed"}}'],
    [
      'an error over several lines, with advice',
      '{\n  "error": {\n    "message": "no video: fetch failed",\n    "hint": "a longer timeout"\n  }\n}',
    ],
    ['one after words', 'no video: {\n  "status": 503,\n  "message": "fetch failed"\n}'],
    ['a log over several lines', '{\r\n  "msg": "no video",\r\n  "err": "fetch failed"\r\n}\r'],
  ])('what a structured log says is its message: %s', (_, line) => {
    const usual = '{"level":30,"msg":"error budget: 0 failed"}'
    const { evidence, cause } = saying(`${line}\n${usual}\n`)
    expect(evidence).toMatch(/ended with 1: no video: fetch failed$/)
    expect(cause?.title).toBe('at a.get: no video: fetch failed')
  })

  it('a call of a path that the gateway does not have is not the place of a failure', () => {
    const health = poll('t1', 12, { ...refusal, operation: 'unknown', path: '/health' })
    const now = calls(create('t1'), poll('t1', 1, refusal), health)
    expect(judged(refusedPoll, now, 1, 'it is gone\n').cause?.title).toBe('at a.get: it is gone')
  })

  it('the place of a failure without a refusal is the last call about its task, also when another job goes on', () => {
    const other = [create('t2'), poll('t2', 21), download('t2')]
    const now = calls(create('t1'), poll('t1', 1), ...other)
    expect(judged(stuck, now, 1, 'it takes too long\n').cause?.title).toBe('at a.get: it takes too long')
  })

  it('the place of an outage is the last refused call about the task that it came to, also when it meets another job', () => {
    // A refused call is not asked for its task.
    const unfound = { ...refusal, task_id: undefined }
    const now = calls(create('t1'), poll('t1', 1, unfound), create('t2', unfound))
    expect(judged(caseOf('a.get', 'outage'), now, 1, 'it is gone\n').cause?.title).toBe(
      'at a.get: it is gone',
    )
    const early = calls(create('t1', unfound), poll('t2', 1, unfound))
    expect(judged(caseOf('a.create', 'outage'), early, 1, 'it is gone\n').cause?.title).toMatch(
      /^at a\.get: /,
    )
  })

  it('neither the head of a reply nor a line that it always writes is what a program says of its failure', () => {
    const titleOf = (errors: string) =>
      judged(refusedPoll, gaveUp, 1, errors, world(), 'status: queued, failed: 0\n').cause?.title
    expect(titleOf('it is gone\nHTTP/1.1 503 Service Unavailable\n')).toBe('at a.get: it is gone')
    expect(titleOf('it is gone\nstatus: queued, failed: 0\n')).toBe('at a.get: it is gone')
    expect(titleOf('HTTP/1.1 503 Service Unavailable\n')).toBe('at a.get: ended with …')
    expect(titleOf('status: queued, failed: 1\nbye\n')).toBe('at a.get: status: queued, failed: …')
  })

  it('a task whose record is lost has not ended: polls on for it have a title of their own', () => {
    const { tasks, ...others } = polledOn({ times: 120, everyMs: 50 })
    const gone = { ...others, tasks: [{ ...tasks[0], plan: { gone_at: at(1) } }] }
    const { evidence, cause } = judged(expired, gone as unknown as WorldObservation, limit(6000))
    expect(evidence).toContain('after the record of the task was lost')
    expect(cause?.title).toBe('polls on for a task whose record is lost')
    // It ends unseen, later than all these polls.
    const end = { at: at(40), from: 'running', to: 'succeeded' }
    const unseen = { ...others, tasks: [{ ...gone.tasks[0], timeline: [end] }] }
    expect(judged(expired, unseen as unknown as WorldObservation, limit(6000)).cause).toEqual(cause)
  })

  it('an unfinished run whose last call is of another job is told with the call that failed', () => {
    const requests = [create('t1'), poll('t1', 5, met({ kind: 'garble' })), download('t2')]
    expect(judged(caseOf('a.get', 'garbled_answer'), world({ requests }), limit(30_000), '')).toMatchObject({
      evidence:
        'was ended after 30s; its last call was media.download -> 200, and its last one about what failed a.get -> 200',
      cause: { title: 'had not ended after its last a.get' },
    })
  })

  it('a cause says how many of its cases have the verdict that heads it', () => {
    const cause = { title: 'HTTPError not caught', where: 'a.py:3' }
    const rowsOf = (count: number, verdict: string) =>
      Array.from({ length: count }, (_, nth) => ({ operation: 'a.get', nth, id: verdict, verdict, cause }))
    const level = { paid_for_nothing: 'problem', uncaught: 'warning' }
    const rows = [...rowsOf(9, 'uncaught'), ...rowsOf(1, 'paid_for_nothing')].map(row => {
      return { ...row, level: level[row.verdict as keyof typeof level] }
    }) as unknown as JudgedRow[]
    expect(causesOf(rows).map(one => [one.verdict, countText(one, 'case')])).toEqual([
      ['paid_for_nothing', '1 of 10 cases (9 uncaught)'],
    ])
    expect(causesOf(rows.slice(0, 9)).map(one => countText(one, 'case'))).toEqual(['9 cases'])
  })

  it('one line whose errors have a class for each status is one cause, and a client beside the folder has frames', () => {
    const thrown = (name: string) => `Traceback (most recent call last):
  File "/srv/harness/main.py", line 3, in <module>
    run()
  File "/srv/client/kling.py", line 44, in create
    raise error
${name}: no
`
    const run = { exit: { kind: 'ended', code: 1 } as const, output: '', ms: 1 }
    const names = ['RateLimitError', 'InternalServerError', 'NotFoundError', 'APIConnectionError']
    const causes = [...names.map(name => `openai.${name}`), 'FileNotFoundError', 'ModuleNotFoundError'].map(
      name => {
        const given = { ...run, errors: thrown(name), output: thrown(name) }
        const facts = { one: refusedPoll, observed: gaveUp, baseline: world(), undisturbedOutput: '' }
        return verdictOf({ ...facts, run: given, paceMs: 1000, folder: '/srv/harness' }).cause
      },
    )
    const groups = groupedByCause(causes.map(cause => ({ cause }) as JudgedRow))
    expect(groups.map(({ cause }) => causeText(cause))).toEqual([
      '../client/kling.py:44 `create`: the error of a status not caught',
      '../client/kling.py:44 `create`: APIConnectionError not caught',
      '../client/kling.py:44 `create`: FileNotFoundError not caught',
      '../client/kling.py:44 `create`: ModuleNotFoundError: no',
    ])
  })

  it('jobs that fail in the same way have one cause, whatever they are to show', () => {
    const prompts = ['harbour at dawn', 'harbour at dawn, in rain']
    const asked = world({
      tasks: prompts.map((text, index) =>
        task(`t${index}`, { request: { content: [{ text }], model: 'm' } }),
      ),
    })
    const titles = (saidOf: (prompt: string) => string) =>
      prompts.map(prompt => judged(refusedPoll, gaveUp, 1, saidOf(prompt), asked).cause?.title)
    const told = 'at a.get: …: read ECONNRESET'
    expect(titles(prompt => `${prompt}: read ECONNRESET\n`)).toEqual([told, told])
    const thrown = 'not caught: Error: no video of …'
    const stack = '\n    at call (file:///app/a.mjs:9:3)\n\nNode.js v20.20.2\n'
    expect(titles(prompt => `file:///app/a.mjs:9\n\n\nError: no video of ${prompt}${stack}`)).toEqual([
      thrown,
      thrown,
    ])
  })

  it('what the emulator writes when virtual time is over is no word of the program', () => {
    const silent = calls(
      create('t1'),
      poll('t1', 1),
      download('t1', { status: 0, reply_lost: true, ...silence }),
    )
    const over =
      'virtual-time: nobody waits for any moment\nvirtual-time: still running after seven virtual days\n'
    const evidenceOf = (errors: string) =>
      judged(broken, silent, { kind: 'endless', ms: 604_800_000 } as Exit, errors).evidence
    expect(evidenceOf(over)).not.toContain('it wrote')
    expect(evidenceOf(`read failed\n${over}`)).toContain('before, it wrote: read failed')
  })

  it('a name with a number keeps it, a short id does not, and another error has another cause', () => {
    const titleOf = (words: string) => saying(words).cause?.title
    for (const words of ['视频生成失败', 'ошибка']) expect(titleOf(words)).toBe(`at a.get: ${words}`)
    expect(titleOf('503')).toBe('at a.get: says only what the reply says')
    expect(titleOf('[GET] "http://x/1?page=1": 503 Service Unavailable')).toBe('at a.get: [GET] "…": …')
    expect(titleOf('[GET] "http://x/1": <no response> fetch failed')).not.toBe(
      titleOf('[GET] "http://x/1": 503'),
    )
    const advised = 'giving up: no video\nFor more information check: https://developer.mozilla.org/docs\n'
    expect(titleOf(advised)).toBe('at a.get: giving up: no video')
    expect(titleOf("'utf-8' codec failed at 12")).toBe("at a.get: 'utf-8' codec failed at …")
    expect(titleOf('clip ddc57b69: refused')).toBe(titleOf('clip 00cb41bf: refused'))
    expect(titleOf('the facade decoded h264: refused')).toBe('at a.get: the facade decoded h264: refused')
    expect(titleOf('no task: {"id":1}')).not.toBe(titleOf('no link: {"id":1}'))
  })

  it('an error without a message is told by the last call, and one without a place by the call that failed', () => {
    const bare = 'file:///app/a.mjs:9\n\n\nError\n    at call (file:///app/a.mjs:9:3)\n\nNode.js v20.20.2\n'
    expect(saying(bare)).toMatchObject({
      evidence: expect.stringMatching(/an uncaught error ended it: Error; its last call was a\.get -> 503$/),
      cause: { title: 'Error without a message not caught', where: 'a.mjs:9 `call`' },
    })
    const bundled = bare.replace('\n\n\nError', '\n\n\nr: gateway answered 503')
    expect(saying(bundled).cause?.title).toBe('not caught: r: gateway answered …')
    const curl = 'curl: (22) The requested URL returned error: 503\n'
    expect(judged(refusedPoll, gaveUp, 22, curl).cause?.title).toMatch(/^not caught at a\.get: curl: /)
  })

  it.each(
    // biome-ignore format: a table, one row a line
    [
    [emptied, 'video.mp4 came without a byte', 'takes a broken file for the result'],
    [{ status: 403, ...met({ kind: 'link_expired' }) }, 'its download of video.mp4 was refused with 403', 'ends with 0 after a download that failed'],
    [{ status: 0, reply_lost: true, ...silence }, 'its download of video.mp4 got no answer', 'ends with 0 after a download that failed'],
    [
      { status: 0, reply_lost: true, ...met({ kind: 'reset', place: 'before_headers' }) },
      'its download of video.mp4 broke off',
      'ends with 0 after a download that failed',
    ],
  ],
  )('a false success says what became of the download: %j', (others, sentence, title) => {
    const now = succeeded(download('t1', others))
    const { evidence, cause } = judged(broken, now)
    expect(evidence).toContain(`ended with 0, but ${sentence}, and no download of it was complete`)
    expect(cause?.title).toBe(title)
  })

  describe('a task that the program only uses to make another one', () => {
    const second = { operation: 'a.second', request_id: 'made-t1' }
    const chain = (requests: object[], tasks = [task('t0'), task('t1', { request: { source: 't0' } })]) =>
      world({ requests: [create('t0'), poll('t0', 11), ...requests], tasks })
    const before = chain([create('t1', second), poll('t1', 11), download('t1')])

    it('is not lost when the other one fails, which is', () => {
      const refused = chain([create('t1', { ...second, status: 503, task_id: undefined })], [task('t0')])
      expect(billOf(refusedPoll, refused, before)).toEqual(['less', 0])
      const cut = chain([create('t1', second), poll('t1', 11), download('t1', { reply_lost: true })])
      const { evidence, bill } = judged(refusedPoll, cut, 1, 'refused', before)
      expect(bill).toMatchObject({ verdict: 'lost', lost: 5 })
      expect(evidence).toContain('t1 was charged')
    })

    it('is lost when the program never learned of its success', () => {
      const requests = [create('t0', { reply_lost: true })]
      const lostFirst = world({ requests, tasks: [task('t0')] })
      expect(billOf(lost, lostFirst, before)).toEqual(['lost', 5])
    })

    it('may be missing when the result is there', () => {
      const without = calls(create('t1', second), poll('t1', 11), download('t1'))
      expect(judged(refusedPoll, without, 0, '', before).verdict).toBe('recovered')
    })
  })

  it('a picture in the reply itself is not lost when the file of another one is', () => {
    const inline = task('t2', { family: 'image' })
    const reply = replied({ data: [{ b64_json: '…' }] })
    const generated = create('t2', { operation: 'image.generate', at_ms: 11_000, ...reply })
    const both = { tasks: [task('t1'), inline] }
    const before = world({ requests: [create('t1'), poll('t1', 11), download('t1'), generated], ...both })
    const failed = create('t1', { status: 503, task_id: undefined })
    const refused = world({ requests: [failed, generated], tasks: [inline] })
    expect(billOf(refusedPoll, refused, before)).toEqual(['less', 0])
    const second = create('t3', { operation: 'image.generate', status: 503, task_id: undefined })
    const tasks = [inline, { ...inline, id: 't3' }]
    const pictures = world({ requests: [generated, { ...generated, task_id: 't3' }], tasks })
    const one = world({ requests: [generated, second], tasks: [inline] })
    expect(billOf(refusedPoll, one, pictures)).toEqual(['less', 0])
  })

  it('an unfinished run has lost nothing yet', () => {
    const { bill } = judged(refusedPoll, gaveUp, limit(1000))
    expect(bill).toEqual({ verdict: 'same', settled: 5, undisturbed: 5, lost: 0 })
  })

  describe('a paid result that no program can find, since the reply to its create was lost', () => {
    const beyond = (family: string, id: string, others: object[] = []) => {
      const operation = { b: 'b.create', image: 'image.generate', k: 'k.create' }[family] ?? ''
      const unread = id === 'garbled_answer' ? { broken: 'garbled' } : { reply_lost: true }
      const late = id === 'slow_answer' ? { rule: 'explore/1' } : unread
      const made = create('t1', { operation, ...late })
      const now = world({ requests: [made, ...others], tasks: [task('t1', { family })] })
      return (exit: Exit | number) => judged(caseOf(operation, id), now, exit)
    }

    it.each(
      ['b', 'image', 'k'].flatMap(family =>
        ['reply_lost', 'reply_cut', 'garbled_answer', 'no_answer', 'slow_answer'].map(id => [family, id]),
      ),
    )('is lost, and a warning: family %s, %s', (family = '', id = '') => {
      const { verdict, level, bill, cause, evidence } = beyond(family, id)(1)
      expect([verdict, level, bill.lost]).toEqual(['paid_for_nothing', 'warning', 5])
      expect(evidence).toContain('5 credits lost: t1 was charged, and ')
      expect(cause?.title).toMatch(
        id === 'slow_answer'
          ? /^gives up before a late reply to \S+, which has the id or link$/
          : /^loses what \S+ made when its reply is lost; (?:no program can know|it gives no external id)$/,
      )
    })

    it('is told with the call that made it, and a late reply may be the second failure of a pair', () => {
      const pair = { ...caseOf('a.get', 'unavailable'), and: caseOf('b.create', 'slow_answer') }
      const told = (others: object) => {
        const made = create('t1', { operation: 'b.create', ...others })
        const now = world({ requests: [made], tasks: [task('t1', { family: 'b' })] })
        return judged(pair, now, 1)
      }
      const late = told({ rule: 'explore/2' })
      expect([late.level, late.cause?.title]).toEqual([
        'warning',
        'gives up before a late reply to b.create, which has the id or link',
      ])
      expect(told({ reply_lost: true }).cause?.title).toContain('loses what b.create made')
      expect(told({}).level).toBe('problem')
    })

    it('a crash or a false success there is told before it, and is the problem that it is', () => {
      const run = beyond('b', 'reply_lost')
      const seen = [threw('TypeError', 'x is undefined'), 0].map(exit => {
        const { verdict, level, bill } = run(exit)
        return [verdict, level, bill.lost]
      })
      expect(seen).toEqual([
        ['crashed', 'problem', 5],
        ['false_success', 'problem', 5],
      ])
    })

    it('could still be fetched by a program that asks for it after a late reply', () => {
      const { level, evidence } = beyond('b', 'slow_answer', [poll('t1', 11)])(1)
      expect(level).toBe('problem')
      expect(evidence).toContain('could still be fetched')
    })
  })

  it('a picture in a lost reply is lost beside the file of another that was not fetched', () => {
    const files = { media: [{ name: 'image_0', url: 'http://gateway/files/image_0.png' }] }
    const image = (id: string) => task(id, { family: 'image', ...files })
    const generated = (id: string, others: object = {}) =>
      create(id, { operation: 'image.generate', at_ms: 10_000, ...others })
    const linked = generated('t1', replied({ data: [{ url: '/files/t1/a.png' }] }))
    const inline = replied({ data: [{ b64_json: 'AAAA' }] })
    const both = { tasks: [image('t1'), image('t2')] }
    const before = world({ ...both, requests: [linked, generated('t2', inline), download('t1')] })
    const now = world({ ...both, requests: [linked, generated('t2', { ...inline, reply_lost: true })] })
    const { bill, evidence } = judged(caseOf('image.generate', 'reply_lost'), now, 1, 'reset', before)
    expect(bill).toMatchObject({ verdict: 'lost', lost: 10 })
    expect(evidence).toContain('10 credits lost: 2 tasks were charged, and 1 of them could still be fetched')
  })

  it.each([
    ['is at it still', poll('t2', 8, { service: 'worker' }), 0],
    ['could not read its last reply', poll('t2', 8, { service: 'worker', status: 503 }), 5],
    ['has met the failure', poll('t2', 8, { service: 'worker', rule: 'explore/1' }), 5],
    ['asked last before more than a pause', poll('t2', 5, { service: 'worker' }), 5],
    ['has ended by itself', poll('t2', 8, { service: 'gone' }), 5],
  ])('of a task whose service %s, when the driver gives up, so much is lost', (_, last, lost) => {
    const polls = [create('t1'), create('t2'), poll('t1', 5), poll('t2', 5), poll('t1', 8, { status: 404 })]
    const both = [poll('t1', 11), poll('t2', 11), download('t1'), download('t2')]
    const before = world({ tasks: [task('t1'), task('t2')], requests: [...polls, ...both] })
    const exit = { kind: 'ended' as const, code: 1 }
    const gone = { name: 'gone', output: '', errors: '', exit: { ...exit, code: 0 }, isBeside: false }
    const system = { parts: [], ended: [gone], untied: [] }
    const tasks = [task('t1', { charges: [] }), task('t2')]
    const { bill } = verdictOf({
      one: caseOf('a.create', 'task_gone'),
      run: { exit, output: 'refused', errors: 'refused', ms: 1000, system },
      observed: world({ tasks, requests: [...polls, last], endedAt: 12_000 }),
      ...{ baseline: before, undisturbedOutput: '', undisturbedSystem: system, paceMs: 1000, folder: '/app' },
    })
    expect(bill.lost).toBe(lost)
  })

  it.each([
    ['as long ago as it pauses', 8_300, 0],
    ['long ago', 12_000, 5],
  ])(
    'in real time, where the clock stands still when nobody polls, a service that asked last %s by the wall',
    (_, driverEndedMs, lost) => {
      const still = { at_ms: 11_000, service: 'worker' }
      const polls = (...ids: string[]) => ids.flatMap(id => [7.5, 8].map(second => poll(id, second, still)))
      const before = world({
        tasks: [task('t1'), task('t2')],
        requests: [...polls('t1', 't2'), download('t1'), download('t2')],
      })
      const exit = { kind: 'ended' as const, code: 1 }
      const system = { parts: [], ended: [], untied: [], driverEndedMs }
      const refused = poll('t1', 8, { ...still, status: 503, rule: 'explore/1' })
      const { bill } = verdictOf({
        one: caseOf('a.create', 'task_failed'),
        run: { exit, output: 'refused', errors: 'refused', ms: 1000, system },
        observed: world({
          tasks: [task('t1', { charges: [] }), task('t2')],
          requests: [create('t1'), create('t2', { started_ms: 7_000 }), refused, ...polls('t2')],
          endedAt: 11_000,
        }),
        ...{
          baseline: before,
          undisturbedOutput: '',
          undisturbedSystem: system,
          paceMs: 500,
          folder: '/app',
        },
      })
      expect(bill.lost).toBe(lost)
    },
  )

  it('a run without a charge, and one with fewer tasks', () => {
    expect(judged(lost, nothing, 1).bill.verdict).toBe('none')
    expect(billOf(caseOf('a.create', 'moderated'), world(), twoPaid)).toEqual(['less', 0])
  })

  it.each([
    ['the tag or scenario of the user that shaped it', { rule: 'prompt/queue,mine/1' }, {}],
    [
      'a rule of the user that shaped its polls',
      {},
      { rule: 'mine/2', ...met({ kind: 'slow', bytes_per_second: 9 }) },
    ],
  ])('the result of another task is lost, whatever %s', (_, shaped, polled) => {
    const requests = [create('t0'), create('t1'), poll('t0', 11), poll('t1', 11, polled)]
    const tasks = [task('t0'), task('t1', shaped)]
    const all = [...requests, download('t0'), download('t1')]
    const before = world({ requests: all, tasks })
    const refused = download('t0', { status: 403, ...met({ kind: 'link_expired' }), rule: 'explore/2' })
    const now = world({ requests: [...requests, refused], tasks })
    const one = { ...caseOf('media.download', 'link_expired'), create: { operation: 'a.create', nth: 1 } }
    expect(billOf(one, now, before)).toEqual(['lost', 5])
  })

  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['told', 1, 'refused', 'told', 'good'],
    ['uncaught', 1, 'Traceback (most recent call last):\n  File "/app/a.py", line 1, in b\nHTTPError: 409\n', 'uncaught', 'warning'],
    ['done', 0, '', 'paid_twice', 'warning'],
  ],
  )(
    'a price that a refused DELETE forces is no payment of the program that ends %s',
    (_, code, errors, verdict, level) => {
      const cancelled = world({ tasks: [task('t1', { charges: [] })] })
      const one = caseOf('a.delete', 'delete_refused')
      expect(judged(one, world(), code, errors, cancelled)).toMatchObject({
        verdict,
        level,
        bill: { verdict: 'twice', ...(verdict !== 'paid_twice' && { is_expected: true }) },
      })
    },
  )

  it('totals count a forced price that a program hides, whatever the headline', () => {
    const nothing = world({ requests: [create('t1')], tasks: [task('t1', { charges: [] })] })
    const row = (end: number) =>
      judged(caseOf('a.delete', 'delete_refused'), world(), end, 'refused', nothing)
    const twice = (end: number) => totalsOf([row(end) as unknown as JudgedRow]).bill.twice.cases
    expect([twice(0), twice(1)]).toEqual([1, 0])
  })

  it('the second failure of a pair withholds no result that the first one leaves to be fetched', () => {
    const at = (nth: number, id: string) => ({
      ...caseOf('a.create', id),
      nth,
      create: { operation: 'a.create', nth },
    })
    const [one, two] = [{ rule: 'explore/1' }, { rule: 'explore/2' }]
    const requests = [create('t1', one), create('t2', two), poll('t1', 11)]
    const tasks = [task('t1', one), task('t2', { ...two, charges: [], status: 'failed' })]
    const undisturbed = [create('t1'), create('t2'), download('t1'), download('t2')]
    const before = world({ requests: undisturbed, tasks: [task('t1'), task('t2')] })
    const pair = { ...at(1, 'task_slow'), and: at(2, 'task_moderated') }
    expect(judged(pair, world({ requests, tasks }), 1, 'failed', before).bill).toMatchObject({ lost: 5 })
  })

  it('a create that is accepted, and whose task fails each time, is not called refused', () => {
    const requests = Array.from({ length: 120 }, (_, nth) =>
      create(`t${nth}`, { rule: 'explore/1', at_ms: 50 * nth, started_ms: 50 * nth }),
    )
    const now = world({ requests, tasks: [] })
    const { evidence, cause } = judged(caseOf('a.create', 'task_moderated'), now, limit(6000))
    expect(evidence).toContain('with a.create, whose task fails each time')
    expect(cause?.title).toBe('repeats a.create, whose task fails each time')
  })

  it('the result of another task is lost when a refused create makes the program give up', () => {
    const requests = ['t0', 't1'].flatMap(id => [create(id), poll(id, 11), download(id)])
    const before = world({ requests, tasks: [task('t0'), task('t1')] })
    const refused = create('t1', { status: 403, task_id: undefined, rule: 'explore/1' })
    const now = world({ requests: [create('t0'), refused], tasks: [task('t0')] })
    const moderated = { ...caseOf('a.create', 'moderated'), nth: 2 }
    expect(judged(moderated, now, 1, 'refused', before)).toMatchObject({
      end: 'told',
      bill: { verdict: 'lost', lost: 5 },
    })
  })

  it.each<RequestEffect>([
    { kind: 'truncated', share: 0.5 },
    { kind: 'stall', share: 0.5 },
    { kind: 'slow', bytes_per_second: 1 },
    { kind: 'empty' },
    { kind: 'link_expired' },
    { kind: 'hang', place: 'before_headers' },
    { kind: 'reset', place: 'mid_body' },
    { kind: 'garble' },
  ])('texts decide nothing about a download with %j: its effect does', effect => {
    const asTexts = (others: object) =>
      [0, limit(30_000)].map(exit => {
        const now = succeeded(download('t1', others))
        const { end, bill, level, cause } = judged(broken, now, exit)
        return { end, bill, level, cause }
      })
    const told = met(effect)
    const reworded = { ...told, ...(told.media ? { media: 'gone wrong' } : { connection: 'gone wrong' }) }
    expect(asTexts(reworded)).toEqual(asTexts(told))
  })

  it('a broken file of the right length is a warning at most: the gateway gives no checksum', () => {
    const corrupt = succeeded(download('t1', met({ kind: 'corrupt' })))
    expect(judged(caseOf('media.download', 'file_corrupt'), corrupt)).toMatchObject({
      end: 'false_success',
      level: 'warning',
    })
    expect(judged(broken, corrupt)).toMatchObject({ end: 'false_success', level: 'problem' })
  })
})
