import { namedUrl, type Options, readAt, readUrl, readWorldName, UsageError } from '../../emulator/options.ts'
import { assembleEmulator, type Listening, listen } from '../../emulator/server.ts'
import { processCaller } from '../../kits/client.ts'
import { type ControlQuery, EmulatorError } from '../../kits/views.ts'

/** Asks the control API of a running emulator about one world. Throws UsageError for a value that it refuses, naming the flag. */
export async function askWorld<T>(
  flags: { readonly 'base-url': string | undefined; readonly world: string | undefined },
  path: string,
  query: ControlQuery,
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

/** The address that `--base-url` names; undefined when it was not given. Throws UsageError. */
export function readBaseUrl({ 'base-url': text }: { 'base-url': string | undefined }): string | undefined {
  return text === undefined ? undefined : readAt('--base-url', text, readUrl)
}

/** The emulator at an address; without one, an emulator of its own on a free port. Closing ends only its own. */
export async function emulatorAt(
  base: string | undefined,
  own: Partial<Options>,
): Promise<Pick<Listening, 'url' | 'close'>> {
  if (base !== undefined) return { url: base, close: async () => {} }
  return listen(await assembleEmulator({ port: 0, ...own }))
}
