import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { beforeAll, describe, expect, it } from 'vitest'
import { freePort } from './support/free-port.ts'
import { root } from './support/fresh-build.ts'
import { blocksOf, fileNameOf, guideFiles } from './support/guide-files.ts'
import { type Ended, run, serve } from './support/run.ts'
import { newStranger, paste, pasteAndLeave, plainEnvironment, readmeBlocks } from './support/stranger.ts'

const stranger = newStranger()
const { clone, project: folder } = stranger
const [start = '', tourSays = '', curl = ''] = readmeBlocks('See it')
const [exploreLine = '', exploreSays = ''] = readmeBlocks('Find what a client does badly')
const [inProject = '', firstTest = ''] = readmeBlocks('In your project')

let packed: { size: number; paths: string[] }
let tarball: Buffer

/** npm in the project, as a user runs it. */
function npm(...args: string[]): Promise<Ended> {
  return run('npm', args, { cwd: folder, env: plainEnvironment() })
}

/** A program of a package in the project, as a user runs it. */
function ofPackage(program: string, ...args: string[]): Promise<Ended> {
  const env = { PATH: process.env.PATH, NO_COLOR: '1', HOME: folder }
  return run('node', [join(folder, 'node_modules', program), ...args], { cwd: folder, env })
}
const vitest = (...args: string[]) => ofPackage('vitest/vitest.mjs', 'run', '--root', folder, ...args)

