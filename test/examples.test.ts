import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { optionRows } from '../src/emulator/options/table.ts'
import { explore } from '../src/explore/play/explore.ts'
import { exploreSettings } from '../src/explore/play/options.ts'
import { commandSubject } from '../src/explore/run/run-command.ts'
import { type RunningEmulator, startEmulator, type WorldClient } from '../src/index.ts'
import { startBrowser } from './support/browser-launch.ts'
import { ownFolder } from './support/folders.ts'
import { root } from './support/fresh-build.ts'
import { serverOfTest } from './support/input-server.ts'
import { findPython } from './support/python.ts'
import { type Ended, run } from './support/run.ts'
import { vitestConfig } from './support/vitest-config.ts'

const examples = join(root, 'docs/examples')
const folder = ownFolder('gateway-examples')
let emulator: RunningEmulator
let world: WorldClient

beforeAll(async () => {
  emulator = await startEmulator({ clock: 'auto', seed: 7 })
})
beforeEach(async () => {
  world = await emulator.openWorld()
})
afterAll(() => emulator.close())

/** Runs an example as its reader would, against a world of its own. */
function example(program: string, file: string, ...args: string[]): Promise<Ended> {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GATEWAY_URL: world.baseUrl,
    GATEWAY_KEY: world.apiKey,
    POLL_MS: '5',
    OUT: join(folder, 'out.mp4'),
  }
  return run(program, [join(examples, file), ...args], { cwd: folder, env })
}

function isVideo(name: string): boolean {
  return readFileSync(join(folder, name)).toString('latin1', 4, 8) === 'ftyp'
}

describe.each([
  ['node', 'node', 'node-client.mjs'],
  ['python3', await findPython(), 'python_client.py'],
])('the client in %s', (_, program, file) => {
  it('creates, sees every state, and saves a video without sending its key to the link', async () => {
    const { code, stdout, stderr } = await example(program, file)
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^created cgt-\S+\nqueued\nrunning\nsucceeded\nsaved result.mp4\n$/)
    expect(isVideo('result.mp4')).toBe(true)
    expect(await world.findings()).toEqual([])
  })

  it('ends with the reason when the task fails', async () => {
    const { code, stderr } = await example(program, file, '[[fail:InternalServiceError]] a cat')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/failed: \w+/)])
  })

  it('ends with the reason when a request is refused', async () => {
    const { code, stderr } = await example(program, file, '[[refuse:moderated]] a cat')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/403 \w+: \w+/)])
  })

  it('recovers from transient failures, and reports the others in its own words (docs/explore.md, "What it says")', async () => {
    const chosen = [
      'a.create request_lost',
      'a.get#1 unavailable',
      'a.get#1 reply_cut',
      'media.download file_*',
    ]
    const subject = commandSubject({
      // It writes its result into the folder in which it runs.
      program: 'sh',
      args: ['-c', 'cd "$0" && exec "$@"', folder, program, join(examples, file)],
      env: [
        { name: 'GATEWAY_URL', template: '{url}' },
        { name: 'GATEWAY_KEY', template: '{key}' },
      ],
      inherited: { PATH: process.env.PATH, HOME: folder, POLL_MS: '5' },
    })
    // The same moment for both clients, so that their file is rendered once.
    const settings = exploreSettings({ only: chosen, skip: ['*file_stalled'] }, '2026-01-01T00:00:00Z')
    const { cases, problems } = await explore({ emulator, subject, settings })
    expect(problems).toEqual([])
    expect(cases.map(({ id, verdict }) => `${id}: ${verdict}`)).toEqual([
      'request_lost: told',
      'unavailable: recovered',
      'reply_cut: recovered',
      'file_truncated: recovered',
      'file_empty: told',
      'file_corrupt: told',
      'file_wrong_type: told',
    ])
  })
})

it('the transcript shows create, query, download, refusal and charges', async () => {
  await world.clock.set({ mode: 'manual' })
  const { code, stdout, stderr } = await example('sh', 'transcript.sh')
  expect(code, stderr).toBe(0)
  for (const told of ['"PENDING"', '"to":"SUCCEEDED"', '"task_status":"SUCCEEDED"', '"code":', '"settled"'])
    expect(stdout).toContain(told)
  expect(isVideo('out.mp4')).toBe(true)
})

