import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

const lock = join(root, 'node_modules', '.building')
const longestBuildMs = 60_000

/** Builds the package unless `dist` is newer than all it is made of. Test files that ask at once wait for each other. */
export async function freshBuild(): Promise<void> {
  await alone(() => {
    if (newestIn('src') > builtAt('playwright.d.ts')) run('build')
  })
}

/** Builds the console unless it is newer than its sources. */
export async function freshConsole(): Promise<void> {
  await alone(() => {
    if (newestIn('src/console') > builtAt('console/index.html')) run('build:console')
  })
}

async function alone(build: () => void): Promise<void> {
  while (!locked()) await pause(100)
  try {
    build()
  } finally {
    rmdirSync(lock)
  }
}

function run(script: string): void {
  execFileSync('npm', ['run', script], { cwd: root, stdio: 'pipe' })
}

function locked(): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    // Left behind by a run that was ended.
    if (Date.now() - since > longestBuildMs) rmdirSync(lock)
    return false
  }
}

/** When a file was built. Of the package, the declarations are written last before the console. */
function builtAt(file: string): number {
  return statSync(join(root, 'dist', file), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function newestIn(folder: string): number {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return Math.max(...files.map(file => statSync(join(root, folder, file)).mtimeMs))
}
