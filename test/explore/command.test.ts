import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { run as exploreCommand } from '../../src/cli/commands/explore.ts'
import { UsageError } from '../../src/emulator/options/flags.ts'
import { BaselineError, baselineOf } from '../../src/explore/play/baseline.ts'
import { exploreSettings } from '../../src/explore/play/options.ts'
import type { Subject } from '../../src/explore/run/run.ts'
import { commandSubject } from '../../src/explore/run/run-command.ts'
import { runCommand } from '../support/emulator-process.ts'
import { reportOf } from '../support/explore-runs.ts'
import { plainLister } from '../support/plain-lister.ts'
import { run } from '../support/run.ts'
import { startForTest } from '../support/start-for-test.ts'
import { writtenFiles } from '../support/written-files.ts'

const { folder, written } = writtenFiles('explore-test')
const emulator = await startForTest({})

const lister = plainLister(folder)
const explore = (...args: string[]) => runCommand(['explore', ...args])

const program = (name: string, source: string): [string, string] => ['node', written(name, source)]

describe('wrong usage ends with exit code 2 and one message (docs/explore.md, "Choosing cases")', () => {
  const entry = '- { operation: a.create, id: task_failed, verdict: crashd, reason: known }\n'
  const broken = written('accept.yaml', entry)
  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['no command', [], 'No command: write gateway-emulator explore'],
    ['nothing after --', ['--'], 'No command'],
    ['a command that cannot start', ['--', 'no-such-program-here'], 'Cannot start no-such-program-here: the program does not exist'],
    ['an unknown option', ['--onyl', 'x', '--', ...lister], 'Unknown option --onyl; did you mean --only?'],
    [
      'a pattern that matches no failure',
      ['--only', 'a.creat', '--', ...lister],
      '"a.creat" names neither an operation nor a failure; did you mean "a.create"?',
    ],
    ['a pattern that matches no call of the program', ['--only', 'k.create *', '--', ...lister], '"k.create *" matches no case of this program'],
    ['a folder that cannot be made', ['--out', `${broken}/out`, '--', ...lister], `--out ${broken}/out: `],
    ['an accept file that does not exist', ['--accept', 'none.yaml', '--', ...lister], 'Cannot read none.yaml'],
    ['an unknown word in the accept file', ['--accept', broken, '--', ...lister], 'entry 1: verdict: "crashd" is not known here (did you mean crashed?)'],
    ['--update without a file', ['--update', '--', ...lister], '--update writes the file of --accept'],
    ['an unknown level', ['--fail-on', 'rude', '--', ...lister], '--fail-on: "rude" is not one of problems, warnings'],
    ['a limit that is not a duration', ['--limit', 'soon', '--', ...lister], '--limit: "soon" is not a length of time'],
    ['an unknown reporter', ['--reporter', 'html', '--', ...lister], '--reporter: "html" is not one of pretty'],
    ['a variable without a template', ['--env', 'KEY', '--', ...lister], '--env: "KEY" is not of the form NAME=TEMPLATE'],
  ],
  )('%s', async (_, args, message) => {
    const error = await exploreCommand(args).catch(found => found)
    expect(error).toBeInstanceOf(UsageError)
    expect(error.message).toContain(message)
  })

  it('the program prints the message and ends with exit code 2', async () => {
    const { code, stdout, stderr } = await explore()
    expect(stderr).toContain('No command: write gateway-emulator explore')
    expect([code, stdout]).toEqual([2, ''])
  })
})

