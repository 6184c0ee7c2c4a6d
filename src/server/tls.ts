import { readFile } from 'node:fs/promises'
import { type Certificate, selfSigned } from '../as/certificates.ts'
import { UsageError } from '../options/usage-error.ts'

/** The certificate of `--tls`: one made at start for `self`, else the two files of `CERT:KEY`. */
export async function certificateOf(mode: string): Promise<Certificate> {
  if (mode === 'self') return selfSigned(['localhost', '127.0.0.1', '::1'])
  const [certFile, keyFile] = filesIn(mode)
  if (!certFile || !keyFile) throw new UsageError(`--tls: "${mode}" is not self or CERT:KEY`)
  try {
    return { cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') }
  } catch (error) {
    throw new UsageError(`--tls: ${error instanceof Error ? error.message : error}`)
  }
}

/** The two files of `CERT:KEY`. On Windows the colon after the letter of a drive separates nothing. */
export function filesIn(mode: string, platform = process.platform): string[] {
  return platform === 'win32' ? mode.split(/(?<!(?:^|:)[A-Za-z]):|:(?![\\/])/) : mode.split(':')
}
