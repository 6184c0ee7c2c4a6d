import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** A new folder, which is removed when the test that makes it has ended, or, made outside of a test, after all tests of its file. */
export function ownFolder(name = 'test', parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, `${name}-`))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  if (TestRunner.getCurrentTest()) onTestFinished(remove)
  else afterAll(remove)
  return folder
}
