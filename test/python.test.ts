import { expect, it } from 'vitest'
import { freshBuild, root } from './support/fresh-build.ts'
import { run } from './support/run.ts'

/** The first Python with pytest, 3.9 or newer. */
async function pythonWithPytest(): Promise<string | undefined> {
  for (const python of ['python3', '/usr/bin/python3', 'python']) {
    const check = 'import sys, pytest; sys.exit(sys.version_info < (3, 9))'
    const { code } = await run(python, ['-c', check]).catch(() => ({ code: 1 }))
    if (code === 0) return python
  }
  return undefined
}

it('the pytest plugin passes its own tests, in test/python (interface, "In code")', async () => {
  const python = await pythonWithPytest()
  if (python === undefined) {
    console.warn('The tests in test/python did not run: no Python 3.9 or newer with pytest was found.')
    return
  }
  await freshBuild()
  const { code, stdout } = await run(
    python,
    ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'test/python'],
    {
      cwd: root,
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    },
  )
  expect(code, stdout).toBe(0)
  expect(stdout).toMatch(/\b\d{2,} passed/)
}, 120_000)
