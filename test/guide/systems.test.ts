import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../support/fresh-build.ts'
import { blocksOf } from '../support/guide-files.ts'
import { findPytest, unlessMissing } from '../support/python.ts'
import { withoutRedis } from '../support/redis.ts'
import { run } from '../support/run.ts'
import { openSnippets, type Snippets } from '../support/snippets.ts'

const path = 'docs/systems.md'
const [, ...chapters] = readFileSync(join(root, path), 'utf8').split(/^## /m)
const python = await findPytest()
const systems = [
  { title: 'Python and SQLite', folder: 'python', missing: unlessMissing('pytest', python) },
  {
    title: 'Node and Redis',
    folder: 'node',
    missing: withoutRedis,
  },
]

let snippets: Snippets
let env: Record<string, string | undefined>
beforeAll(async () => {
  snippets = await openSnippets()
  env = {
    ...process.env,
    // The Python itself: a script of a version manager in its place takes longer than the services.
    PATH: `${dirname(python ?? '')}${delimiter}${process.env.PATH}`,
    // The same moment and data directory for all commands, so that each file is rendered once.
    GATEWAY_EMULATOR_DATA: join(snippets.folder, 'data'),
    GATEWAY_EMULATOR_NOW: '2026-01-01T00:00:00Z',
    PYTHONPATH: join(root, 'python'),
    PYTHONDONTWRITEBYTECODE: '1',
    PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
  }
})
afterAll(() => snippets.close())

const chapterOf = (title: string) => chapters.find(text => text.startsWith(title)) ?? ''
const blocksIn = (title: string, language: string) =>
  blocksOf({ path, text: chapterOf(title) }).filter(block => block.language === language)

/** Commands, the folder in which the page gives them, and the lines of their reports that it shows. */
interface Walk {
  folder: string
  commands: string[]
  shown: string[]
}

/** A folder holds until the next `cd`. */
function walks(): Walk[] {
  const all: Walk[] = []
  let folder = ''
  for (const { language, text } of blocksOf({ path, text: chapters.join('') })) {
    const lines = text.trimEnd().split('\n')
    if (language === '') all.at(-1)?.shown.push(...lines)
    if (language !== 'sh') continue
    for (const [, to = ''] of text.matchAll(/^cd (.*)$/gm))
      folder = join(folder, to.replace('node_modules/generation-gateway-emulator', root))
    all.push({ folder, commands: lines.filter(line => !line.startsWith('cd ')), shown: [] })
  }
  return all
}

/** The cases that a table says to be found, each with its verdict. */
const tabled = (title: string) =>
  [...chapterOf(title).matchAll(/^\|.* `([^`]*#[^`]*)` \| `(\w+)` \|$/gm)].map(
    ([, name, verdict]) => `${name}: ${verdict}`,
  )

interface Row {
  operation: string
  nth: number
  id: string
  verdict: string
  level: string
}

/** Runs the commands of the page, compares what it shows of their reports, and gives all rows. */
async function play({ folder, commands, shown }: Walk): Promise<Row[]> {
  const rows: Row[] = []
  let said = ''
  for (const command of commands) {
    const [, line = ''] = /^npx --no-install gateway-emulator (explore .*)$/.exec(command) ?? []
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
    const out = join(snippets.folder, 'out')
    const args = [join(root, 'dist/main.js'), ...words, '--out', out]
    const { code, stdout, stderr } = await run('node', args, { cwd: folder, env })
    expect(code, `${command}\n${stdout}${stderr}`).toBe(folder.endsWith('/sturdy') ? 0 : 1)
    said += stdout
    const { cases, restarts } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))
    rows.push(...cases, ...restarts)
  }
  for (const line of shown) expect(said, line).toMatch(asWritten(line))
  return rows
}

/** A line of a report, in which `…` stands for anything. */
function asWritten(line: string): RegExp {
  const parts = line.split('…').map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 'm')
}

/** All code of a variant of a system. */
function codeOf(folder: string, variant: string): string {
  const at = join(root, 'docs/examples/systems', folder, variant)
  return readdirSync(at)
    .filter(name => name.includes('.'))
    .map(name => readFileSync(join(at, name), 'utf8'))
    .join('')
}

