import { expect, it } from 'vitest'
import { htmlReport } from '../../src/explore/report/html.ts'
import { reportFor } from '../../src/explore/report/reports.ts'
import { reportOf } from '../support/explore-runs.ts'
import { callsOf, jsonOf, kite, type Run } from '../support/explored-calls.ts'
import { startForTest } from '../support/start-for-test.ts'

const client = (name: string) => ['node', `docs/examples/explore/${name}.mjs`]

/** In real time it must not sleep. */
const pollMs = (args: readonly string[]) => (args.includes('real') ? '10' : '5000')

const patienceOf = (...args: string[]) => reportOf(args, { POLL_MS: pollMs(args) })

it('the plain client survives no outage, and gives an answer up after five seconds', async () => {
  const { code, patience, cases } = await patienceOf(
    ...['--need', 'outage=1s', '--need', 'answer=4s', '--', ...client('plain-client')],
  )
  expect(code).toBe(1)
  expect(cases).toEqual([])
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

it('beyond half a minute it tells when an answer that never comes is given up', async () => {
  const resuming = ['python3', 'docs/examples/explore/resuming_client.py']
  const { code, patience } = await patienceOf(
    ...['--need', 'answer=45s', '--need', 'answer=2m', '--', ...resuming],
  )
  expect(patience?.answer?.gives_up_after).toBeGreaterThanOrEqual(60_000)
  expect(patience?.answer?.text).toMatch(/; gives one up that never comes after 1 min$/)
  expect([code, patience?.needs.map(({ is_met }) => is_met)]).toEqual([1, [true, false]])
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

const emulator = await startForTest({ now: '2026-01-01T00:00:00Z' })

/** Makes two tasks, and waits ten minutes for each; the one does not stop the other. It moves the clock as a sleep in virtual time does. */
async function twoTasks({ world }: Run): Promise<void> {
  const call = async (ask: (calls: ReturnType<typeof callsOf>) => Promise<Response>) => {
    const reply = await ask(callsOf(world, { signal: AbortSignal.timeout(2000) }))
    if (!reply.ok) throw new Error(`refused with ${reply.status}`)
    return jsonOf(reply)
  }
  const make = async (text: string) => {
    const { id } = await call(({ create }) => create({ ...kite, content: [{ type: 'text', text }] }))
    for (let minute = 0; minute < 10; minute++) {
      const { status, content } = await call(({ get }) => get(id))
      if (status === 'succeeded') return content?.video_url
      await world.clock.advance('1m')
    }
    throw new Error('it took too long')
  }
  const made = [await make('a kite').catch(() => undefined), await make('a boat').catch(() => undefined)]
  if (made.includes(undefined)) throw new Error('a result is missing')
}

it('of several tasks it measures the lowest rate, and which others are delivered beside one mishap', async () => {
  const options = { patience: true, need: ['rate=1'], clock: 'manual', limit: '20s' } as const
  const report = await emulator.explore(twoTasks, options)
  expect(report.patience).toMatchObject({
    rate: { survived: 1, failed: null },
    jobs: ['never_ends', 'silent_poll', 'refused'].map(mishap => ({ mishap, others: 1, delivered: 1 })),
    needs: [{ need: 'rate=1', is_met: true }],
  })
  const html = htmlReport(report, { style: '' })
  expect(html).toContain('<h1>patience, 0 needs not met</h1>')
  expect(html).toContain('<li>while one task never ends, 1 of 1 others is delivered</li>')
  expect(html).not.toContain('<h2>Cases</h2>')
})

it('a need that is not met is an error in JUnit and in GitHub, and one that is met is none', async () => {
  const need = ['outage.polls=1s', 'queue=5m']
  const report = await emulator.explore(twoTasks, { need, clock: 'manual' })
  const junit = reportFor(report, { reporter: 'junit', isTerminal: false })
  expect(junit).toContain('tests="2" failures="1"')
  expect(junit).toMatch(/name="outage\.polls=1s"><failure type="not met" message="does not survive /)
  expect(junit).toContain('name="queue=5m"><system-out>waits for a queue of ')
  const github = reportFor(report, { reporter: 'github', isTerminal: false })
  expect(github.match(/^::error .*/gm)).toEqual([
    expect.stringMatching(/^::error title=not met%3A outage\.polls=1s::does not survive /),
  ])
})
