import { run } from './run.ts'

/** Where a Python may be, best first. */
const places = ['python3', '/usr/bin/python3', 'python']

interface Python {
  path: string
  /** Python 3.9 or newer with pytest. */
  hasPytest: boolean
}

let found: Promise<Python[]> | undefined

/**
 * The path of the program that `python3` starts. On some machines `python3` is a script of a version manager, which takes three
 * times as long as Python itself; it is asked once. Without Python this is `python3`, which cannot be started.
 */
export async function findPython(): Promise<string> {
  const [first] = await pythons()
  return first?.path ?? 'python3'
}

/** The first Python with pytest, 3.9 or newer; undefined where there is none. */
export async function findPytest(): Promise<string | undefined> {
  return (await pythons()).find(({ hasPytest }) => hasPytest)?.path
}

/** The end of a test's name: it says so where a library is missing and the test tries nothing. */
export function unlessMissing(library: string, python: string | undefined): string {
  return python === undefined ? ` (not tried: no Python with ${library} was found)` : ''
}

/** A Python with a library; undefined where there is none. */
export async function pythonWith(library: string): Promise<string | undefined> {
  const question = `import sys, importlib.util as found; print(sys.executable if found.find_spec("${library}") else "")`
  for (const place of places) {
    const { stdout } = await run(place, ['-c', question]).catch(() => ({ stdout: '' }))
    if (stdout.trim() !== '') return stdout.trim()
  }
  return undefined
}

function pythons(): Promise<Python[]> {
  found ??= lookThrough(places)
  return found
}

/** Looks until a Python has pytest. */
async function lookThrough([place, ...others]: readonly string[]): Promise<Python[]> {
  if (place === undefined) return []
  const python = await lookAt(place)
  return python?.hasPytest ? [python] : [...(python ? [python] : []), ...(await lookThrough(others))]
}

const question = `
import sys
from importlib.util import find_spec
print(sys.executable, sys.version_info >= (3, 9) and find_spec("pytest") is not None, sep="\\n")`

async function lookAt(place: string): Promise<Python | undefined> {
  const { code, stdout } = await run(place, ['-c', question]).catch(() => ({ code: 1, stdout: '' }))
  const [path = '', hasPytest] = stdout.split(/\r?\n/)
  return code === 0 && path !== '' ? { path, hasPytest: hasPytest === 'True' } : undefined
}
