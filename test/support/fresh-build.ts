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
  while (!locked()) await pause(100)
  try {
    if (newestIn('src') > builtAt()) execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'pipe' })
  } finally {
    rmdirSync(lock)
  }
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

/** Declarations are written last. */
function builtAt(): number {
  return statSync(join(root, 'dist/playwright.d.ts'), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function newestIn(folder: string): number {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return Math.max(...files.map(file => statSync(join(root, folder, file)).mtimeMs))
}
