import { expect, it } from 'vitest'
import type { Report } from '../../src/explore/report/report.ts'
import { runCommand } from '../support/emulator-process.ts'

const client = (name: string) => ['node', `docs/examples/explore/${name}.mjs`]

/** In real time it must not sleep. */
const pollMs = (args: readonly string[]) => (args.includes('real') ? '10' : '5000')

async function patienceOf(...args: string[]) {
  const { code, stdout, stderr } = await runCommand(['explore', '--reporter', 'json', ...args], {
    POLL_MS: pollMs(args),
  })
  expect(stdout, stderr).not.toBe('')
  const report: Report = JSON.parse(stdout)
  return { code, report, patience: report.patience }
}

it('the plain client survives no outage, and gives an answer up after five seconds', async () => {
  const { code, patience, report } = await patienceOf(
    ...['--need', 'outage=1s', '--need', 'answer=4s', '--', ...client('plain-client')],
  )
  expect(code).toBe(1)
  expect(report.cases).toEqual([])
  expect(patience).toMatchObject({
    outage: { polls: { survived: null, failed: 1000 }, downloads: { survived: null, failed: 1000 } },
    queue: null,
    needs: [
      { need: 'outage=1s', is_met: false },
      { need: 'answer=4s', is_met: true },
    ],
  })
  expect(patience?.answer?.survived).toBeLessThanOrEqual(5000)
  expect(patience?.answer?.failed).toBeLessThanOrEqual(6000)
})

it('the sturdy client survives an outage of 45 s of its polls, not of two minutes', async () => {
  const { code, patience } = await patienceOf('--need', 'outage.polls=45s', '--', ...client('sturdy-client'))
  expect(patience?.outage.polls?.text).toMatch(/^survives an outage of polls of \d+ s, not of 1 min/)
  expect(code).toBe(0)
})

it('in real time it says what it cannot measure, and a need is then not met', async () => {
  const { code, patience } = await patienceOf(
    '--time',
    'real',
    '--need',
    'queue=1m',
    '--',
    ...client('sturdy-client'),
  )
  expect([code, patience?.queue]).toEqual([1, null])
  expect(patience?.not_measured).toEqual([{ what: 'queue', reason: 'only virtual time shows it' }])
  expect(patience?.needs[0]?.text).toBe('queue was not measured: only virtual time shows it')
})