/** The README in its order: what is told of a clone in a new clone, then what is told of a project in an empty folder. */
describe('a stranger who pastes the README', () => {
  it('sees the tour, which says what the README says and saves an MP4', async () => {
    const [first = '', second = '', third = ''] = start
      .trimEnd()
      .split('\n')
      .map(line => line.replace(/ +#.*$/, ''))
    expect([second, third]).toEqual(['npm start', 'npm test'])
    // `npm ci` came before all tests.
    expect(first).toMatch(/^npm ci && /)
    const { code, stdout, stderr } = await paste(first.replace('npm ci && ', ''), clone)
    expect(code, stderr).toBe(0)
    const shape = (told: string) =>
      told.replace(/cgt-[\w…-]+|[\da-f]{16}(?=…)|\d[\d.]*/g, '#').replace(/Save +.*/, 'Save')
    expect(shape(stdout)).toContain(shape(tourSays))
    const [, file = ''] = /5\. Save +(.+\.mp4)$/m.exec(stdout) ?? []
    expect(readFileSync(file).toString('latin1', 4, 8)).toBe('ftyp')
  })

  it('starts it, and the same with curl ends in an MP4', async () => {
    const port = String(await freePort())
    const started = pasteAndLeave('npm start', clone, { GATEWAY_EMULATOR_PORT: port })
    try {
      const url = `http://127.0.0.1:${port}`
      await expect
        .poll(() =>
          fetch(`${url}/__emulator/health`).then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(200)
      const { code, stdout, stderr } = await paste(curl.replaceAll('http://127.0.0.1:8585', url), folder)
      expect(code, stderr).toBe(0)
      expect(stdout).toContain('"to":"succeeded"')
      expect(readFileSync(join(folder, 'lighthouse.mp4')).toString('latin1', 4, 8)).toBe('ftyp')
      expect((await fetch(`${url}/__emulator/demo`)).status).toBe(200)
    } finally {
      const said = await started.end()
      for (const promised of ['sk-emulator', 'curl -s http', `127.0.0.1:${port}/__emulator/`])
        expect(said).toContain(promised)
    }
  })

  it('finds the weakness of the plain client in the words of the README', async () => {
    const { code, stdout, stderr } = await paste(exploreLine, clone)
    expect(code, stderr).toBe(1)
    for (const line of exploreSays.split('\n').filter(Boolean)) expect(stdout).toContain(line)
  })

  it('packs the clone, installs the package in an empty folder, and sees the tour there', async () => {
    writeFileSync(join(folder, 'package.json'), '{"name":"somebody","private":true,"type":"module"}')
    const { code, stdout, stderr } = await paste(inProject, folder)
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/5\. Save +.*lighthouse\.mp4/)
    // npm warns about scripts that run at an installation: none of them is ours.
    expect(stderr).not.toMatch(/generation-gateway-emulator@.*(prepare|install)/)
    expect(readFileSync(join(root, 'docs/add-to-your-project.md'), 'utf8')).toContain(inProject)
  }, 300_000)
})

describe('the tarball', () => {
  beforeAll(() => {
    const [name = ''] = readdirSync(folder).filter(file => file.endsWith('.tgz'))
    const path = join(folder, name)
    tarball = readFileSync(path)
    const listed = execFileSync('tar', ['-tzf', path], { encoding: 'utf8' }).trim().split('\n')
    packed = { size: statSync(path).size, paths: listed.map(entry => entry.replace(/^package\//, '')) }
  })

  it('passes publint', async () => {
    const { messages } = await publint({
      pack: { tarball: tarball.buffer as ArrayBuffer },
      strict: true,
    })
    expect(messages).toEqual([])
  })

  it('has types that resolve for ES modules and bundlers, and the main entry point for `require` too', async () => {
    const { problems = [] } = (await checkPackage(createPackageFromTarballData(tarball))) as {
      problems?: { kind: string; entrypoint?: string; resolutionKind?: string; resolutionOption?: string }[]
    }
    // The kits are ES modules only: CommonJS and the resolution from before `exports` are not for them.
    const meant = problems.filter(
      ({ entrypoint, resolutionKind = '', resolutionOption = '' }) =>
        entrypoint === '.' ||
        (!['node10', 'node16-cjs'].includes(resolutionKind) && resolutionOption !== 'node10'),
    )
    expect(meant).toEqual([])
  })

  it('contains the program, its console and types, and neither sources, tests nor maps', () => {
    const { paths } = packed
    expect(paths.filter(path => /^(src|test)\/|\.map$|^dist\/.*(?<!\.d)\.ts$/.test(path))).toEqual([])
    for (const made of [
      'main.js',
      'index.js',
      'index.d.ts',
      'index.cjs',
      'index.d.cts',
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
      /takes (\d\.\d) MB packed/.exec(readFileSync(join(root, 'docs/figures.md'), 'utf8')) ?? []
    expect(Math.abs(Number(told) - packed.size / 1e6)).toBeLessThan(0.1)
    expect(packed.size).toBeLessThan(6.35e6)
  })

  it.each([
    ['index.d.ts', undefined],
    ['index.d.cts', undefined],
    ['virtual-time.d.ts', undefined],
    ['vitest.d.ts', 'vitest'],
    ['playwright.d.ts', '@playwright/test'],
    ['testcontainers.d.ts', 'testcontainers'],
  ])('the types of %s need no package but Node’s types and %s', (entry, own) => {
    expect([...packagesIn(entry)].filter(name => name !== own && !name.startsWith('node:'))).toEqual([])
    if (own) expect(packagesIn(entry)).toContain(own)
  })

  it('lists as a dependency each package that its files import', () => {
    const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    )
    const known = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    const imported = packed.paths
      .filter(path => /^dist\/[^/]*\.js$/.test(path))
      .flatMap(path => [
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

describe('in the project', () => {
  // Packages that a user of the kits already has; only linked, to save time.
  beforeAll(() => {
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
    for (const peer of ['vitest', '@playwright', '@types/node'])
      symlinkSync(join(root, 'node_modules', peer), join(folder, 'node_modules', peer), 'dir')
  })

  it('`npx --no-install gateway-emulator` prints its version', async () => {
    const { code, stdout, stderr } = await npm('exec', '--no', '--', 'gateway-emulator', '--version')
    expect(code, stderr).toBe(0)
    expect(stdout.trim()).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version)
  })

  it.each([
    ['import', 'mjs', "const emulator = await import('generation-gateway-emulator')"],
    ['require', 'cjs', "const emulator = require('generation-gateway-emulator')"],
  ])('`%s` gives a function that starts an emulator', async (word, extension, line) => {
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
  })

  it('`require` works in a runner that hands out a `node:module` of its own, as Jest does', async () => {
    writeFileSync(join(folder, 'runner.cjs'), runnerLikeJest)
    const { code, stdout, stderr } = await run('node', ['runner.cjs'], { cwd: folder })
    expect(code, stderr).toBe(0)
    expect(stdout.trim()).toBe('function')
  })

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

  it('the main entry point and the kits for vitest and Playwright have valid types under strict settings, without skipLibCheck', async () => {
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
    const { code, stdout, stderr } = await vitest('--reporter', 'verbose')
    const told = stdout + stderr
    expect(code, told).toBe(1)
    expect(told).toContain('1 failed | 2 passed')
    // The story of the failed test's task is printed, and of no other.
    expect(told).toMatch(/Tasks of world [\w-]+:\s+cgt-\S+\n[^\n]+a\.create -> 200/)
    expect(told.match(/Tasks of world/g)).toHaveLength(1)
  })

  it('the first test of the README passes with the function of the guide', async () => {
    const guide = guideFiles.find(({ path }) => path === 'docs/integration-tests.md')
    const makeVideo = guide && blocksOf(guide).find(block => fileNameOf(block) === 'make-video.mjs')
    writeFileSync(join(folder, 'make-video.mjs'), makeVideo?.text ?? '')
    writeFileSync(join(folder, 'first.test.mjs'), firstTest)
    const { code, stdout, stderr } = await vitest('first.test.mjs')
    expect(code, stdout + stderr).toBe(0)
    expect(stdout).toContain('Tests  1 passed')
  })

  it('the kit for Playwright prints and attaches the stories of a test that fails, and accepts options', async () => {
    writeFileSync(join(folder, 'worlds.spec.js'), playwrightTest)
    writeFileSync(join(folder, 'playwright.config.js'), "export default { testMatch: '*.spec.js' }")
    const { stdout, stderr } = await ofPackage('@playwright/test/cli.js', 'test', '--reporter', 'list')
    const told = stdout + stderr
    expect(told).toContain('1 passed')
    expect(told).toContain('1 failed')
    // Playwright shortens attachments in its output; the printed story is complete.
    expect(stderr.match(/\bnext {2,}becomes running in/g), told).toHaveLength(1)
    expect(told).toMatch(/attachment[^\n]*story of cgt-/)
  })
})

/** The packages that the declarations of an entry name, those of its chunks included. */
function packagesIn(file: string, seen = new Set<string>()): Set<string> {
  const text = readFileSync(join(folder, 'node_modules/generation-gateway-emulator/dist', file), 'utf8')
  for (const [, name = ''] of text.matchAll(
    /(?:\bfrom|\bimport|\bimport\(|<reference types=)\s*['"]([^'"]+)['"]/g,
  )) {
    const isNew = !seen.has(name)
    seen.add(name)
    if (isNew && name.startsWith('./')) packagesIn(name.slice(2).replace(/\.(c?)js$/, '.d.$1ts'), seen)
  }
  return new Set([...seen].filter(name => !name.startsWith('.')))
}

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

/** The parts of jest-runtime 30.5 that a required file meets: neither `require` nor its `createRequire` loads ES modules. */
const runnerLikeJest = `
const NodeModule = require('node:module')
const { readFileSync } = require('node:fs')
const ownRequire = id => {
  if (id === 'node:module') return Module
  throw new Error('Must use import to load ES Module: ' + id)
}
class Module extends NodeModule {}
Object.assign(Module, NodeModule, { createRequire: () => ownRequire })
process.getBuiltinModule = ownRequire
const file = require.resolve('generation-gateway-emulator')
const module_ = { exports: {} }
new Function('require', 'module', 'exports', '__filename', readFileSync(file, 'utf8'))(ownRequire, module_, module_.exports, file)
console.log(typeof module_.exports.startEmulator)
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
