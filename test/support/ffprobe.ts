import { execFile } from 'node:child_process'
import { access, chmod, constants } from 'node:fs/promises'
import { promisify } from 'node:util'
import installer from '@ffprobe-installer/ffprobe'

/** Runs ffprobe: that of `FFPROBE_PATH`, else the one that is installed for the tests. The emulator does not use ffprobe. */
export async function ffprobe(options: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return await promisify(execFile)(process.env.FFPROBE_PATH || (await installed()), [...options])
}

/** When npm ignores install scripts, the package unpacks without the permission to run. */
async function installed(): Promise<string> {
  await access(installer.path, constants.X_OK).catch(() => chmod(installer.path, 0o755))
  return installer.path
}
