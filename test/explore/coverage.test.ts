import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import type { Coverage } from '../../src/explore/report/coverage.ts'
import { runCommand } from '../support/emulator-process.ts'
import { ownFolder } from '../support/folders.ts'
import { root } from '../support/fresh-build.ts'
import { findPython } from '../support/python.ts'

const folder = ownFolder('explore-coverage')
const page = readFileSync(join(root, 'docs/explore.md'), 'utf8')
const [, option = ''] = /gateway-emulator explore (--coverage) -- node app\.mjs$/m.exec(page) ?? []

async function explored(
  files: Readonly<Record<string, string>>,
  command: readonly string[],
  ...more: string[]
) {
  const cwd = mkdtempSync(join(folder, 'program-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  const program = command.length > 0 ? ['--', ...command] : []
  const { stdout, stderr } = await runCommand(
    ['explore', option, ...more, '--out', 'out', ...program],
    {},
    cwd,
  )
  const told = (name: string) => readFileSync(join(cwd, 'out', name), 'utf8')
  expect(stdout, stderr).toContain('Coverage')
  const coverage: Coverage = JSON.parse(told('report.json')).coverage
  return { coverage, stdout, html: told('report.html') }
}

const only = ['unavailable', 'reply_lost'].flatMap(id => ['--only', `a.list#1 ${id}`])
const places = ({ unreached }: Coverage) => unreached.map(({ file, line, kind }) => `${file}:${line} ${kind}`)

/** Lists its tasks. A broken connection is a TypeError that nobody catches, so a problem. */
const source = `import { get } from 'node:http'

interface Told { items: unknown[] }
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
const asked = { headers: { Authorization: 'Bearer ' + key } }

function ask(): Promise<number> {
  return new Promise<number>(resolve => {
    get(url + '/api/v3/contents/generations/tasks', asked, reply => {
      reply.resume()
      resolve(reply.statusCode as number)
    }).on('error', (error: Error) => {
      const none = undefined as unknown as Told
      console.error(none.items.length, error)
    })
  })
}

try {
  const status = await ask()
  if (status === 418) console.log('a teapot')
  else if (status >= 400) {
    console.error('refused')
    process.exitCode = 3
  } else {
    console.log('fine')
  }
} catch (error) {
  console.error(error)
} finally {
  console.log('over')
}
`
const script = source
  .replace(/interface Told.*\n/, '\n')
  .replaceAll(/: Promise<number>|<number>| as number|: Error| as unknown as Told/g, '')

const python = `import os
import urllib.error
import urllib.request

url, key = os.environ["GATEWAY_EMULATOR_URL"], os.environ["GATEWAY_EMULATOR_KEY"]
asked = urllib.request.Request(url + "/api/v3/contents/generations/tasks", headers={"Authorization": "Bearer " + key})
try:
    with urllib.request.urlopen(asked) as reply:
        if reply.status == 202:
            print("accepted")
        reply.read()
except urllib.error.HTTPError as error:
    raise SystemExit("refused")
except OSError:
    none = None
    none.read()
except ValueError:
    print("no address")
finally:
    print("over")
`

describe('--coverage lists handlers that no case ran (docs/explore.md, "Never reached")', () => {
  it.each([
    ['JavaScript', 'app.mjs', { 'app.mjs': script }],
    [
      'TypeScript, through its source map',
      'app.ts',
      {
        'app.ts': source,
        'app.mjs': transformSync(source, {
          loader: 'ts',
          sourcemap: 'inline',
          sourcefile: 'app.ts',
          minifyWhitespace: true,
        }).code,
      },
    ],
  ])('of a program in %s', async (_, file, files) => {
    const { coverage, stdout, html } = await explored(files, ['node', 'app.mjs'], ...only)
    expect(places(coverage)).toEqual([`${file}:21 branch`, `${file}:28 catch`])
    expect(coverage.only_in_problems).toEqual([
      { file, line: 13, end_line: 14, cases: ['a.list#1 reply_lost'] },
    ])
    expect([coverage.files, coverage.runs, coverage.untold, coverage.unread]).toEqual([1, 3, [], []])
    for (const text of [stdout, html]) {
      expect(text).toContain('Handlers that no run ran:')
      expect(text).toContain(`${file}:28 catch: } catch (error) {`)
      expect(text).toContain(`${file}:13-14 in a.list#1 reply_lost`)
    }
  })

  it('of a source that cannot be parsed it says nothing but that', async () => {
    const { code } = transformSync(source, { loader: 'ts', sourcemap: 'inline', sourcefile: 'app.ts' })
    const files = { 'app.ts': source.replace('interface', 'interfaces'), 'app.mjs': code }
    const { coverage } = await explored(files, ['node', 'app.mjs'], ...only)
    expect([coverage.files, coverage.unreached, coverage.only_in_problems]).toEqual([0, [], []])
    expect(coverage.unread).toEqual([
      { file: 'app.ts', why: expect.stringMatching(/^it is not understood: .*3:/) },
    ])
  })

  it('of a program in Python', async () => {
    const { coverage } = await explored({ 'app.py': python }, [await findPython(), 'app.py'], ...only)
    expect(places(coverage)).toEqual(['app.py:9 branch', 'app.py:17 except'])
    expect(coverage.only_in_problems).toEqual([
      { file: 'app.py', line: 14, end_line: 16, cases: ['a.list#1 reply_lost'] },
    ])
    expect([coverage.untold, coverage.unread]).toEqual([[], []])
  })

  it('of the services of a system, in Node and in Python, and of its driver', async () => {
    const files = {
      'web.mjs': `import { createServer } from 'node:http'
createServer(async (request, response) => {
  let status = 502
  try {
    const headers = { Authorization: 'Bearer ' + process.env.LIST_KEY }
    status = (await fetch(process.env.LIST_URL, { headers })).status
    if (status === 418) console.log('a teapot')
  } catch (error) {
    console.error(error)
  }
  response.writeHead(status).end()
}).listen(Number(process.env.PORT), '127.0.0.1')
`,
      'side.py': `import os
import socket
place = socket.create_server(("127.0.0.1", int(os.environ["PORT"])))
try:
    while True:
        place.accept()
except ValueError:
    print("no value")
`,
      'drive.mjs': `const { status } = await fetch(process.env.WEB_URL)
if (status >= 400) process.exitCode = 1
else if (status === 202) console.log('accepted')
`,
      'store.mjs': 'try { setInterval(() => {}, 100000) } catch { process.exit(1) }\n',
      'look.mjs': 'try { await 0 } catch { process.exit(1) }\n',
      'system.yaml': `services:
  web:
    command: node web.mjs
    environment: { PORT: "{port.web}", LIST_URL: "{url}/api/v3/contents/generations/tasks", LIST_KEY: "{key}" }
    ready: tcp
  side: { command: ${await findPython()} side.py, environment: { PORT: "{port.side}" }, ready: tcp }
  store: { command: node store.mjs, beside: true }
  idle: { command: sleep 100000 }
driver: { command: node drive.mjs, environment: { WEB_URL: "http://127.0.0.1:{port.web}" } }
check: node look.mjs
`,
    }
    const { coverage, stdout } = await explored(files, [], '--system', 'system.yaml', ...only)
    expect(places(coverage)).toEqual(['drive.mjs:3 branch', 'side.py:7 except', 'web.mjs:7 branch'])
    expect([coverage.untold, coverage.silent]).toEqual([[], ['idle']])
    expect(stdout).toContain('No process of Node or Python told what ran in idle')
  })

  it('a process in Python that is killed has told what ran', async () => {
    const killed = python.replace('raise SystemExit("refused")', 'os.kill(os.getpid(), 9)')
    const { coverage } = await explored({ 'app.py': killed }, [await findPython(), 'app.py'], ...only)
    expect([coverage.untold, places(coverage)]).toEqual([[], ['app.py:9 branch', 'app.py:17 except']])
  })

  it('a handler that only a run without coverage may have run is not said to be one that no run ran', async () => {
    const killed = `import { spawnSync } from 'node:child_process'
${script.replace("console.error('refused')", "spawnSync('kill', ['-9', String(process.pid)])")}`
    const { coverage, stdout } = await explored({ 'app.mjs': killed }, ['node', 'app.mjs'], ...only)
    expect(coverage.untold).toEqual(['a.list#1 unavailable'])
    expect(stdout).toContain('Handlers that none of the runs ran that told everything:')
    expect(stdout).toContain('what only it ran is not known: a.list#1 unavailable')
  })

  it('what a killed process of Node wrote in part is left out', async () => {
    const halved = `import { writeFileSync } from 'node:fs'
writeFileSync(process.env.NODE_V8_COVERAGE + '/coverage-1-1-0.json', '{"result":[{"url":')
${script}`
    const { coverage } = await explored({ 'app.mjs': halved }, ['node', 'app.mjs'], ...only)
    expect([coverage.files, coverage.untold]).toEqual([1, []])
  })
})
