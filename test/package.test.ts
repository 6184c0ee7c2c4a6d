import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from './support/fresh-build.ts'
import { type Ended, run, serve } from './support/run.ts'

const home = mkdtempSync(join(tmpdir(), 'gateway-package-'))
const clone = join(home, 'clone')
/** An empty project that installs the tarball. */
const folder = join(home, 'project')
afterAll(() => rmSync(home, { recursive: true, force: true }))

interface Packed {
  filename: string
  size: number
  unpackedSize: number
  files: { path: string }[]
}

let packed: Packed
let tarball: Buffer

/** npm as a user runs it: without the variables that this test run has set, and with the certificates that it set aside. */
function npm(cwd: string, ...args: string[]): Promise<Ended> {
  const plain = Object.entries(process.env).filter(([name]) => !/^npm_|^VITEST/.test(name))
  const { TEST_CA_CERTS: certificates } = process.env
  const env = {
    ...Object.fromEntries(plain),
    ...(certificates && { NODE_EXTRA_CA_CERTS: certificates }),
  }
  return run('npm', args, { cwd, env })
}

/** The files of a new clone of the present sources, and its dependencies; no built file. */
function cloneSources(): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of listed.split('\0').filter(name => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(clone, file)), { recursive: true })
    cpSync(join(root, file), join(clone, file))
  }
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'), 'dir')
}

beforeAll(async () => {
  cloneSources()
  mkdirSync(folder)
  const { stdout, stderr } = await npm(clone, 'pack', '--json', '--pack-destination', folder)
  const told: Packed[] | Record<string, Packed> = JSON.parse(stdout || `{"error":${JSON.stringify(stderr)}}`)
  packed = Object.values(told)[0] as Packed
  tarball = readFileSync(join(folder, packed.filename))
  writeFileSync(join(folder, 'package.json'), '{"name":"somebody","private":true,"type":"module"}')
  const installed = await npm(
    folder,
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    `./${packed.filename}`,
  )
  expect(installed.code, installed.stderr).toBe(0)
  // Packages that a user of the kits already has; only linked, to save time.
  for (const peer of ['vitest', '@playwright', '@types/node'])
    symlinkSync(join(root, 'node_modules', peer), join(folder, 'node_modules', peer), 'dir')
}, 300_000)

