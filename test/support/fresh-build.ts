import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The root of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** `npm test` builds everything before the first test. A run of single files builds what it needs. */
const isBuilt = process.env.npm_lifecycle_event === 'test'

/** Builds the program. Once before all tests of a run: programs that tests started read the files of `dist` until they end. */
export const freshProgram = () => built('code')

/** Builds the declarations, for the tests that read them. */
export const freshTypes = () => built('types')

/** Builds the console, once before all browser tests of a run. */
export const freshConsole = () => built('console')

async function built(part: 'code' | 'types' | 'console'): Promise<void> {
  if (isBuilt) return
  await promisify(execFile)('npm', ['run', '--silent', `build:${part}`], {
    cwd: root,
    shell: process.platform === 'win32',
  })
}