describe.each(systems)('the page about systems (docs/systems.md): $title', ({ title, folder, missing }) => {
  const walksIn = (variant: string) =>
    walks().filter(walk => walk.folder.endsWith(`examples/systems/${folder}/${variant}`))

  it(`finds each weakness of its table by the commands that it gives${missing}`, async () => {
    if (missing) return
    const rows: Row[] = []
    for (const walk of walksIn('as-often-written')) rows.push(...(await play(walk)))
    const found = rows.map(({ operation, nth, id, verdict }) => `${operation}#${nth} ${id}: ${verdict}`)
    expect(tabled(title).length).toBeGreaterThan(5)
    expect(found).toEqual(expect.arrayContaining(tabled(title)))
  }, 300_000)

  it(`finds nothing in the sturdy one by the commands that it gives${missing}`, async () => {
    if (missing) return
    const rows: Row[] = []
    for (const walk of walksIn('sturdy')) rows.push(...(await play(walk)))
    // Whether calls of two workers overlap, so that an order of them is a case, is decided by when each of them was ready.
    expect(rows.filter(({ id }) => id !== 'answered_after').length).toBeGreaterThan(3)
    expect(rows.filter(({ level }) => level !== 'good')).toEqual([])
  }, 300_000)

  it('shows lines that are in the code', () => {
    const lines = blocksIn(title, 'diff').flatMap(({ text }) => text.trimEnd().split('\n'))
    expect(lines.length).toBeGreaterThan(5)
    for (const line of lines)
      expect(codeOf(folder, line.startsWith('-') ? 'as-often-written' : 'sturdy')).toContain(
        `\n${line.slice(1)}\n`,
      )
  })
})

/** The smallest system for the calls in code: workers that find the task by its name before they make it, and who waits for one of them. */
const smallest = {
  'system.yaml': `services:
  worker:
    command: node worker.mjs
    environment: { GATEWAY: "{url}", KEY: "{key}", STATE: "{state}" }
driver: { command: node drive.mjs, environment: { STATE: "{state}" } }
`,
  'worker.mjs': `import { writeFileSync } from 'node:fs'
const { GATEWAY, KEY, STATE } = process.env
const headers = { Authorization: 'Bearer ' + KEY, 'Content-Type': 'application/json' }
const contents = [{ type: 'prompt', text: 'a kite' }, { type: 'first_frame', url: GATEWAY + '/__emulator/samples/landscape.jpg' }]
const body = JSON.stringify({ contents, settings: { resolution: '720p', duration: 3 }, options: { external_task_id: 'one' } })
const ask = (path, more) => fetch(GATEWAY + path, { headers, ...more, signal: AbortSignal.timeout(30_000) }).catch(() => undefined)
const named = async () => (await (await ask('/tasks?external_task_ids=one'))?.json())?.data?.[0]
while (!(await named())) await ask('/image-to-video/model_k_30', { method: 'POST', body })
while ((await named())?.status !== 'succeeded') await new Promise(done => setTimeout(done, 5000))
writeFileSync(STATE + '/done', '')
// A worker does not end by itself; who waits for it may see the file a look later.
setInterval(() => {}, 60_000)
`,
  'drive.mjs': `import { existsSync } from 'node:fs'
while (!existsSync(process.env.STATE + '/done')) await new Promise(done => setTimeout(done, 5000))
`,
}

describe('the page about systems explores in code, too (the commands above explore the systems of the page)', () => {
  let cwd: string
  beforeAll(() => {
    cwd = join(snippets.folder, 'smallest')
    mkdirSync(cwd)
    for (const [name, text] of Object.entries(smallest)) writeFileSync(join(cwd, name), text)
  })
  const [title = ''] = systems.map(one => one.title)
  const written = (language: string, name: string) => {
    const [block] = blocksIn(title, language)
    writeFileSync(join(snippets.folder, name), block?.text ?? '')
    return join(snippets.folder, name)
  }
  const missing = unlessMissing('pytest', python)

  it(`in JavaScript${missing}`, async () => {
    if (missing) return
    const { code, stdout, stderr } = await run('node', [written('js', 'systems.mjs')], { cwd, env })
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^k\.create#1 +worker-[12].* ✓$/m)
  })

  it(`in pytest${missing}`, async () => {
    if (python === undefined) return
    const plugin = ['-p', 'no:cacheprovider', '-p', 'generation_gateway_emulator.plugin']
    const args = ['-m', 'pytest', '-v', ...plugin, '--rootdir', cwd, written('python', 'test_systems.py')]
    const { code, stdout } = await run(python, args, { cwd, env })
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(/test_serves.*k\.create#1 killed_after.* PASSED/)
  })
})
