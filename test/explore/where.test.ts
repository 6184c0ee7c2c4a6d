import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import type { Row } from '../../src/explore/judge/row.ts'
import { verdicts as allVerdicts, levelOf, type Verdict } from '../../src/explore/judge/verdicts.ts'
import { againLines, againOf, type EarlierCase } from '../../src/explore/report/again.ts'
import { readEarlier } from '../../src/explore/report/earlier.ts'
import { githubReport } from '../../src/explore/report/github.ts'
import { type ReportData, reportOf, totalsOf } from '../../src/explore/report/report.ts'
import { type Repository, repositoryHere, sarifReport } from '../../src/explore/report/sarif.ts'
import { ownFolder } from '../support/folders.ts'
import { root } from '../support/fresh-build.ts'

const repository: Repository = {
  pathOf: file => (file.startsWith('..') ? undefined : `app/${file}`),
  programOf: () => 'app/start.mjs',
}

type Found = Partial<Pick<Row, 'accepted' | 'evidence'>> & {
  verdict: Verdict
  where?: string
  title?: string
  lost?: number
}

/** A report of cases with these verdicts and causes. */
const reportWith = (found: readonly Found[], more: Partial<ReportData> = {}) => {
  const cases = found.map(({ verdict, where = null, title = 'lost', lost = 0, ...rest }, index): Row => {
    const bill = { verdict: lost > 0 ? 'lost' : 'same', settled: 5, undisturbed: 5, lost } as const
    const level = levelOf(verdict)
    const cause = level === 'good' ? null : { title, where }
    const call = { operation: 'a.get', nth: index + 1, id: 'unavailable' }
    const shown = {
      evidence: 'the facts',
      findings: [],
      scenario: { name: 'explore', rules: [] },
      log: '',
      ms: 1,
    }
    return { ...call, end: 'told', bill, verdict, level, cause, ...shown, ...rest }
  })
  return reportOf({
    command: 'node start.mjs',
    seed: 1,
    now: '2026-11-27T00:00:00.000Z',
    time: { used: 'virtual', why: 'asked for' },
    calls: [],
    cases,
    restarts: [],
    not_tried: [],
    stale: [],
    totals: totalsOf(cases),
    fail_on: 'problems',
    ms: 1,
    interrupted: false,
    ...more,
  })
}