it('the tests for Node’s runner and supertest pass', async () => {
  const files = ['node-test.test.mjs', 'supertest.test.mjs'].map(file => join(examples, file))
  const { code, stdout } = await run('node', ['--test', ...files], {
    cwd: folder,
    env: { PATH: process.env.PATH },
  })
  expect(code, stdout).toBe(0)
  expect(stdout).toMatch(/# pass 3\n# fail 0/)
})

it('the test for vitest passes', async () => {
  const config = join(folder, 'vitest.config.mjs')
  const settings = {
    cacheDir: join(folder, 'vite'),
    test: { include: ['vitest.test.ts'], testTimeout: 60_000 },
  }
  writeFileSync(config, vitestConfig(settings))
  const { code, stdout, stderr } = await run(
    'node',
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', examples, '--config', config],
    { cwd: examples, env: { PATH: process.env.PATH, NO_COLOR: '1' } },
  )
  expect(code, stdout + stderr).toBe(0)
  expect(stdout).toContain('Tests  1 passed')
})

it('the page shows a spinner and then the video in a browser whose clock is the world’s', async () => {
  // Replaces the reader's own application.
  const site = await serverOfTest((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(readFileSync(join(examples, 'front-end.html')))
  })
  const browser = await startBrowser()
  const program = [join(root, 'node_modules/@playwright/test/cli.js'), 'test']
  const env = {
    ...process.env,
    NO_COLOR: '1',
    PLAYWRIGHT_OUTPUT: join(folder, 'browser'),
    PLAYWRIGHT_BASE_URL: site,
    PLAYWRIGHT_BROWSER: browser.wsEndpoint(),
  }
  const args = [...program, '--config', 'test/support/playwright.config.ts']
  const { code, stdout, stderr } = await run('node', args, { cwd: root, env })
  await browser.close()
  expect(code, stdout + stderr).toBe(0)
  expect(stdout).toContain('2 passed')
}, 180_000)

describe('examples that cannot run here are checked without running', () => {
  const text = (file: string) => readFileSync(join(examples, file), 'utf8')

  it('Testcontainers: the code parses and uses the class of the package, which test/testcontainers.test.ts tries', async () => {
    const { code, stderr } = await run('node', ['--check', join(examples, 'testcontainers.test.mjs')])
    expect(code, stderr).toBe(0)
    expect(text('testcontainers.test.mjs')).toContain("'generation-gateway-emulator/testcontainers'")
  })

  it('compose.yaml: the application waits for a healthy emulator and reaches it by its name', () => {
    const { services, volumes } = parse(text('compose.yaml'))
    expect(Object.keys(services)).toEqual(['gateway', 'app'])
    expect(services.app.depends_on.gateway.condition).toBe('service_healthy')
    expect(services.app.environment.GATEWAY_URL).toBe(
      services.gateway.environment.GATEWAY_EMULATOR_PUBLIC_URL,
    )
    const { context, dockerfile } = services.gateway.build
    expect(context).toMatch(/:-\.\/node_modules\/generation-gateway-emulator\}$/)
    expect(statSync(join(root, dockerfile)).isFile()).toBe(true)
    expect(Object.keys(volumes)).toEqual(['worlds'])
    const [, path] = services.app.command
    expect(statSync(join(examples, path.replace('/app/', ''))).isFile()).toBe(true)
    const known = optionRows.map(({ environment }) => environment)
    expect(settingsIn(text('compose.yaml')).filter(name => !known.includes(name))).toEqual([])
  })

  it('GitHub Actions: the steps use the action of the package, with inputs and flags that exist', () => {
    const { jobs } = parse(text('github-actions.yaml'))
    const { inputs } = parse(readFileSync(join(root, 'action.yml'), 'utf8'))
    const uses = jobs.test.steps.filter(
      ({ uses = '' }: { uses?: string }) => uses === './node_modules/generation-gateway-emulator',
    )
    expect(uses.map((step: { with: { step?: string } }) => step.with.step ?? 'start')).toEqual([
      'start',
      'finish',
    ])
    for (const step of uses)
      expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)))
    const flags = [...uses[0].with.options.matchAll(/--([a-z-]+)/g)].map(([, flag]: string[]) => flag)
    expect(optionRows.map(({ flag }) => flag)).toEqual(expect.arrayContaining(flags))
    expect(flags.length).toBeGreaterThan(0)
  })

  it('every example is short enough to paste', () => {
    const long = readdirSync(examples).filter(
      file => /\.\w+$/.test(file) && text(file).split('\n').length > 80,
    )
    expect(long).toEqual([])
  })
})

function settingsIn(content: string): string[] {
  return [...content.matchAll(/GATEWAY_EMULATOR_([A-Z_]+)/g)].map(([, name = '']) => name)
}
