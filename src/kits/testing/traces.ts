import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorldClient } from '../../index.ts'

/** Where kits write the traces of failed tests, below the folder in which the tests run. */
const usualFolder = 'gateway-traces'

/**
 * Writes the run of a failed test as a page that needs no network, and returns its path. `GATEWAY_EMULATOR_TRACES` names another
 * folder; `off` writes none. Undefined then, and when nothing reached the world. A fault is a sentence in place of the path.
 */
export async function traceAfterTest(
  world: Pick<WorldClient, 'id' | 'requests' | 'trace'>,
  name: string,
): Promise<string | undefined> {
  const folder = process.env.GATEWAY_EMULATOR_TRACES ?? usualFolder
  if (folder === 'off' || (await world.requests.list({ limit: 1 })).length === 0) return undefined
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const path = join(folder, `${words.join('-').slice(0, 80) || 'test'}-${world.id}.html`)
  try {
    await mkdir(folder, { recursive: true })
    await world.trace({ out: path })
    return path
  } catch (error) {
    return `none: ${error instanceof Error ? error.message : error}`
  }
}
