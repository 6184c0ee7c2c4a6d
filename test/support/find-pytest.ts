import { run } from './run.ts'

/** The first Python with pytest, 3.9 or newer; undefined, with a warning, where there is none. */
export async function findPytest(): Promise<string | undefined> {
  for (const python of ['python3', '/usr/bin/python3', 'python']) {
    const check = 'import sys, pytest; sys.exit(sys.version_info < (3, 9))'
    const { code } = await run(python, ['-c', check]).catch(() => ({ code: 1 }))
    if (code === 0) return python
  }
  console.warn('Tests for pytest did not run: no Python 3.9 or newer with pytest was found.')
  return undefined
}