describe('an undisturbed run that fails (docs/explore.md, "Choosing cases")', () => {
  const tasks = "process.env.GATEWAY_EMULATOR_URL + '/api/v3/contents/generations/tasks'"
  it.each([
    ['ends with another code', 'process.exit(4)', 'The undisturbed run ended with 4'],
    ['calls nothing', "console.log('done')", 'made no call: no request came to'],
    [
      'calls another world',
      `await fetch(${tasks}, { headers: { Authorization: 'Bearer sk-emulator' } })`,
      'no request reached the world of the run, and 1 reached the world default',
    ],
    [
      'is refused',
      `const { GATEWAY_EMULATOR_KEY: key } = process.env
const reply = await fetch(${tasks}, { method: 'POST', headers: { Authorization: 'Bearer ' + key }, body: '{"model":"none","content":[]}' })
if (!reply.ok) { console.error('sorry'); process.exit(1) }`,
      'The undisturbed run ended with 1; the last of its requests that was refused: POST /api/v3/contents/generations/tasks (a.create) -> 400 (The header `Content-Type` is not valid',
    ],
    ['does not end', 'setInterval(() => {}, 1000)', 'did not end within 600ms, three times the limit'],
  ])('%s', async (name, source, message) => {
    const [node, ...args] = program(`${name}.mjs`, source)
    const subject = commandSubject({ program: node, args, env: [], inherited: process.env })
    const limit = name === 'does not end' ? '200ms' : '30s'
    const settings = exploreSettings({ limit }, '2026-01-01T00:00:00Z')
    const error = await baselineOf({ emulator, subject, settings }).catch(found => found)
    expect(error).toBeInstanceOf(BaselineError)
    expect(error.message).toContain(message)
  })

  it('says that the program follows no virtual time, where that was asked for', async () => {
    const [node, ...args] = program('untied.mjs', 'setInterval(() => {}, 1000)')
    const command = commandSubject({ program: node, args, env: [], inherited: process.env })
    const subject: Subject = { run: (world, options) => command.run(world, { ...options, time: 'real' }) }
    const chosen = exploreSettings({ limit: '200ms', clock: 'manual' }, '2026-01-01T00:00:00Z')
    await expect(baselineOf({ emulator, subject, settings: { ...chosen, time: 'virtual' } })).rejects.toThrow(
      'did not end within 600ms, three times the limit: no request came from a process that could be tied to the clock of its world; only those of Node and Python can be; explore it in real time',
    )
  })

  it('makes the command print the output of the program and end with exit code 3', async () => {
    const failing = program('failing.mjs', "console.error('no luck'); process.exit(4)")
    const { code, stdout, stderr } = await explore('--', ...failing)
    expect(stderr).toContain('The undisturbed run ended with 4\n  | no luck\n')
    expect([code, stdout]).toEqual([3, ''])
  })
})

describe('known problems (docs/explore.md, "Known problems")', () => {
  const listed = ['--only', 'internal', '--only', 'unauthenticated', '--', ...lister]

  it('--accept FILE --update writes an entry for each cause, keyed by both axes, and the next run has no problem', async () => {
    const file = join(folder, 'updated.yaml')
    const first = await reportOf(['--accept', file, '--update', ...listed])
    expect([first.code, first.problems]).toEqual([0, []])
    const entries = parse(readFileSync(file, 'utf8'))
    expect(entries).toEqual([
      {
        cause: expect.stringMatching(/lister\.mjs:\d+: TypeError: /),
        cases: [
          { operation: 'a.list', id: 'internal', verdict: 'crashed', end: 'crashed', bill: 'none' },
          { operation: 'a.list', id: 'unauthenticated', verdict: 'crashed', end: 'crashed', bill: 'none' },
        ],
        reason: 'unreviewed',
      },
    ])
    expect((await reportOf(['--accept', file, ...listed])).code).toBe(0)
  })

  it('--update keeps the reasons of problems that still occur, and takes out those that do not', async () => {
    const file = written(
      'kept.yaml',
      '- { operation: a.list, id: internal, verdict: crashed, reason: we check later }\n' +
        '- { operation: a.list, id: unavailable, verdict: crashed, reason: not played today }\n' +
        '- { operation: a.list, id: unauthenticated, verdict: hung, reason: mended long ago }\n',
    )
    const report = await reportOf(['--accept', file, '--update', ...listed])
    expect(report.stale).toMatchObject([{ id: 'unauthenticated', verdict: 'hung' }])
    expect(report.cases.find(({ id }) => id === 'internal')?.accepted).toBe('we check later')
    expect(parse(readFileSync(file, 'utf8'))).toEqual([
      { operation: 'a.list', id: 'internal', verdict: 'crashed', reason: 'we check later' },
      { operation: 'a.list', id: 'unavailable', verdict: 'crashed', reason: 'not played today' },
      expect.objectContaining({ id: 'unauthenticated', end: 'crashed', bill: 'none', reason: 'unreviewed' }),
    ])
  })

  it('an entry whose bill or end is another does not accept the problem', async () => {
    const entry = '- { operation: a.list, id: internal, end: crashed, bill: lost, reason: known }\n'
    const file = written('other.yaml', entry)
    const report = await reportOf(['--accept', file, '--only', 'internal', '--', ...lister])
    expect(report.code).toBe(1)
    expect(report.stale).toMatchObject([{ end: 'crashed', bill: 'lost' }])
  })

  it('a word of an axis that does not exist is refused with its place', async () => {
    const file = written(
      'wrong.yaml',
      '- { cases: [{ operation: a.list, id: internal, end: crashd, bill: none }], reason: known }\n',
    )
    const error = await exploreCommand(['--accept', file, '--', ...lister]).catch(found => found)
    expect(error.message).toMatch(
      /entry 1: cases\[0\]\.end: "crashd" is not known here \(did you mean crashed\?\)/,
    )
  })
})

