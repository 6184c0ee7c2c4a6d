import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a directory and its parents, unless they are there. Rejects with the error of the system when that cannot be done.
 * `mkdir` with `recursive` never ends below a directory that takes no entries, such as /proc.
 */
export async function makeDirectory(dir: string): Promise<void> {
  try {
    await mkdir(dir)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && dirname(dir) !== dir) {
      await makeDirectory(dirname(dir))
      return makeLast(dir)
    }
    if (!(await isDirectory(dir))) throw error
  }
}

/** The parent is there; another process may have made the directory meanwhile. */
async function makeLast(dir: string): Promise<void> {
  try {
    await mkdir(dir)
  } catch (error) {
    if (!(await isDirectory(dir))) throw error
  }
}

function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  )
}
