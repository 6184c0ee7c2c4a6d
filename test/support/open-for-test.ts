import { onTestFinished } from 'vitest'
import { type Database, type DirectoryOptions, openDirectory } from '../../src/emulator/worlds/database.ts'

/** A database that is closed when the test ends in any way. */
export async function openForTest(options: DirectoryOptions): Promise<Database> {
  const database = await openDirectory(options)
  // A test that leaves a failing write has reported it itself.
  onTestFinished(() => database.close().catch(() => undefined))
  return database
}