describe('--fail-on (docs/explore.md, "What it says")', () => {
  it('warnings end the command with 1 only when it asks for that', async () => {
    const place = mkdtempSync(join(folder, 'quiet-'))
    const quiet = plainLister(place, "process.on('uncaughtException', () => process.exit(1))")
    const only = ['--only', 'internal', '--', ...quiet]
    const [plain, strict] = [await reportOf(only), await reportOf(['--fail-on', 'warnings', ...only])]
    expect([plain.code, strict.code]).toEqual([0, 1])
    expect(plain.warnings).toMatchObject([
      { end: 'uncaught', level: 'warning', evidence: 'ended with 1 and wrote nothing' },
    ])
    expect(plain.causes).toMatchObject([
      { title: 'fails in silence at a.list', where: null, cases: ['a.list#1 internal'] },
    ])
  })
})

describe('explore finds what is wrong with a program (docs/explore.md, "Choosing cases")', () => {
  it('quotes the line that failed without its colour, and not the page of a proxy with line ends of Windows below it', async () => {
    const place = mkdtempSync(join(folder, 'coloured-'))
    const handler = `process.on('uncaughtException', error => {
  console.error('\\u001b[31mgave up: ' + error.message.replace(/\\d+/, '502') + '\\u001b[39m: <html>\\r\\n<h1>502 Bad Gateway</h1>\\r\\n</html>\\r\\n')
  process.exit(1)
})`
    const { cases } = await reportOf(['--only', 'internal', '--', ...plainLister(place, handler)])
    expect(cases[0]?.evidence).toMatch(/^ended with 1: gave up: .*: <html>$/)
  })

  it('prints the matrix, the evidence and the command that repeats a problem, and replaces {key} and {url} in --env', async () => {
    const checked = plainLister(
      folder,
      `if (process.env.MY_KEY !== key) process.exit(5)
if (process.env.MY_URL !== url + '/x') process.exit(6)`,
    )
    const env = ['--env', 'MY_KEY={key}', '--env', 'MY_URL={url}/x']
    const { code, stdout } = await explore(
      ...[...env, '--limit', '1m30s', '--only', 'a.list#1 internal', '--', ...checked],
    )
    expect(code).toBe(1)
    expect(stdout).toMatch(/a\.list#1 C/)
    expect(stdout).toMatch(
      /crashed {2}\S+lister\.mjs:\d+: TypeError: .*, 1 case\n {2}a\.list#1 internal: an uncaught error .*TypeError/,
    )
    expect(stdout).toContain("--only 'a.list#1 internal' -- node")
    expect(stdout).toContain("--env 'MY_KEY={key}'")
    // As the user spelled it.
    expect(stdout).toContain('--limit 1m30s --only')
  })

  it('ends with 3 for a program that receives no result, and explores it with --without-result, which the repeating command has too', async () => {
    const cancelling = program(
      'cancelling.mjs',
      `const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' }
const tasks = url + '/api/v3/contents/generations/tasks'
const body = JSON.stringify({ model: 'model_a_25', content: [{ type: 'text', text: 'a kite' }], duration: 4 })
const { id } = await (await fetch(tasks, { method: 'POST', headers, body })).json()
await fetch(tasks + '/' + id, { method: 'DELETE', headers }).catch(() => {})`,
    )
    const only = ['--only', 'a.delete unavailable']
    const refused = await explore(...only, '--', ...cancelling)
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringContaining('made 1 task and received no result'),
    ])
    const { code, stdout } = await explore('--without-result', ...only, '--', ...cancelling)
    expect(code).toBe(1)
    expect(stdout).toContain('a task is paid for that costs nothing undisturbed')
    expect(stdout).toContain(
      "npx --no-install gateway-emulator explore --without-result --only 'a.delete#1 unavailable' -- node",
    )
  })

  it('also ends the processes that an unfinished program started', async () => {
    const marker = join(folder, 'child.pid')
    const hanging = plainLister(
      folder,
      `if (name !== 'undisturbed') {
  const { spawn } = await import('node:child_process')
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  const { writeFileSync } = await import('node:fs')
  writeFileSync(${JSON.stringify(marker)}, String(child.pid))
}`,
    )
    const report = await reportOf(['--limit', '5s', '--only', 'no_answer', '--', ...hanging])
    expect(report.cases).toMatchObject([
      { operation: 'a.list', id: 'no_answer', verdict: 'unfinished', level: 'warning' },
    ])
    const pid = Number(readFileSync(marker, 'utf8'))
    // A process that has ended and was not collected yet is a zombie.
    const { stdout } = await run('ps', ['-o', 'stat=', '-p', String(pid)])
    expect(stdout.trim().replace(/^Z.*/, '')).toBe('')
  })
})

