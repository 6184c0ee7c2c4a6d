import { afterAll } from 'vitest'
import { readStartOptions } from '../../src/emulator/options/config.ts'
import type { StartOptions } from '../../src/emulator/options/table.ts'
import { assembleEmulator, listen } from '../../src/emulator/server/emulator.ts'
import { connectEmulator, type RunningEmulator } from '../../src/index.ts'
import { poolForTest } from './shared-pool.ts'

/** `startEmulator` with the pool of tests, for tests about something else than files. It is closed after the file's tests. */
export async function startForTest(options: StartOptions = {}): Promise<RunningEmulator> {
  const pool = poolForTest()
  const { url, close } = await listen(await assembleEmulator({ port: 0, ...readStartOptions(options), pool }))
  afterAll(close)
  return connectEmulator(url, close)
}
