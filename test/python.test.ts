import { expect, it } from 'vitest'
import { root } from './support/fresh-build.ts'
import { findPytest, unlessMissing } from './support/python.ts'
import { run } from './support/run.ts'

const python = await findPytest()

it(`the pytest plugin passes its own tests, in test/python${unlessMissing('pytest', python)}`, async () => {
  if (python === undefined) return
  const { code, stdout } = await run(
    python,
    ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'test/python'],
    {
      cwd: root,
      // Other plugins of this machine would only be loaded; they take more time than the tests.
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' },
    },
  )
  expect(code, stdout).toBe(0)
  expect(stdout).toMatch(/\b\d{2,} passed/)
}, 120_000)
