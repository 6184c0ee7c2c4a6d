import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a directory and its parents when they do not exist. Rejects with the error of the system when it cannot make them.
 * `mkdir` with `recursive` never ends below a directory that accepts no entries, such as /proc.
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

/** Expects that the parent exists. Another process may have made the directory in the meantime. */
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
