import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { run as exploreCommand } from '../../src/cli/commands/explore.ts'
import { UsageError } from '../../src/emulator/options/flags.ts'
import { nameOfRow } from '../../src/explore/judge/row.ts'
import type { Report } from '../../src/explore/report/report.ts'
import { filesOfCommand } from '../../src/explore/run/loaded-files.ts'
import { runCommand } from '../support/emulator-process.ts'
import { ownFolder } from '../support/folders.ts'
import { root } from '../support/fresh-build.ts'
import { findPython } from '../support/python.ts'

const folder = ownFolder('explore-reuse')
const page = readFileSync(join(root, 'docs/explore.md'), 'utf8')
const [, options = ''] = /gateway-emulator explore (--reuse .*) -- node app\.mjs$/m.exec(page) ?? []

/** A folder with a program of these files. */
function place(files: Readonly<Record<string, string>>) {
  const cwd = mkdtempSync(join(folder, 'program-'))
  /** Variables that the program inherits. */
  const environment: Record<string, string> = {}
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text)
  for (const [name, text] of Object.entries(files)) write(name, text)
  const told = (name: string) => readFileSync(join(cwd, 'explore-report', name), 'utf8')
  const explore = async (command: readonly string[], ...more: string[]) => {
    const both = ['unavailable', 'reply_lost'].flatMap(id => ['--only', `a.list#1 ${id}`])
    const only = more.includes('--only') ? [] : both
    const words = ['explore', ...options.split(' '), ...only, ...more, ...command]
    if (!command.includes('--system')) words.splice(-command.length, 0, '--')
    const { code, stdout, stderr } = await runCommand(words, environment, cwd)
    expect(stdout, stderr).not.toBe('')
    const report: Report = JSON.parse(told('report.json'))
    const played = report.cases.filter(row => !row.reused).map(nameOfRow)
    return { report, played, reuse: report.reuse, html: told('report.html'), code, stdout }
  }
  return { cwd, environment, write, explore }
}

const all = ['a.list#1 unavailable', 'a.list#1 reply_lost']

/** Lists its tasks with a word of a file; a refusal and a broken connection each load a module of their own. */
const script = {
  'app.mjs': `import { readFileSync } from 'node:fs'
import { get } from 'node:http'
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
const asked = { headers: { Authorization: 'Bearer ' + key, 'X-Word': readFileSync('word.txt', 'utf8').trim() } }
const made = get(url + '/api/v3/contents/generations/tasks', asked, async reply => {
  reply.resume()
  if (reply.statusCode >= 400) (await import('./refused.mjs')).refused(reply.statusCode)
})
made.on('error', error => import('./broken.mjs').then(module => module.broken(error)))
`,
  'refused.mjs':
    "export const refused = status => { console.error('refused with ' + status); process.exitCode = 3 }\n",
  'broken.mjs':
    "export const broken = () => { console.error('the connection broke'); process.exitCode = 4 }\n",
  'word.txt': 'kite\n',
}

const python = {
  'app.py': `import os
import urllib.error
import urllib.request
url, key = os.environ["GATEWAY_EMULATOR_URL"], os.environ["GATEWAY_EMULATOR_KEY"]
headers = {"Authorization": "Bearer " + key, "X-Word": open("word.txt").read().strip()}
try:
    urllib.request.urlopen(urllib.request.Request(url + "/api/v3/contents/generations/tasks", headers=headers)).read()
except urllib.error.HTTPError as error:
    from refused import refused
    refused(error.code)
except OSError:
    from broken import broken
    broken()
`,
  'refused.py': 'import sys\ndef refused(status):\n    sys.exit(f"refused with {status}")\n',
  'broken.py': 'import sys\ndef broken():\n    sys.exit("the connection broke")\n',
  'word.txt': 'kite\n',
}

