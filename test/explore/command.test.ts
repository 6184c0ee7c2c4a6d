import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import type { Report } from '../../src/explore/report.ts'
import { runCommand } from '../support/emulator-process.ts'
import { run } from '../support/run.ts'

const folder = mkdtempSync(join(tmpdir(), 'explore-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const example = (name: string) =>
  fileURLToPath(new URL(`../../fixtures/examples/explore/${name}`, import.meta.url))
const plain = ['node', example('plain-client.mjs')]
const explore = (...args: string[]) => runCommand(['explore', ...args])

function program(name: string, source: string): string[] {
  const path = join(folder, name)
  writeFileSync(path, source)
  return ['node', path]
}

async function reportOf(...args: string[]): Promise<Report & { code: number | null }> {
  const { code, stdout, stderr } = await explore('--reporter', 'json', ...args)
  expect(stdout, stderr).not.toBe('')
  return { ...JSON.parse(stdout), code }
}

const verdictsOf = ({ cases }: Report) =>
  Object.fromEntries(cases.map(({ operation, nth, id, verdict }) => [`${operation}#${nth} ${id}`, verdict]))

describe('wrong usage is exit 2 and one clear message (explore, "Command line")', () => {
  const broken = join(folder, 'accept.yaml')
  writeFileSync(broken, '- { operation: a.create, id: task_failed, verdict: crashd, reason: known }\n')
  it.each([
    ['no command', [], 'No command: write gateway-emulator explore'],
    ['nothing after --', ['--'], 'No command'],
    [
      'a command that cannot start',
      ['--', 'no-such-program-here'],
      'Cannot start no-such-program-here: there is no such program',
    ],
    ['an unknown option', ['--onyl', 'x', '--', ...plain], 'Unknown option --onyl; did you mean --only?'],
    [
      'a pattern that names nothing',
      ['--only', 'a.creat', '--', ...plain],
      '"a.creat" names neither an operation nor a failure; did you mean "a.create"?',
    ],
    [
      'a pattern that none of its calls meets',
      ['--only', 'k.create *', '--', ...plain],
      '"k.create *" matches no case of this program',
    ],
    ['a folder that cannot be made', ['--out', `${broken}/out`, '--', ...plain], `--out ${broken}/out: `],
    ['an accept file that is not there', ['--accept', 'none.yaml', '--', ...plain], 'Cannot read none.yaml'],
    [
      'a wrong word in the accept file',
      ['--accept', broken, '--', ...plain],
      'entry 1: verdict "crashd" is not one of',
    ],
    [
      'a limit that is no time',
      ['--limit', 'soon', '--', ...plain],
      '--limit: "soon" is not a length of time',
    ],
    [
      'a reporter that there is not',
      ['--reporter', 'html', '--', ...plain],
      '--reporter: "html" is not one of pretty',
    ],
    [
      'a variable without a template',
      ['--env', 'KEY', '--', ...plain],
      '--env: "KEY" is not of the form NAME=TEMPLATE',
    ],
  ])('%s', async (_, args, message) => {
    const { code, stderr, stdout } = await explore(...args)
    expect(stderr).toContain(message)
    expect([code, stdout]).toEqual([2, ''])
  })
})

describe('an undisturbed run that fails is exit 3 (explore, "Command line")', () => {
  it.each([
    [
      'ends with another code',
      "console.error('no luck'); process.exit(4)",
      'The undisturbed run ended with 4',
    ],
    ['calls nothing', "console.log('done')", 'made no call: no request came to'],
    [
      'calls another world',
      "await fetch(process.env.GATEWAY_EMULATOR_URL + '/api/v3/contents/generations/tasks', { headers: { Authorization: 'Bearer sk-emulator' } })",
      'no request reached the world of the run, and 1 reached the world default',
    ],
    ['does not end', 'setInterval(() => {}, 1000)', 'did not end within 3s, three times the limit'],
  ])('%s', async (name, source, message) => {
    const { code, stderr } = await explore(
      '--limit',
      name === 'does not end' ? '1s' : '30s',
      '--',
      ...program(`${name}.mjs`, source),
    )
    expect(stderr).toContain(message)
    expect(code).toBe(3)
  })
})

describe('explore finds what is wrong with a plain client (explore, "Verdicts")', () => {
  it('each of its six weaknesses', async () => {
    const out = join(folder, 'out')
    const only = [
      'a.create#1 reply_lost',
      'a.create#1 rate_limited',
      'a.get#1 no_answer',
      'a.get#1 unavailable',
      'a.create#1 task_expired',
      'media.download#1 file_empty',
      'a.create#1 no_result_link',
      'a.create#1 moderated',
    ]
    const report = await reportOf(
      '--out',
      out,
      '--limit',
      '10s',
      ...only.flatMap(one => ['--only', one]),
      '--',
      ...plain,
    )
    expect(verdictsOf(report)).toEqual({
      'a.create#1 reply_lost': 'paid_twice',
      'a.create#1 rate_limited': 'rude',
      'a.get#1 no_answer': 'hung',
      'a.get#1 unavailable': 'paid_for_nothing',
      'a.create#1 task_expired': 'hung',
      'media.download#1 file_empty': 'false_success',
      'a.create#1 no_result_link': 'crashed',
      'a.create#1 moderated': 'told',
    })
    expect(report.code).toBe(1)
    const evidence = (id: string) => report.cases.find(row => row.id === id)?.evidence
    expect(evidence('task_expired')).toMatch(/^asked \d+ times in 10s after the task had become expired$/)
    expect(evidence('no_answer')).toMatch(/^waited for an answer of a\.get that never came/)
    expect(evidence('no_result_link')).toContain('TypeError: Cannot read properties')
    for (const row of report.cases)
      expect(Object.keys(row)).toEqual(
        expect.arrayContaining([
          'operation',
          'nth',
          'id',
          'verdict',
          'evidence',
          'findings',
          'scenario',
          'log',
          'ms',
        ]),
      )
    const files = readdirSync(out)
    expect(files).toEqual(
      expect.arrayContaining([
        'report.json',
        'report.html',
        'junit.xml',
        'a.create-1-task_expired.yaml',
        'a.create-1-task_expired.log',
      ]),
    )
    const html = readFileSync(join(out, 'report.html'), 'utf8')
    expect(html).not.toMatch(/(src|href)="https?:/)
    expect(html).toContain('a.create#1 task_expired')
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('failures="6"')
  }, 120_000)

  it('accepts what is known, and says what no longer occurs', async () => {
    const accept = join(folder, 'known.yaml')
    writeFileSync(
      accept,
      '- { operation: media.download, id: file_empty, verdict: false_success, reason: we check later }\n' +
        '- { operation: a.create, id: moderated, verdict: crashed, reason: mended long ago }\n',
    )
    const report = await reportOf(
      '--accept',
      accept,
      '--only',
      'file_empty',
      '--only',
      'moderated',
      '--',
      ...plain,
    )
    expect(report.code).toBe(0)
    expect(report.problems).toEqual([])
    expect(report.cases.find(({ id }) => id === 'file_empty')?.accepted).toBe('we check later')
    expect(report.stale).toMatchObject([{ id: 'moderated', verdict: 'crashed' }])
  })

  it('prints the matrix, the evidence and the command that plays a problem again; fills in --env', async () => {
    const { code, stdout } = await explore(
      '--env',
      'MY_KEY={key}',
      '--env',
      'MY_URL={url}/x',
      '--only',
      'a.create#1 no_result_link',
      '--',
      ...program(
        'env.mjs',
        `if (process.env.MY_KEY !== process.env.GATEWAY_EMULATOR_KEY) process.exit(5)
if (process.env.MY_URL !== process.env.GATEWAY_EMULATOR_URL + '/x') process.exit(6)
${readFileSync(example('plain-client.mjs'), 'utf8')}`,
      ),
    )
    expect(code).toBe(1)
    expect(stdout).toMatch(/a\.create#1 C/)
    expect(stdout).toContain("--only 'a.create#1 no_result_link' -- node")
    expect(stdout).toContain("--env 'MY_KEY={key}'")
    expect(stdout).toContain('Not tried:')
  })

  it('ends what a hung program started, too', async () => {
    const marker = join(folder, 'child.pid')
    const source = `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
${readFileSync(example('plain-client.mjs'), 'utf8').replace(
  'for (;;) {',
  `if (process.env.GATEWAY_EMULATOR_CASE !== 'undisturbed') {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  writeFileSync(${JSON.stringify(marker)}, String(child.pid))
}
for (;;) {`,
)}`
    const report = await reportOf(
      '--limit',
      '5s',
      '--only',
      'task_cancelled',
      '--',
      ...program('parent.mjs', source),
    )
    expect(verdictsOf(report)).toEqual({ 'a.create#1 task_cancelled': 'hung' })
    const pid = Number(readFileSync(marker, 'utf8'))
    // A process that ended and that nobody has asked about is a zombie.
    const { stdout } = await run('ps', ['-o', 'stat=', '-p', String(pid)])
    expect(stdout.trim().replace(/^Z.*/, '')).toBe('')
  }, 60_000)
})

describe('explore says nothing bad about a sturdy client (issue: no crying wolf)', () => {
  it.each([
    ['Node', ['node', example('sturdy-client.mjs')]],
    ['Python', ['python3', example('sturdy_client.py')]],
  ])(
    'in %s',
    async (_, command) => {
      const report = await reportOf('--limit', '30s', '--', ...command)
      expect(
        report.problems.map(({ operation, id, verdict, evidence }) => ({ operation, id, verdict, evidence })),
      ).toEqual([])
      expect(report.cases.filter(({ verdict }) => verdict === 'rude')).toEqual([])
      expect(report.cases.length).toBeGreaterThan(50)
      expect(report.code).toBe(0)
    },
    240_000,
  )
})
