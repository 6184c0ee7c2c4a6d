// Writes the data directory of this version of stored data, with its shapes and recipes, for test/stored-data.test.ts:
// `npm run data-fixture`. CONTRIBUTING, "Stored data", says when.
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageVersion } from '../../src/emulator/package/files.ts'
import { publicUrl, senderTo } from '../../test/support/data-gateway.ts'
import { openingTime } from '../../test/support/gateway.ts'
import { startServer } from '../bench/child.ts'
import { fileScenario, liveAt } from './lived-data.ts'
import { linesOf, newestFixture, recipesIn, storedShapes, writerOf } from './stored-data.ts'

const writer = writerOf(newestFixture)
if (writer !== undefined && writer !== packageVersion())
  throw new Error(
    `Version ${writer} wrote the fixture of version ${newestFixture.version}, and may be released: add a migration to src/emulator/worlds/data/world-data.ts, then write the fixture of the next version.`,
  )

/** The emulator's lock, and files that are rendered again. */
const isLeftOut = (path: string) => /[/\\](lock|rendered[/\\].*)$/.test(path)

const folder = await mkdtemp(join(tmpdir(), 'lived-'))
try {
  const dir = join(folder, 'data')
  await live(dir)
  await rm(newestFixture.dir, { recursive: true, force: true })
  await mkdir(newestFixture.dir, { recursive: true })
  await cp(dir, newestFixture.data, { recursive: true, filter: path => !isLeftOut(path) })
  await writeFile(newestFixture.shapes, linesOf(storedShapes()))
  await writeFile(newestFixture.recipes, linesOf(await recipesIn(newestFixture.data)))
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** The compiled program does it, as at a user's. */
async function live(dir: string): Promise<void> {
  const scenario = join(folder, 'scenario.json')
  await writeFile(scenario, JSON.stringify(fileScenario))
  const options = {
    ...{ port: '0', log: 'json', data: dir, clock: 'manual', now: openingTime, seed: '7' },
    ...{ 'public-url': publicUrl, scenario },
  }
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const server = await startServer('emulator', ['dist/main.js', ...flags])
  const { send, end } = senderTo(server.url)
  try {
    await liveAt(server.url, send)
  } finally {
    end()
    await server.stop()
  }
}
