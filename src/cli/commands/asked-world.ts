import { namedUrl, readAt, readWorldName, UsageError } from '../../emulator/options.ts'
import { processCaller } from '../../kits/client.ts'
import { EmulatorError, type Query } from '../../kits/views.ts'

/** Asks the control API of a running emulator about one world. Throws UsageError for a value that it refuses, naming the flag. */
export async function askWorld<T>(
  flags: { readonly 'base-url': string | undefined; readonly world: string | undefined },
  path: string,
  query: Query,
): Promise<T> {
  const base = namedUrl(flags['base-url']) ?? 'http://127.0.0.1:8585'
  const world = readAt('--world', flags.world ?? 'default', readWorldName)
  try {
    return await processCaller(`${base}/__emulator/worlds/${world}`).get<T>(path, query)
  } catch (error) {
    if (!(error instanceof EmulatorError) || error.status !== 400 || error.path === undefined) throw error
    throw new UsageError(`--${error.path.replaceAll('_', '-')}: ${error.message.replace(/^\w+: /, '')}`)
  }
}

/** Writes the file of `--out`. Throws UsageError when it cannot be written. */
export async function writeOut(path: string, write: (path: string) => void | Promise<void>): Promise<void> {
  try {
    await write(path)
  } catch (error) {
    throw new UsageError(`--out: ${error instanceof Error ? error.message : error}`)
  }
}
