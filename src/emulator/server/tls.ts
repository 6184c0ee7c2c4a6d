import { readFile } from 'node:fs/promises'
import { hostname, networkInterfaces } from 'node:os'
import { type Certificate, selfSigned } from '../../explore/as.ts'
import type { KnownNames } from '../http/origin.ts'
import { UsageError } from '../options/flags.ts'

/** The certificate of `--tls`: one made at start for `self`, for all names of this server, else the two files of `CERT:KEY`. */
export async function certificateOf(mode: string, names: KnownNames): Promise<Certificate> {
  if (mode === 'self') return selfSigned(namesOf(names))
  const [certFile, keyFile] = filesIn(mode)
  if (!certFile || !keyFile) throw new UsageError(`--tls: "${mode}" is not self or CERT:KEY`)
  try {
    return { cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') }
  } catch (error) {
    throw new UsageError(`--tls: ${error instanceof Error ? error.message : error}`)
  }
}

function namesOf({ host, publicUrl }: KnownNames): string[] {
  const everywhere = host === '0.0.0.0' || host === '::'
  const addresses = Object.values(networkInterfaces()).flatMap(one => one ?? [])
  const own = everywhere ? [hostname(), ...addresses.map(({ address }) => address)] : [host]
  const shown = publicUrl === undefined ? [] : [new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1')]
  return [...new Set(['localhost', '127.0.0.1', '::1', ...own, ...shown])]
}

/** The two files of `CERT:KEY`. On Windows the colon after the letter of a drive separates nothing. */
export function filesIn(mode: string, platform = process.platform): string[] {
  return platform === 'win32' ? mode.split(/(?<!(?:^|:)[A-Za-z]):|:(?![\\/])/) : mode.split(':')
}
