import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The root of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Builds the package unless `dist` is newer than all its sources. Test files that call this at once wait for each other. */
export async function freshBuild(): Promise<void> {
  await build()
}

/** Builds the program, without types and console, unless it is newer than its sources. */
export async function freshProgram(): Promise<void> {
  await build('code')
}

/** Builds the declarations unless they are newer than their sources. */
export async function freshTypes(): Promise<void> {
  await build('types')
}

/** Builds the console unless it is newer than its sources. */
export async function freshConsole(): Promise<void> {
  await build('console')
}

/** By their names: the files of tests that a process runs look at the sources once. */
const built = new Map<string, Promise<unknown>>()

async function build(...parts: string[]): Promise<void> {
  const name = parts.join()
  const building = built.get(name) ?? built.get('') ?? started(parts)
  built.set(name, building)
  await building
}

function started(parts: readonly string[]): Promise<unknown> {
  const script = join(root, 'build-if-stale.mjs')
  return promisify(execFile)(process.execPath, [script, ...parts], { cwd: root })
}
