import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { readOptions } from '../src/emulator/options/config.ts'
import { standardOptions } from '../src/emulator/options/table.ts'
import { ownFolder } from './support/folders.ts'
import { root } from './support/fresh-build.ts'
import { findPytest } from './support/python.ts'
import { type Ended, run } from './support/run.ts'
import { askedIn, forGo, forJava, forPython } from './support/stand-ins-for-containers.ts'
import { startForTest } from './support/start-for-test.ts'

const folder = ownFolder('recipes')
const emulator = await startForTest({})
const { hostname, port } = new URL(emulator.url)
/** For a step in a folder. Other plugins of pytest would only be loaded. */
const environment = (own: string) => ({
  ...process.env,
  HOST_OF_IT: hostname,
  PORT_OF_IT: port,
  PYTHONPATH: own,
  PYTHONDONTWRITEBYTECODE: '1',
  PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
})

const canRun = async (program: string, argument: string) =>
  (await run(program, [argument]).catch(() => ({ code: 1 }))).code === 0 ? program : undefined
const python = await findPytest()

interface Recipe {
  example: string
  /** What runs it; undefined where the machine has none. */
  program: string | undefined
  tool: string
  standIns: Readonly<Record<string, string>>
  /** The steps, each to be ended with 0; the last one runs the test. */
  steps(program: string): [program: string, args: string[]][]
}

const recipes: readonly Recipe[] = [
  {
    example: 'GatewayTest.java',
    tool: 'javac',
    program: await canRun('javac', '-version'),
    standIns: forJava,
    steps: javac => [
      [javac, ['-Werror', '-Xlint:all', '-d', 'out', 'RunIt.java', 'GatewayTest.java']],
      ['java', ['-cp', 'out', 'RunIt']],
    ],
  },
  {
    example: 'gateway_test.go',
    tool: 'go',
    program: await canRun('go', 'version'),
    standIns: forGo,
    steps: go => [
      [go, ['vet', '.']],
      [go, ['test', '-v', '.']],
    ],
  },
  {
    example: 'testcontainers_test.py',
    tool: 'Python with pytest',
    program: python,
    standIns: forPython,
    steps: one => [[one, ['-m', 'pytest', '-q', '-s', '-p', 'no:cacheprovider', 'testcontainers_test.py']]],
  },
]

it.each(
  recipes.map(
    recipe =>
      [
        recipe.example,
        recipe.program === undefined ? ` (not tried: no ${recipe.tool} was found)` : '',
        recipe,
      ] as const,
  ),
)(
  'docs/examples/%s compiles and passes, with an emulator in the place of its container%s',
  async (example, _, { program, standIns, steps }) => {
    if (program === undefined) return
    const own = join(folder, example)
    for (const [path, text] of Object.entries(standIns)) {
      mkdirSync(dirname(join(own, path)), { recursive: true })
      writeFileSync(join(own, path), text)
    }
    copyFileSync(join(root, 'docs/examples', example), join(own, example))
    let last: Ended | undefined
    for (const [step, args] of steps(program)) {
      last = await run(step, args, {
        cwd: own,
        env: environment(own),
      })
      expect(last.code, last.stdout + last.stderr).toBe(0)
    }
    const asked = askedIn(last?.stdout ?? '')
    expect(asked).toMatchObject({ image: 'generation-gateway-emulator', port: standardOptions.port })
    expect(readOptions(asked.command, {}, {}).options).toMatchObject({ clock: { mode: 'auto' }, seed: 7 })
    if (asked.ready.startsWith('/')) expect((await fetch(emulator.url + asked.ready)).status).toBe(200)
    else expect(asked.ready).toBe('"event":"ready"')
  },
)
