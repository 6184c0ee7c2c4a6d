import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Database, type DirectoryOptions, openDirectory } from '../../src/emulator/worlds/database.ts'

/** A directory for one test. */
export async function temporaryDirectory(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'database-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** A database that is closed when the test ends in any way. */
export async function openForTest(options: DirectoryOptions): Promise<Database> {
  const database = await openDirectory(options)
  // A test that leaves a failing write has reported it itself.
  onTestFinished(() => database.close().catch(() => undefined))
  return database
}
