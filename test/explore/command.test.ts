import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { run as exploreCommand } from '../../src/commands/explore.ts'
import { BaselineError, baselineOf } from '../../src/explore/baseline.ts'
import { exploreSettings } from '../../src/explore/options.ts'
import type { Report } from '../../src/explore/report.ts'
import { commandSubject } from '../../src/explore/run-command.ts'
import { startEmulator } from '../../src/index.ts'
import { UsageError } from '../../src/options/usage-error.ts'
import { runCommand } from '../support/emulator-process.ts'
import { plainLister } from '../support/plain-lister.ts'
import { run } from '../support/run.ts'

const folder = mkdtempSync(join(tmpdir(), 'explore-test-'))
const emulator = await startEmulator({})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await emulator.close()
})

const lister = plainLister(folder)
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

describe('wrong usage ends with exit code 2 and one message (explore, "Command line")', () => {
  const broken = join(folder, 'accept.yaml')
  writeFileSync(broken, '- { operation: a.create, id: task_failed, verdict: crashd, reason: known }\n')
  it.each([
    ['no command', [], 'No command: write gateway-emulator explore'],
    ['nothing after --', ['--'], 'No command'],
    [
      'a command that cannot start',
      ['--', 'no-such-program-here'],
      'Cannot start no-such-program-here: the program does not exist',
    ],
    ['an unknown option', ['--onyl', 'x', '--', ...lister], 'Unknown option --onyl; did you mean --only?'],
    [
      'a pattern that matches no failure',
      ['--only', 'a.creat', '--', ...lister],
      '"a.creat" names neither an operation nor a failure; did you mean "a.create"?',
    ],
    [
      'a pattern that matches no call of the program',
      ['--only', 'k.create *', '--', ...lister],
      '"k.create *" matches no case of this program',
    ],
    ['a folder that cannot be made', ['--out', `${broken}/out`, '--', ...lister], `--out ${broken}/out: `],
    [
      'an accept file that does not exist',
      ['--accept', 'none.yaml', '--', ...lister],
      'Cannot read none.yaml',
    ],
    [
      'an unknown word in the accept file',
      ['--accept', broken, '--', ...lister],
      'entry 1: verdict "crashd" is not one of',
    ],
    [
      'a limit that is not a duration',
      ['--limit', 'soon', '--', ...lister],
      '--limit: "soon" is not a length of time',
    ],
    [
      'an unknown reporter',
      ['--reporter', 'html', '--', ...lister],
      '--reporter: "html" is not one of pretty',
    ],
    [
      'a variable without a template',
      ['--env', 'KEY', '--', ...lister],
      '--env: "KEY" is not of the form NAME=TEMPLATE',
    ],
  ])('%s', async (_, args, message) => {
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

describe('an undisturbed run that fails (explore, "Command line")', () => {
  const tasks = "process.env.GATEWAY_EMULATOR_URL + '/api/v3/contents/generations/tasks'"
  it.each([
    ['ends with another code', 'process.exit(4)', 'The undisturbed run ended with 4'],
    ['calls nothing', "console.log('done')", 'made no call: no request came to'],
    [
      'calls another world',
      `await fetch(${tasks}, { headers: { Authorization: 'Bearer sk-emulator' } })`,
      'no request reached the world of the run, and 1 reached the world default',
    ],
    ['does not end', 'setInterval(() => {}, 1000)', 'did not end within 600ms, three times the limit'],
  ])('%s', async (name, source, message) => {
    const [node = '', ...args] = program(`${name}.mjs`, source)
    const subject = commandSubject({ program: node, args, env: [], inherited: process.env })
    const limit = name === 'does not end' ? '200ms' : '30s'
    const settings = exploreSettings({ limit }, '2026-01-01T00:00:00Z')
    const error = await baselineOf({ emulator, subject, settings }).catch(found => found)
    expect(error).toBeInstanceOf(BaselineError)
    expect(error.message).toContain(message)
  })

  it('makes the command print the output of the program and end with exit code 3', async () => {
    const failing = program('failing.mjs', "console.error('no luck'); process.exit(4)")
    const { code, stdout, stderr } = await explore('--', ...failing)
    expect(stderr).toContain('The undisturbed run ended with 4\n  | no luck\n')
    expect([code, stdout]).toEqual([3, ''])
  })
})

describe('explore finds what is wrong with a program (explore, "Command line")', () => {
  it('does not report accepted problems, and lists those that no longer occur', async () => {
    const accept = join(folder, 'known.yaml')
    writeFileSync(
      accept,
      '- { operation: a.list, id: internal, verdict: crashed, reason: we check later }\n' +
        '- { operation: a.list, id: unavailable, verdict: hung, reason: mended long ago }\n',
    )
    const only = ['--only', 'internal', '--only', 'slow_answer']
    const report = await reportOf('--accept', accept, ...only, '--', ...lister)
    expect(report.code).toBe(0)
    expect(report.problems).toEqual([])
    expect(report.cases.find(({ id }) => id === 'internal')?.accepted).toBe('we check later')
    expect(report.stale).toMatchObject([{ id: 'unavailable', verdict: 'hung' }])
  })

  it('prints the matrix, the evidence and the command that repeats a problem, and replaces {key} and {url} in --env', async () => {
    const checked = plainLister(
      folder,
      `if (process.env.MY_KEY !== key) process.exit(5)
if (process.env.MY_URL !== url + '/x') process.exit(6)`,
    )
    const env = ['--env', 'MY_KEY={key}', '--env', 'MY_URL={url}/x']
    const { code, stdout } = await explore(...env, '--only', 'a.list#1 internal', '--', ...checked)
    expect(code).toBe(1)
    expect(stdout).toMatch(/a\.list#1 C/)
    expect(stdout).toMatch(/crashed {2}a\.list#1 internal\n {2}an uncaught error .*TypeError/)
    expect(stdout).toContain("--only 'a.list#1 internal' -- node")
    expect(stdout).toContain("--env 'MY_KEY={key}'")
  })

  it('also ends the processes that a hung program started', async () => {
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
    const report = await reportOf('--limit', '5s', '--only', 'no_answer', '--', ...hanging)
    expect(report.cases).toMatchObject([{ operation: 'a.list', id: 'no_answer', verdict: 'hung' }])
    const pid = Number(readFileSync(marker, 'utf8'))
    // A process that has ended and was not collected yet is a zombie.
    const { stdout } = await run('ps', ['-o', 'stat=', '-p', String(pid)])
    expect(stdout.trim().replace(/^Z.*/, '')).toBe('')
  })
})