it('--again plays only what failed before, in the same world, and says what became of it (docs/explore.md, "Choosing cases")', async () => {
  const place = mkdtempSync(join(folder, 'again-'))
  const out = join(place, 'out')
  const only = ['--only', 'internal', '--only', 'unavailable', '--seed', '7']
  const before = await reportOf([...only, '--out', out, '--', ...plainLister(place)])
  expect(before.code).toBe(1)
  const tells = "process.on('uncaughtException', () => { console.error('refused'); process.exit(2) })"
  const calm = plainLister(place, `if (/ internal$/.test(name)) ${tells}`)
  const after = await reportOf(['--again', join(out, 'report.json'), '--', ...calm])
  const found = after.again?.map(one => [one.case, one.state])
  expect([after.code, after.seed, after.now, found]).toEqual([
    1,
    7,
    before.now,
    [
      ['a.list#1 unavailable', 'still'],
      ['a.list#1 internal', 'fixed'],
    ],
  ])
})

it('a report that cannot be written to --out whole is printed all the same, and written in its other forms', async () => {
  const place = mkdtempSync(join(folder, 'half-'))
  const out = join(place, 'out')
  mkdirSync(join(out, 'report.html'), { recursive: true })
  const options = ['--only', 'unavailable', '--out', out]
  const { code, stdout, stderr } = await explore(...options, '--', ...plainLister(place))
  expect([code, stderr]).toEqual([2, expect.stringContaining(`--out ${out}: EISDIR`)])
  expect(stdout).toContain('a.list#1 unavailable')
  expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')).cases).toHaveLength(1)
})