describe('--reuse plays only the cases whose program files have changed (docs/explore.md, "Only what changed")', () => {
  it.each([
    ['Node', 'mjs', script, async () => ['node', 'app.mjs']],
    ['Python', 'py', python, async () => [await findPython(), 'app.py']],
  ])('of a program in %s', async (_, ending, files, commandOf) => {
    const command = await commandOf()
    const { write, explore } = place(files)
    const first = await explore(command)
    expect(first.reuse).toMatchObject({ cases: 0, why: 'no report.json of explore is there' })
    expect(first.played).toEqual(all)
    const same = await explore(command)
    expect([same.played, same.reuse]).toEqual([[], { from: 'explore-report', cases: 2 }])
    expect(same.report.cases.map(({ verdict, evidence }) => [verdict, evidence])).toEqual(
      first.report.cases.map(({ verdict, evidence }) => [verdict, evidence]),
    )
    expect(same.html).toContain('2 cases (2 reused)')
    // Only the run of a refusal loads it.
    const name = `refused.${ending}`
    write(name, `${files[name as keyof typeof files]}\n`)
    expect((await explore(command)).played).toEqual(['a.list#1 unavailable'])
    // The undisturbed run reads it.
    write('word.txt', 'boat\n')
    const other = await explore(command)
    expect(other.played).toEqual(all)
    expect(other.reuse?.why).toContain('word.txt changed')
  })

  it('a new module, another variable and another lock file play every case', async () => {
    const { write, explore } = place(script)
    const command = ['node', 'app.mjs']
    await explore(command)
    write('more.mjs', '')
    expect((await explore(command)).played).toEqual(all)
    write('package-lock.json', '{}')
    expect((await explore(command)).played).toEqual(all)
    expect((await explore(command, '--env', 'WORD=x')).played).toEqual(all)
    expect((await explore(command, '--env', 'WORD=x')).played).toEqual([])
  })

  it('a variable plays every case when a file of the program names it, and none when no file does', async () => {
    const { environment, explore } = place({
      ...script,
      'word.txt': 'PROMPT_OF_USER\n',
    })
    const command = ['node', 'app.mjs']
    await explore(command)
    environment.RUN_OF_JOB = '7'
    expect((await explore(command)).played).toEqual([])
    environment.PROMPT_OF_USER = 'a kite'
    expect((await explore(command)).played).toEqual(all)
    environment.PROMPT_OF_USER = 'a boat'
    const other = await explore(command)
    expect([other.played, (await explore(command)).played]).toEqual([all, []])
    expect(other.reuse?.why).toMatch(/variable .*PROMPT_OF_USER/)
  })

  it('a problem that is reused fails as before and keeps its trace, and each form of the report marks it', async () => {
    const { cwd, explore } = place({ ...script, 'broken.mjs': 'export const broken = () => null.items\n' })
    const command = ['node', 'app.mjs']
    await explore(command)
    const again = await explore(command)
    expect([again.code, again.played, again.report.problems.map(nameOfRow)]).toEqual([
      1,
      [],
      ['a.list#1 reply_lost'],
    ])
    expect(again.html).toContain('a.list#1 reply_lost (reused)')
    expect(again.html).toContain('href="a.list-1-reply_lost.trace.html"')
    const junit = readFileSync(join(cwd, 'explore-report/junit.xml'), 'utf8')
    expect(junit).toContain('<property name="played" value="2 cases (2 reused)"/>')
    expect(junit.match(/<property name="reused" value="true"\/>/g)).toHaveLength(2)
    expect(again.stdout).toContain('a.list#1 reply_lost (reused): ')
  })

  it('points at which the program was killed are reused, too', async () => {
    const { write, explore } = place(script)
    const words = ['--restarts', '--only', 'a.list#1 killed_before']
    const rows = async () => {
      const { report } = await explore(['node', 'app.mjs'], ...words)
      return report.restarts.map(row => [nameOfRow(row), row.verdict, row.reused])
    }
    const [first = []] = await rows()
    expect(first).toEqual(['a.list#1 killed_before', first[1], undefined])
    write('refused.mjs', '// nothing\n')
    expect(await rows()).toEqual([[first[0], first[1], true]])
    write('app.mjs', `${script['app.mjs']}\n`)
    expect(await rows()).toEqual([first])
  })

  it('of a system, by the files of all its parts', async () => {
    const system = `services:
  web:
    command: node web.mjs
    environment: { PORT: "{port.web}", LIST_URL: "{url}/api/v3/contents/generations/tasks", LIST_KEY: "{key}" }
    ready: tcp
  side: { command: node side.mjs, beside: true }
prepare: node prepare.mjs
driver: { command: node drive.mjs, environment: { WEB_URL: "http://127.0.0.1:{port.web}" } }
`
    const files = {
      'web.mjs': `import { createServer } from 'node:http'
createServer(async (request, response) => {
  const headers = { Authorization: 'Bearer ' + process.env.LIST_KEY }
  const reply = await fetch(process.env.LIST_URL, { headers }).catch(() => undefined)
  if (reply?.status >= 400) await import('./refused.mjs')
  response.writeHead(reply?.status ?? 502).end()
}).listen(Number(process.env.PORT), '127.0.0.1')
`,
      'refused.mjs': '',
      'side.mjs': 'setInterval(() => {}, 100000)\n',
      'prepare.mjs': '',
      'drive.mjs': 'if (!(await fetch(process.env.WEB_URL)).ok) process.exitCode = 1\n',
    }
    const { write, explore } = place({ ...files, 'system.yaml': system })
    const command = ['--system', 'system.yaml']
    expect((await explore(command)).played).toEqual(all)
    write('refused.mjs', '// nothing\n')
    expect((await explore(command)).played).toEqual(['a.list#1 unavailable'])
    for (const name of ['prepare.mjs', 'drive.mjs', 'side.mjs'] as const) {
      write(name, `${files[name]}// nothing\n`)
      const { played, reuse } = await explore(command)
      expect([played, reuse?.why]).toEqual([all, expect.stringContaining(`${name} changed`)])
    }
    write('system.yaml', system.replace('PORT:', 'MORE: "1", PORT:'))
    expect((await explore(command)).played).toEqual(all)
    write('system.yaml', system.replace('node side.mjs, beside: true', 'sleep 100000'))
    const { played, reuse } = await explore(command)
    expect(played).toEqual(all)
    expect(reuse?.why).toBe('side: it starts sleep, and the files of such a program are not known')
  })

  it('a word of a command that cannot be the name of a file is none, and a folder of PATH that cannot be read has no program', () => {
    const { files } = filesOfCommand(['node', '-e', 'x'], folder)
    expect(Object.keys(files)).toHaveLength(1)
    expect(filesOfCommand(['node', '-e', 'x'.repeat(300)], folder)).toMatchObject({ files })
    const endless = join(folder, 'endless')
    symlinkSync(endless, endless)
    vi.stubEnv('PATH', `${endless}${delimiter}${process.env.PATH}`)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(filesOfCommand(['node', '-e', 'x'], folder)).toMatchObject({ files })
  })

  it('a pair that the report left out is not played again until a file of one of its failures changes', async () => {
    const { cwd, write, explore } = place({
      'app.mjs': `import { appendFileSync } from 'node:fs'
import { get } from 'node:http'
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key, GATEWAY_EMULATOR_CASE: name } = process.env
appendFileSync('runs.log', name + '\\n')
const headers = { Authorization: 'Bearer ' + key }
const ask = path => new Promise((resolve, reject) =>
  get(url + '/api/v3/contents/generations/tasks' + path, { headers }, reply => resolve(reply.resume())).on('error', reject))
await ask('').catch(() => import('./broken.mjs'))
const { statusCode } = await ask('/none').catch(() => null)
if (statusCode !== 404) process.exitCode = 3
`,
      'broken.mjs': '',
    })
    const pair = 'a.list#1 reply_lost + a.get#1 reply_lost'
    const ran = async () => {
      write('runs.log', '')
      const { report } = await explore(['node', 'app.mjs'], '--pairs', '--only', '*#1 reply_lost')
      expect(report.explained).toEqual([pair])
      // Two runs at a time begin in any order.
      return [...new Set(readFileSync(join(cwd, 'runs.log'), 'utf8').trim().split('\n'))].sort()
    }
    expect(await ran()).toContain(pair)
    expect(await ran()).toEqual(['undisturbed'])
    write('broken.mjs', '// nothing\n')
    expect(await ran()).toEqual(['a.list#1 reply_lost', pair, 'undisturbed'])
  })

  it('every case is played where a process tells nothing, and the report says so', async () => {
    const shell = place({ ...script, 'run.sh': 'node app.mjs\n' })
    const blind = place({
      ...script,
      'start.mjs': `import { spawnSync } from 'node:child_process'
const { NODE_OPTIONS, ...env } = process.env
process.exitCode = spawnSync('node', ['app.mjs'], { env, stdio: 'inherit' }).status
`,
    })
    for (const [{ explore }, command, why] of [
      [shell, ['sh', 'run.sh'], 'it starts sh, and the files of such a program are not known'],
      [blind, ['node', 'start.mjs'], 'a child process did not tell which files it loads'],
    ] as const) {
      await explore(command)
      const again = await explore(command)
      expect(again.played).toEqual(all)
      expect(again.reuse?.why).toBe(why)
    }
  })

  it('what plays anew is not given with it', async () => {
    const error = await exploreCommand(['--reuse', folder, '--patience', '--', 'node', 'app.mjs']).catch(
      found => found,
    )
    expect(error).toBeInstanceOf(UsageError)
    expect(error.message).toContain('--reuse takes cases over')
  })
})
