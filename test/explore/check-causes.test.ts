import { expect, it } from 'vitest'
import { verdictOf } from '../../src/explore/judge/verdict.ts'
import { failuresOf } from '../../src/explore/plan/catalogue.ts'
import type { WorldObservation } from '../../src/explore/plan/observe.ts'
import type { SystemRun } from '../../src/explore/run/run.ts'

const [failure] = failuresOf({ operation: 'a.list' })
if (!failure) throw new Error('a.list cannot fail')

const refused = { operation: 'a.list', method: 'GET', path: '/tasks', status: 503, response: { headers: {} } }
const observed = { requests: [refused], tasks: [], settled: 0, findings: [] } as unknown as WorldObservation

/** The verdict on a system whose check ended with 1 and wrote this; its driver ended with `code`. */
function checked(
  errors: string,
  code = 0,
  { said = 'not served\n', ended = [] }: { said?: string; ended?: SystemRun['ended'] } = {},
) {
  const part = { name: 'check', output: errors, errors, isBeside: false }
  const check = { ...part, exit: { kind: 'ended' as const, code: 1 } }
  return verdictOf({
    one: { operation: 'a.list', nth: 1, failure: failure as NonNullable<typeof failure> },
    run: {
      exit: { kind: 'ended', code },
      output: code === 0 ? '' : said,
      errors: code === 0 ? '' : said,
      ms: 0,
      system: { parts: [], ended, untied: [], check },
    },
    observed,
    baseline: { ...observed, requests: [] },
    undisturbedOutput: '',
    paceMs: undefined,
    folder: '/app',
  })
}

it.each([
  ['a line and an exit code', 'a job is lost\n', 'check: a job is lost'],
  [
    'an error of Node',
    "/app/check.mjs:2\nthrow new Error('a job is lost')\n      ^\n\nError: a job is lost\n    at file:///app/check.mjs:2:7\n\nNode.js v20.20.2\n",
    'check: a job is lost',
  ],
  [
    'an assertion of Python',
    'Traceback (most recent call last):\n  File "/app/check.py", line 1, in <module>\n    assert jobs, "a job is lost"\nAssertionError: a job is lost\n',
    'check: a job is lost',
  ],
  [
    'an error of the check itself',
    'Traceback (most recent call last):\n  File "/app/check.py", line 1, in <module>\n    job["id"]\nKeyError: \'id\'\n',
    "check: KeyError: 'id'",
  ],
  ['nothing', '', 'check: fails in silence at a.list'],
])('a check that fails with %s is a cause by its own message', (_, errors, title) => {
  expect(checked(errors)).toMatchObject({ verdict: 'false_success', cause: { title, where: null } })
})

it('the evidence of a check that threw is what it threw, not a call of the system', () => {
  const traceback = 'Traceback (most recent call last):\n  File "/app/check.py", line 1, in <module>\n'
  expect(checked(`${traceback}RuntimeError: a job is lost\n`).evidence).toBe(
    'the driver ended with 0, but the check ended with 1: RuntimeError: a job is lost',
  )
})

it('a check that fails is a problem although the driver told the user of the failure: it must hold whatever failed (docs/explore.md)', () => {
  expect(checked('a job is lost\n', 1)).toMatchObject({
    verdict: 'told',
    level: 'problem',
    evidence: 'the driver ended with 1: not served, and the check ended with 1: a job is lost',
    cause: { title: 'check: a job is lost' },
  })
})

it('a check that fails is a problem although the driver crashed, whose error stays the cause', () => {
  const said = `file:///app/drive.mjs:5\n\nTypeError: jobs is not iterable\n    at file:///app/drive.mjs:5:13\n\nNode.js v20.20.2\n`
  expect(checked('a job is lost\n', 1, { said })).toMatchObject({
    end: 'crashed',
    level: 'problem',
    evidence:
      'in the driver an uncaught error ended it: TypeError: jobs is not iterable, and the check ended with 1: a job is lost',
    cause: { title: 'TypeError: jobs is not iterable' },
  })
})

it('a check that fails is a problem although a service ended by itself, whose error stays the cause', () => {
  const errors = 'requests.exceptions.HTTPError: 503 Server Error\n'
  const output = `Traceback (most recent call last):\n  File "/app/worker.py", line 1, in <module>\n    poll()\n${errors}`
  const ended = [
    { name: 'worker', output, errors: output, isBeside: false, exit: { kind: 'ended' as const, code: 1 } },
  ]
  expect(checked('a job is lost\n', 1, { ended })).toMatchObject({
    end: 'uncaught',
    level: 'problem',
    evidence: expect.stringContaining(
      'the driver ended with 1: not served, and the check ended with 1: a job is lost',
    ),
    cause: { title: expect.stringContaining('worker: ') },
  })
})
