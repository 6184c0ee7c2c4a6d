import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { recordRules, recordSchemas } from '../../src/emulator/control/state/record-fault.ts'
import { families, outputsOf } from '../../src/emulator/families/index.ts'
import { firstFileVersion } from '../../src/emulator/worlds/data/world-data.ts'
import { migrations, openDirectory } from '../../src/emulator/worlds/database.ts'
import type { WorldValues } from '../../src/emulator/worlds/world.ts'

const folder = fileURLToPath(new URL('../../test/data', import.meta.url))

/** A data directory as a version of stored data was written, and what the code said of it then. */
export interface Fixture {
  version: number
  dir: string
  /** The data directory. */
  data: string
  /** The schemas of its records. */
  shapes: string
  /** The recipes of the files of its tasks. */
  recipes: string
}

/** The fixture of a version of stored data. */
export function fixtureOf(version: number): Fixture {
  const dir = join(folder, `version-${version}`)
  const shapes = join(dir, 'shapes.json')
  return { version, dir, data: join(dir, 'data'), shapes, recipes: join(dir, 'recipes.json') }
}

/** The fixture of the version that this code writes. */
export const newestFixture: Fixture = fixtureOf(firstFileVersion + migrations.length)

/** Every version that can be read. */
export const readableVersions: readonly number[] = Array.from(
  { length: migrations.length + 1 },
  (_, index) => firstFileVersion + index,
)

/** The version of the program that wrote a fixture; undefined when there is none. */
export function writerOf({ data }: Fixture): string | undefined {
  if (!existsSync(data)) return undefined
  const name = readdirSync(data).find(file => file.endsWith('.ndjson')) ?? ''
  const [header = '{}'] = readFileSync(join(data, name), 'utf8').split('\n')
  return JSON.parse(header).program
}

/** The schema of each kind of record, and of each kind of task's job. */
export function storedShapes(): Record<string, unknown> {
  const jobs = families.flatMap(({ jobs }) => Object.entries(jobs))
  return { ...recordSchemas, ...Object.fromEntries(jobs.map(([kind, schema]) => [`job ${kind}`, schema])) }
}

/** A copy of a directory, which may be changed. */
export function copyOf(dir: string): { copy: string; remove(): void } {
  const copy = mkdtempSync(join(tmpdir(), 'stored-data-'))
  cpSync(dir, copy, { recursive: true })
  return { copy, remove: () => rmSync(copy, { recursive: true, force: true }) }
}

/** The recipes of all files of all tasks in a data directory, by world, task and name. */
export async function recipesIn(dir: string): Promise<Record<string, unknown>> {
  const { copy, remove } = copyOf(dir)
  try {
    const database = await openDirectory<WorldValues>({ dir: copy, rules: recordRules(() => true) })
    await database.close()
    const named = [...database.data.worlds].flatMap(([world, { tasks }]) =>
      [...tasks.values()].flatMap(task =>
        Object.entries(outputsOf(task)).map(([name, recipe]) => [`${world} ${task.id} ${name}`, recipe]),
      ),
    )
    return Object.fromEntries(named)
  } finally {
    remove()
  }
}

/** JSON with one line for each entry, so that a difference shows which. */
export function linesOf(entries: Record<string, unknown>): string {
  const lines = Object.entries(entries).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  )
  return `{\n${lines.join(',\n')}\n}\n`
}