describe('the tarball', () => {
  it('passes publint', async () => {
    const { messages } = await publint({
      pack: { tarball: tarball.buffer as ArrayBuffer },
      strict: true,
    })
    expect(messages).toEqual([])
  })

  it('has types that resolve for ES modules and bundlers', async () => {
    const { problems = [] } = (await checkPackage(createPackageFromTarballData(tarball))) as {
      problems?: { kind: string; resolutionKind?: string; resolutionOption?: string }[]
    }
    // The package is ES modules only: CommonJS and the resolution from before `exports` are not for it.
    const meant = problems.filter(
      ({ resolutionKind = '', resolutionOption = '' }) =>
        !['node10', 'node16-cjs'].includes(resolutionKind) && resolutionOption !== 'node10',
    )
    expect(meant).toEqual([])
  })

  it('contains the program, its console and types, and neither sources, tests nor maps (issue: a package that installs)', () => {
    const paths = packed.files.map(({ path }) => path)
    expect(
      paths.filter(path => /^(src|test)\/(?!testing\/python\/)|\.map$|^dist\/.*(?<!\.d)\.ts$/.test(path)),
    ).toEqual([])
    for (const made of [
      'main.js',
      'index.js',
      'index.d.ts',
      'vitest.js',
      'playwright.js',
      'console/index.html',
    ])
      expect(paths).toContain(`dist/${made}`)
    expect(paths).toContain('dist/THIRD-PARTY.txt')
    expect(paths).toContain('LICENSE')
  })

  it('has the size that the page of figures gives', () => {
    const [, told] =
      /takes (\d\.\d) MB packed/.exec(readFileSync(join(root, 'fixtures/docs/figures.md'), 'utf8')) ?? []
    expect(Number(told)).toBeCloseTo(packed.size / 1e6, 0)
    expect(packed.size).toBeLessThan(6e6)
  })

  it('lists as a dependency each package that its files import', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const known = Object.keys({ ...dependencies, ...peerDependencies })
    const imported = packed.files
      .filter(({ path }) => /^dist\/[^/]*\.js$/.test(path))
      .flatMap(({ path }) => [
        ...readFileSync(join(folder, 'node_modules/generation-gateway-emulator', path), 'utf8').matchAll(
          /(?:\bfrom|\bimport|\bimport\()"((?!node:)[@a-z][\w@/.-]*)"/g,
        ),
      ])
      .map(([, name = '']) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
    const missing = [...new Set(imported)].filter(name => !known.includes(name))
    expect(imported.length).toBeGreaterThan(5)
    expect(missing).toEqual([])
  })
})

describe('in an empty project', () => {
  it('`npx --no-install gateway-emulator` prints its version', async () => {
    const { code, stdout, stderr } = await npm(folder, 'exec', '--no', '--', 'gateway-emulator', '--version')
    expect(code, stderr).toBe(0)
    expect(stdout.trim()).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version)
  })

  it.each([
    ['import', 'mjs', "const emulator = await import('generation-gateway-emulator')"],
    ['require', 'cjs', "const emulator = require('generation-gateway-emulator')"],
  ])(
    '`%s` gives a function that starts an emulator (issue: a package that installs)',
    async (word, extension, line) => {
      const program = `${line}
      emulator.startEmulator().then(async running => {
        const { status } = await running.health()
        await running.close()
        console.log(Object.keys(emulator).sort().join(), status)
      })`
      const file = join(folder, `${word}.${extension}`)
      writeFileSync(file, program)
      const { code, stdout, stderr } = await run('node', [file], { cwd: folder })
      expect(code, stderr).toBe(0)
      expect(stdout.trim()).toMatch(/connectEmulator,createEmulator,.*startEmulator.* ok$/)
      expect(stderr).toBe('')
    },
  )

  it('the executable serves a video and its console', async () => {
    const bin = join(folder, 'node_modules/.bin/gateway-emulator')
    const served = await serve(bin, ['--port', '0', '--clock', 'auto', '--log', 'json'])
    try {
      const tour = await run(bin, ['tour', '--base-url', served.url])
      expect(tour.code, tour.stderr).toBe(0)
      expect(tour.stdout).toContain('All replies were as expected.')
      expect((await fetch(`${served.url}/__emulator/health`)).status).toBe(200)
    } finally {
      await served.stop()
    }
  })

  it('the entry points have valid types under strict settings, without skipLibCheck', async () => {
    writeFileSync(join(folder, 'typed.ts'), typed)
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      target: 'es2022',
      module: 'nodenext',
      types: ['node'],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    // On one thread it checks all files once, and it ends before it must collect garbage more than a few times.
    const env = { ...process.env, GOGC: '400' }
    const { code, stdout } = await run('node', [tsc, '--singleThreaded', '-p', folder], { env })
    // Dependencies of other packages are declared by those.
    const ours = stdout.split('\n').filter(line => /typed\.ts|generation-gateway-emulator/.test(line))
    expect(ours, `exit ${code}`).toEqual([])
  })

  it('code starts an emulator, mounts it in Express, and finds the kit for vitest', async () => {
    writeFileSync(join(folder, 'world.test.js'), worldTest)
    writeFileSync(join(folder, 'vitest.config.js'), 'export default {}')
    const { code, stdout, stderr } = await run(
      'node',
      [join(folder, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, '--reporter', 'verbose'],
      { cwd: folder, env: { PATH: process.env.PATH, NO_COLOR: '1' } },
    )
    const told = stdout + stderr
    expect(code, told).toBe(1)
    expect(told).toContain('1 failed | 2 passed')
    // The story of the failed test's task is printed, and of no other.
    expect(told).toMatch(/Tasks of world [\w-]+:\s+cgt-\S+\n[^\n]+a\.create -> 200/)
    expect(told.match(/Tasks of world/g)).toHaveLength(1)
  })

  it('the kit for Playwright prints and attaches the stories of a test that fails, and accepts options', async () => {
    writeFileSync(join(folder, 'worlds.spec.js'), playwrightTest)
    writeFileSync(join(folder, 'playwright.config.js'), "export default { testMatch: '*.spec.js' }")
    const cli = join(folder, 'node_modules/@playwright/test/cli.js')
    const { stdout, stderr } = await run('node', [cli, 'test', '--reporter', 'list'], {
      cwd: folder,
      env: { PATH: process.env.PATH, NO_COLOR: '1', HOME: folder },
    })
    const told = stdout + stderr
    expect(told).toContain('1 passed')
    expect(told).toContain('1 failed')
    // Playwright shortens attachments in its output; the printed story is complete.
    expect(stderr.match(/\bnext {2,}running in/g), told).toHaveLength(1)
    expect(told).toMatch(/attachment[^\n]*story of cgt-/)
  })
})

const typed = `
import { createEmulator, connectEmulator, startEmulator, type TaskView } from 'generation-gateway-emulator'
import { expect, test } from 'generation-gateway-emulator/vitest'
import { test as pageTest } from 'generation-gateway-emulator/playwright'
import { createServer } from 'node:http'

test('a world', async ({ world, emulator }) => {
  const { ok, found } = await world.requests.verify({ match: { operation: 'a.create' }, count: { exactly: 1 } })
  const tasks: TaskView[] = await world.tasks.list()
  expect([ok, found, tasks.length, emulator.url]).toBeTruthy()
  // @ts-expect-error: there is no such function
  world.clock.rewind('1s')
})
pageTest('a page', async ({ world, page }) => {
  await world.clock.attach(page)
  const { now_ms } = await world.clock.advance('30s')
  await page.goto(world.baseUrl + now_ms)
})
createServer(createEmulator({ clock: 'auto' }))
// @ts-expect-error: no such mode
void startEmulator({ clock: 'backwards' }).then(emulator => connectEmulator(emulator.url))
`

const worldTest = `
import { createServer } from 'node:http'
import { createEmulator } from 'generation-gateway-emulator'
import { expect, test } from 'generation-gateway-emulator/vitest'

const create = world =>
  fetch(world.baseUrl + '/api/v3/contents/generations/tasks', {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + world.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'model_a_20', content: [{ type: 'text', text: 'a cat' }] }),
  })

test('passes', async ({ world }) => {
  expect((await create(world)).status).toBe(200)
  expect(await world.tasks.list()).toHaveLength(1)
})
test('fails', async ({ world }) => {
  const { id } = await (await create(world)).json()
  expect(id).toBe('something else')
})
test('an app without a socket of its own', async () => {
  const server = createServer(createEmulator())
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const { status } = await fetch('http://127.0.0.1:' + server.address().port + '/__emulator/health')
  server.close()
  expect(status).toBe(200)
})
`

const playwrightTest = `
import { expect, test } from 'generation-gateway-emulator/playwright'

test.use({ emulatorOptions: { clock: 'manual', seed: 3 } })
test('passes', async ({ world }) => {
  await world.tasks.create({ family: 'a', kind: 'a' })
  expect((await world.clock.get()).mode).toBe('manual')
})
test('fails', async ({ world }) => {
  const { id } = await world.tasks.create({ family: 'a', kind: 'a' })
  expect(id).toBe('something else')
})
`
