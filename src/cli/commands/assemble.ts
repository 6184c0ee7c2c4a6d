import { asUsageError, type Options, readAt, readUrl } from '../../emulator/options.ts'
import { assembleEmulator, type Emulator, type Listening, listen } from '../../emulator/server.ts'

/** Assembles an emulator for a command. Throws UsageError when a scenario file is wrong. */
export function assembleForCommand(options: Options): Promise<Emulator> {
  return assembleEmulator(options).catch(error => {
    throw asUsageError(error)
  })
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
