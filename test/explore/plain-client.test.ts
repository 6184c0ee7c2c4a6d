import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { installedCommand } from '../../src/emulator/words.ts'
import type { Report } from '../../src/explore/report/report.ts'
import { readTrace } from '../../src/kits/client/trace-file.ts'
import { ownFolder } from '../support/folders.ts'
import { root } from '../support/fresh-build.ts'
import { run } from '../support/run.ts'

const folder = ownFolder('explore-plain')

const out = join(folder, 'out')
const file = (name: string) => readFileSync(join(out, name), 'utf8')
const page = readFileSync(fileURLToPath(new URL('../../docs/explore.md', import.meta.url)), 'utf8')

/** The verdicts on the program: its six weaknesses, and two other failures, one that it handles badly and one that it handles well. */
const expected = {
  'a.create#1 reply_lost': 'paid_twice',
  'a.create#1 rate_limited': 'rude',
  'a.get#1 no_answer': 'paid_for_nothing',
  'a.get#1 unavailable': 'paid_for_nothing',
  'a.create#1 task_cancelled': 'hung',
  'media.download#1 file_empty': 'false_success',
  'a.create#1 no_result_link': 'crashed',
  'a.create#1 moderated': 'uncaught',
}

/** One exploration for all tests. */
let report: Report
let code: number | null

beforeAll(async () => {
  const only = Object.keys(expected).flatMap(one => ['--only', one])
  const options = ['--out', out, '--limit', '30s', '--reporter', 'json', ...only]
  const command = ['--', 'node', 'docs/examples/explore/plain-client.mjs']
  const ended = await run('node', ['dist/main.js', 'explore', ...options, ...command], {
    cwd: root,
  })
  code = ended.code
  expect(ended.stdout, ended.stderr).not.toBe('')
  report = JSON.parse(ended.stdout)
})

describe('explore finds what is wrong with a plain client (docs/explore.md, "What it says")', () => {
  const evidence = (id: string) => report.cases.find(row => row.id === id)?.evidence

  it('reports each of its six weaknesses and ends with exit code 1', () => {
    const found = report.cases.map(({ operation, nth, id, verdict }) => [
      `${operation}#${nth} ${id}`,
      verdict,
    ])
    expect(Object.fromEntries(found)).toEqual(expected)
    expect(code).toBe(1)
  })

  it('says in one sentence of evidence what happened', () => {
    // A quick machine gets farther than the journal reaches back.
    expect(evidence('task_cancelled')).toMatch(
      /^asked (at least )?\d+ times in .* of virtual time after the task had become cancelled$/,
    )
    expect(evidence('no_answer')).toContain('TypeError: fetch failed')
    expect(evidence('no_result_link')).toContain('TypeError: Cannot read properties')
  })

  it('shows the bill first, and causes with the line of the program (docs/explore.md, "What it says")', () => {
    expect(Object.keys(report.totals)[0]).toBe('bill')
    const { lost, twice } = report.totals.bill
    expect([lost.cases, twice.cases]).toEqual([2, 1])
    expect(lost.credits).toBeCloseTo(2 * twice.credits)
    expect(lost.credits).toBeGreaterThan(0)
    const program = 'docs/examples/explore/plain-client.mjs'
    const lines = readFileSync(join(root, program), 'utf8').split('\n')
    const line = lines.findIndex(text => text.includes('the poll was refused')) + 1
    expect(report.causes).toContainEqual({
      title: 'not caught: Error: the poll was refused: …',
      where: `${program}:${line}`,
      file: program,
      line,
      verdict: 'paid_for_nothing',
      level: 'problem',
      cases: ['a.get#1 unavailable'],
      verdicts: { paid_for_nothing: 1 },
    })
    const crash = report.causes.find(({ verdict }) => verdict === 'crashed')
    expect(crash).toMatchObject({
      title: expect.stringMatching(/^TypeError: /),
      where: expect.stringMatching(/^docs\/examples\/explore\/plain-client\.mjs:\d+/),
      file: program,
    })
  })

  it('gives each row the documented fields, and lists what was not tried', () => {
    const fields = ['operation', 'nth', 'id', 'end', 'bill', 'verdict', 'evidence', 'cause', 'findings']
    const others = ['scenario', 'log', 'ms']
    for (const row of report.cases)
      expect(Object.keys(row)).toEqual(expect.arrayContaining([...fields, ...others]))
    expect(report.not_tried).toContainEqual({
      kind: 'calls',
      what: 'a.get#2 to #3',
      reason: 'repeats a.get#1',
    })
  })

  it('writes the reports, and for each problem its scenario, log and trace, to the folder of --out', () => {
    const ofProblems = report.problems.flatMap(({ operation, nth, id }) =>
      ['yaml', 'log', 'trace.html'].map(ending => `${operation}-${nth}-${id}.${ending}`),
    )
    expect(ofProblems).toHaveLength(18)
    expect(readdirSync(out).sort()).toEqual(
      ['junit.xml', 'report.html', 'report.json', 'report.sarif', ...ofProblems].sort(),
    )
    expect(file('report.html')).not.toMatch(/(src|href)="https?:/)
    expect(file('report.html')).toContain('a.create#1 task_cancelled')
    expect(file('junit.xml')).toContain('failures="6"')
    // Each problem links to its trace, which has the run and the failure in it, and how to break another of its calls.
    for (const [, name = ''] of file('report.html').matchAll(/<a href="(\S+trace\.html)"/g)) {
      const { attempts, tasks } = readTrace(file(name))
      expect(attempts.flatMap(({ calls }) => calls).length, name).toBeGreaterThan(0)
      expect(tasks.length, name).toBeGreaterThan(0)
      const [, explored = ''] = /"explored":(\{[^}]*\})/.exec(file(name)) ?? []
      expect(JSON.parse(explored), name).toEqual({
        before: `${installedCommand} explore --limit 30s --only `,
        after: ' -- node docs/examples/explore/plain-client.mjs',
      })
    }
    expect(file('report.html').match(/trace\.html/g)).toHaveLength(6)
    expect(file('report.json')).not.toContain('"attempts"')
  })

  it('finds the verdicts that the table in the guide shows (docs/explore.md)', () => {
    const rows = [...page.matchAll(/^\| it .*? \| `(\S+#\d+ \w+)` \| `(\w+)` \|/gm)]
    expect(rows).toHaveLength(6)
    for (const [, name = '', verdict] of rows) expect(expected, name).toHaveProperty([name], verdict)
  })
})
