import { describe, expect, it } from 'vitest'
import { htmlReport } from '../../src/explore/report/html.ts'
import { reporters, reportFor } from '../../src/explore/report/reports.ts'
import { callsOf, jsonOf, type Run } from '../support/explored-calls.ts'
import { startForTest } from '../support/start-for-test.ts'

const emulator = await startForTest({ clock: 'auto' })

/** Lists the tasks, and lists them once more after a refusal. */
async function lister({ world }: Run): Promise<void> {
  const { list } = callsOf(world)
  const first = await list()
  const reply = first.ok ? first : await list()
  if (!reply.ok) throw new Error(`refused | with ${reply.status}`)
  itemsOf(await reply.json())
}

/** How many tasks an answer lists. */
function itemsOf(body: unknown): number {
  return (body as { items: { id: string }[] }).items.length
}

/** Reads a refusal as if it were a list. */
async function careless({ world }: Run): Promise<void> {
  const body = await jsonOf<{ items: { id: string }[] }>(callsOf(world).list())
  if (body.items.length > 0) throw new Error('a new world has no task')
}

const only = ['unavailable', 'internal', 'unauthenticated']

describe('two failures in one run (docs/explore.md, "Choosing cases": --pairs)', () => {
  it('are tried once each, after the single failures, with a verdict for each pair', async () => {
    const { cases } = await emulator.explore(lister, { only, pairs: true })
    const found = cases.map(({ id, and, verdict }) => `${id}${and ? ` + ${and}` : ''}: ${verdict}`)
    expect(found).toEqual([
      'unavailable: recovered',
      'internal: recovered',
      'unauthenticated: told',
      'unavailable + a.list#1 internal: told',
      'unavailable + a.list#1 unauthenticated: told',
      'internal + a.list#1 unauthenticated: told',
    ])
  })
})

it('a pair of which the second failure never came is listed as not tried (docs/explore.md, "Choosing cases": --pairs)', async () => {
  const list = ({ world }: Run) => callsOf(world).list()
  const { cases, not_tried } = await emulator.explore(list, {
    only: ['unavailable', 'internal'],
    pairs: true,
  })
  expect(cases.map(({ and }) => and)).toEqual([undefined, undefined])
  expect(not_tried).toEqual([
    {
      kind: 'case',
      what: 'a.list#1 unavailable + a.list#1 internal',
      reason: 'the program did not make the call a.list#2 in this run',
    },
  ])
})

describe('a problem is shown twice before it fails (docs/explore.md, "What it says")', () => {
  const seen = { refusals: 0 }
  const moody = async (run: Run) => {
    if (seen.refusals < 1) return careless(run)
    return lister(run)
  }

  it('what is none the second time is unsteady, a warning that shows both', async () => {
    const firstTime = async (run: Run) => moody(run).finally(() => seen.refusals++)
    // Both undisturbed runs and the first play come before.
    seen.refusals = -2
    const { cases, problems, warnings, matrix } = await emulator.explore(firstTime, { only: ['internal'] })
    expect(problems).toEqual([])
    expect(warnings).toEqual(cases)
    expect(cases[0]).toMatchObject({ verdict: 'unsteady', level: 'warning' })
    expect(cases[0]?.evidence).toMatch(/^the first time crashed: .*TypeError.*; the second time recovered: /)
    expect(cases[0]?.cause?.title).toMatch(/^crashed at one of two plays: TypeError/)
    expect(cases[0]?.requests).toEqual(
      expect.arrayContaining(['The first time (crashed):', 'The second time (recovered):']),
    )
    expect(matrix()).toMatch(/a\.list#1 !/)
  })

  it('a problem of which all plays are problems stays one, and a known one is played once', async () => {
    let runs = 0
    const counted = (run: Run) => {
      runs++
      return careless(run)
    }
    const { problems } = await emulator.explore(counted, { only: ['internal'] })
    expect([problems.map(({ verdict }) => verdict), runs]).toEqual([['crashed'], 4])
    const accept = [{ operation: 'a.list', id: 'internal', verdict: 'crashed' as const }]
    await emulator.explore(counted, { only: ['internal'], accept })
    expect(runs).toBe(7)
  })
})

it('a pair that one failure alone explains is left out and counted (docs/explore.md, "Choosing cases": --pairs)', async () => {
  const twice = async ({ world }: Run) => {
    const { list } = callsOf(world)
    await (await list('?page_num=1')).text()
    itemsOf(await (await list('?page_size=5')).json())
  }
  const report = await emulator.explore(twice, { only: ['internal'], pairs: true })
  expect(report.cases.map(({ verdict, and }) => [verdict, and])).toEqual([
    ['recovered', undefined],
    ['crashed', undefined],
  ])
  expect(report.explained).toEqual(['a.list#1 internal + a.list#2 internal'])
  expect(reportFor(report, { reporter: 'markdown', isTerminal: false })).toContain(
    'Note: left out of the report, because one of the two failures alone has the same cause: 1 pair.',
  )
})

describe('a budget that is used up (docs/explore.md, "Choosing cases": --budget)', () => {
  it('leaves cases out and lists each of them with its reason', async () => {
    const report = await emulator.explore(lister, { only, budget: 1 })
    const { cases, not_tried, interrupted } = report
    expect(cases).toEqual([])
    expect(interrupted).toBe(false)
    expect(not_tried.map(({ what, reason }) => `${what}: ${reason}`)).toEqual([
      'a.list#1 unavailable: budget',
      'a.list#1 internal: budget',
      'a.list#1 unauthenticated: budget',
    ])
    const [, , ...others] = reporters
    const texts = ['pretty' as const, ...others].map(reporter =>
      reportFor(report, { reporter, isTerminal: false }),
    )
    for (const text of [...texts, htmlReport(report, { style: '' })]) expect(text).toContain('0 of 3 cases')
    expect(texts[1]).toContain('tests="3" failures="0" skipped="3"')
    expect(texts[1]).toContain('name="a.list#1 internal"><skipped message="not tried: budget"/>')
  })
})

describe('reports for machines (docs/explore.md, "Choosing cases": --reporter)', () => {
  it('markdown has the matrix, a row for each problem, and what was not tried', async () => {
    const report = await emulator.explore(careless, { only: ['internal', 'unauthenticated'] })
    const text = reportFor(report, { reporter: 'markdown', isTerminal: false })
    expect(text).toContain('## Explore: 2 problems in 2 cases')
    expect(text).toMatch(/```text\n[^`]*a\.list#1 +C C/)
    expect(text).toMatch(/\| `a\.list#1 internal` \| crashed \| .*TypeError: .* \|/)
  })

  it('github has an annotation on the line of each problem and one with the number of problems', async () => {
    const report = await emulator.explore(careless, { only: ['internal'] })
    const lines = reportFor(report, { reporter: 'github', isTerminal: false }).trimEnd().split('\n')
    expect(lines).toEqual([
      expect.stringMatching(
        /^::error file=test\/explore\/breadth\.test\.ts,line=\d+,title=crashed%3A a\.list#1 internal::an uncaught error .*TypeError/,
      ),
      '::notice title=explore::1 problem in 1 case; 0 not tried',
    ])
  })
})