describe('annotations of GitHub stand where the cause is (docs/ci.md, "Explore in CI")', () => {
  it.each<[string, Found, string]>([
    [
      'a line of the repository',
      { verdict: 'crashed', where: 'a,b.py:7 `go`' },
      'file=app/a%2Cb.py,line=7,title=',
    ],
    ['a file outside', { verdict: 'crashed', where: '../x.py:7 `go`' }, 'title='],
    ['no known line', { verdict: 'crashed' }, 'title='],
    ['a warning', { verdict: 'rude', where: 'a.py:7' }, 'file=app/a.py,line=7,title='],
  ])('%s', (_, found, start) => {
    const [line = ''] = githubReport(reportWith([found]), repository).split('\n')
    expect(line).toContain(
      `::${levelOf(found.verdict) === 'problem' ? 'error' : 'warning'} ${start}${found.verdict}`,
    )
  })

  it('ten at most are shown, those that fail the build first, then by money; one line has the rest', () => {
    const many = Array.from(
      { length: 11 },
      (_, index): Found => ({
        verdict: index === 0 ? 'rude' : 'paid_for_nothing',
        title: `cause ${index}`,
        lost: index === 0 ? 99 : index,
      }),
    )
    const lines = githubReport(reportWith([...many, { verdict: 'hung', title: 'free' }]), repository).split(
      '\n',
    )
    const titles = lines.slice(0, 11).map(line => /(?:Cause: |more cause).*?(?=,|::|$)/.exec(line)?.[0])
    expect(titles).toEqual([
      ...[10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map(index => `Cause: cause ${index}`),
      'more causes',
    ])
    expect(lines[10]).toBe('::notice title=explore%3A 2 more causes::hung: free%0Arude: cause 0')
  })
})

/** The schema that OASIS Open publishes at its `id`, without its descriptions. Its own version of JSON Schema differs only in the name of `$id`. */
const {
  id: _,
  $schema: __,
  ...schema
} = JSON.parse(readFileSync(join(root, 'test/data/sarif-schema-2.1.0.json'), 'utf8'))
const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
const isSarif = ajv.compile(schema)

const sarifOf = (...given: Parameters<typeof reportWith>) => {
  const document = JSON.parse(sarifReport(reportWith(...given), repository))
  isSarif(document)
  expect(isSarif.errors ?? []).toEqual([])
  return document.runs[0]
}

describe('SARIF 2.1.0 (docs/ci.md, "Explore in CI")', () => {
  const verdicts = allVerdicts.filter(verdict => levelOf(verdict) !== 'good')

  it('is valid by the published schema for each verdict, and has a rule with help and a link for each', () => {
    expect(isSarif({ version: '2.1.0', runs: [{ tool: {} }] })).toBe(false)
    const { results, tool } = sarifOf(
      verdicts.map(verdict => ({ verdict, title: verdict, where: 'a b.py:3' })),
    )
    expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(verdicts)
    for (const rule of tool.driver.rules) expect(rule.help.text).toContain(`. ${rule.helpUri}`)
    for (const { ruleId, ruleIndex, level, locations } of results) {
      expect(tool.driver.rules[ruleIndex].id).toBe(ruleId)
      expect(level).toBe(levelOf(ruleId as Verdict) === 'problem' ? 'error' : 'warning')
      expect(locations[0].physicalLocation).toEqual({
        artifactLocation: { uri: 'app/a%20b.py', uriBaseId: '%SRCROOT%' },
        region: { startLine: 3 },
      })
    }
    expect(sarifOf([]).results).toEqual([])
  })

  it('has one result for a cause with its cases, at the program where no line of it is known', () => {
    const { results } = sarifOf([
      { verdict: 'hung' },
      { verdict: 'hung', where: '../x.py:3', title: 'far' },
      { verdict: 'hung' },
    ])
    expect(results.map(({ properties }: { properties: object }) => properties)).toEqual([
      { cases: ['a.get#1 unavailable', 'a.get#3 unavailable'], verdicts: { hung: 2 } },
      { cases: ['a.get#2 unavailable'], verdicts: { hung: 1 } },
    ])
    expect(results[0].message.text).toBe(
      'lost, 2 cases.\na.get#1 unavailable: the facts\nAlso: a.get#3 unavailable',
    )
    for (const { locations } of results)
      expect(locations).toEqual([
        { physicalLocation: { artifactLocation: { uri: 'app/start.mjs', uriBaseId: '%SRCROOT%' } } },
      ])
  })

  it('keeps a fingerprint when the line moves, and gives two causes two', () => {
    const printsOf = (...places: string[]) =>
      sarifOf(places.map(where => ({ verdict: 'crashed', where }))).results.map(
        (result: { partialFingerprints: { primaryLocationLineHash: string } }) =>
          result.partialFingerprints.primaryLocationLineHash,
      )
    const before = printsOf('a.py:7 `go`', 'a.py:9 `go`', 'a.py:9 `stop`', 'b.py:7 `go`')
    expect(new Set(before).size).toBe(4)
    expect(printsOf('a.py:17 `go`', 'a.py:19 `go`', 'a.py:29 `stop`', 'b.py:70 `go`')).toEqual(before)
  })

  it('suppresses a cause of which all cases were accepted, with the reason', () => {
    const { results } = sarifOf([
      { verdict: 'crashed', title: 'known', accepted: 'next release' },
      { verdict: 'hung', title: 'half', accepted: 'why not' },
      { verdict: 'hung', title: 'half' },
    ])
    expect(
      results.map(({ ruleId, suppressions }: Record<string, unknown>) => [ruleId, suppressions]),
    ).toEqual([
      ['hung', undefined],
      ['crashed', [{ kind: 'external', status: 'accepted', justification: 'next release' }]],
    ])
  })
})

it('a known problem is listed as gone only when no case that it names was left out (docs/explore.md, "Choosing cases": --accept)', () => {
  const left = {
    not_tried: [{ kind: 'case', what: 'a.create#1 internal', reason: 'budget' }],
    not_asked: ['a.get#2 moderated'],
  } as const satisfies Partial<ReportData>
  const known = [
    { operation: 'a.get', id: 'unavailable', verdict: 'hung' },
    { operation: 'a.get#3', id: 'unavailable', verdict: 'hung' },
    { operation: 'a.create', id: 'internal', verdict: 'hung' },
    { operation: 'a.get', id: 'mod*', verdict: 'hung' },
    { operation: 'b.get', id: 'internal', verdict: 'hung' },
  ] as const
  const found: Found[] = [{ verdict: 'recovered' }, { verdict: 'recovered' }, { verdict: 'not_reached' }]
  const staleIn = (more: Partial<ReportData>, cases = found) =>
    reportWith(cases, more)
      .accept(known)
      .stale.map(({ operation, id }) => `${operation} ${id}`)
  expect(staleIn(left)).toEqual(['b.get internal'])
  expect(staleIn({}, found.slice(0, 2))).toHaveLength(known.length)
})

describe('--again plays what failed before (docs/explore.md, "Choosing cases": --again)', () => {
  const rows = reportWith([{ verdict: 'recovered' }, { verdict: 'rude' }, { verdict: 'not_reached' }]).cases
  it.each<[string, EarlierCase, string]>(
    // biome-ignore format: a table, one row a line
    [
    ['is good now', { name: 'a.get#1 unavailable', verdict: 'hung' }, 'FIXED  a.get#1 unavailable: was hung, is recovered'],
    ['is a warning now', { name: 'a.get#2 unavailable', verdict: 'hung' }, 'STILL  a.get#2 unavailable: was hung, is rude'],
    ['is the same', { name: 'a.get#2 unavailable', verdict: 'rude' }, 'STILL  a.get#2 unavailable: was rude'],
    ['was not reached', { name: 'a.get#3 unavailable', verdict: 'hung' }, 'NOT PLAYED  a.get#3 unavailable: was hung, the facts'],
    ['was left out', { name: 'a.get#4 unavailable', verdict: 'hung' }, 'NOT PLAYED  a.get#4 unavailable: was hung, budget'],
    [
      'was not asked for',
      { name: 'a.get#5 unavailable', verdict: 'hung' },
      'NOT PLAYED  a.get#5 unavailable: was hung, left out by --only or --skip',
    ],
    [
      'is no case now',
      { name: 'b.get#1 unavailable', verdict: 'hung' },
      'NOT PLAYED  b.get#1 unavailable: was hung, the undisturbed run has no such case any more',
    ],
  ],
  )('%s', (_, earlier, line) => {
    const notTried = [{ kind: 'case', what: 'a.get#4 unavailable', reason: 'budget' }] as const
    const again = againOf([earlier], { rows, notTried, unasked: ['a.get#5 unavailable'] })
    expect(againLines({ again })[0]).toBe(line)
  })

  it('reads its own report, and refuses any other file with its name', () => {
    const folder = ownFolder('again')
    const written = (text: string) => {
      writeFileSync(join(folder, 'r.json'), text)
      return join(folder, 'r.json')
    }
    const report = reportWith([
      { verdict: 'told' },
      { verdict: 'hung' },
      { verdict: 'rude', accepted: 'known' },
    ])
    expect(readEarlier(written(JSON.stringify(report)))).toEqual({
      cases: [{ name: 'a.get#2 unavailable', verdict: 'hung' }],
      restarts: false,
      pairs: false,
      seed: 1,
      now: report.now,
    })
    for (const text of ['{', '[]', '{"problems":[{}],"warnings":[],"seed":1,"now":""}'])
      expect(() => readEarlier(written(text))).toThrow(/^--again .*r\.json: not .*report\.json of --out/)
    expect(() => readEarlier(join(folder, 'absent'))).toThrow('cannot be read')
  })
})

it('names files from the root of the repository, and the program of a command', () => {
  const folder = ownFolder('where')
  mkdirSync(join(folder, '.git'))
  mkdirSync(join(folder, 'app'))
  for (const name of ['my app.mjs', 'b.py']) writeFileSync(join(folder, 'app', name), '')
  const { pathOf, programOf } = repositoryHere(join(folder, 'app'))
  expect(
    ['b.py', join(folder, 'app/b.py'), '../app/b.py', 'gone.py', '../../b.py', '/etc/hosts'].map(pathOf),
  ).toEqual(['app/b.py', 'app/b.py', 'app/b.py', undefined, undefined, undefined])
  expect(["node --enable-source-maps 'my app.mjs' b.py", 'npm start'].map(programOf)).toEqual([
    'app/my app.mjs',
    undefined,
  ])
})
