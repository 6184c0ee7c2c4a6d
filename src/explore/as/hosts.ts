import { isIP } from 'node:net'
import { familyRoutes } from '../../emulator/gateway.ts'
import { UsageError } from '../../emulator/options.ts'
import { linkPrefix } from '../../media/index.ts'
import { covers, type HostPlace, hostPlace, isOwnHost } from './host-place.ts'

export interface EmulatedHost {
  /** In lower case; `*.` at the start stands for any name below. */
  host: string
  /** A path that its calls begin with and the gateway does not have, such as `/ark`; else empty. */
  prefix: string
}

export interface Hosts {
  emulated: readonly EmulatedHost[]
  /** Hosts that it reaches as without the emulator. */
  allowed: readonly string[]
}

const nameForm = /^(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/

/** Reads `HOST` or `HOST/PREFIX`. Throws UsageError. */
export function readEmulatedHost(text: string): EmulatedHost {
  const [name = '', ...rest] = text.split('/')
  const prefix = rest.join('/').replace(/\/+$/, '')
  const host = readHost(name, text)
  if (isOwnHost(host))
    throw new UsageError(
      `"${text}" is this machine, and programs use no proxy for it; give the program the address with --env NAME={url}`,
    )
  if (/[?#\s]/.test(prefix)) throw new UsageError(`"${text}" must be a host name, with a path at most`)
  return { host, prefix: prefix === '' ? '' : `/${prefix}` }
}

export function readAllowedHost(text: string): string {
  return readHost(text, text)
}

function readHost(name: string, text: string): string {
  const host = name.toLowerCase().replace(/\.$/, '')
  if (nameForm.test(host) || isIP(host) !== 0) return host
  const inUrl = /^[a-z]+:\/\/([^/:?#]+)/i.exec(text)?.[1] ?? /^([^/:?#]+):\d+/.exec(text)?.[1]
  const near = inUrl === undefined || isOwnHost(inUrl) ? '' : `; the host is ${inUrl}`
  throw new UsageError(`"${text}" is not the name of a host, such as api.example.com${near}`)
}

/** The host of the links to results. As with the real service it is another one than that of the calls. */
export function linkHostOf(host: string): string {
  return isIP(host) === 0 ? `results.${host}` : host
}

export function placeOfHost(name: string, { emulated, allowed }: Hosts): HostPlace {
  return hostPlace(name, { emulated: emulated.map(({ host }) => host), allowed })
}

/** The path and query of a call as the gateway has it: without the prefix of its host. */
export function gatewayPath(
  method: string,
  given: string,
  { host, emulated }: { host: string } & Pick<Hosts, 'emulated'>,
): string {
  const found = emulated.find(
    one => one.prefix !== '' && covers(one.host, host) && given.startsWith(`${one.prefix}/`),
  )
  const rest = found === undefined ? given : given.slice(found.prefix.length)
  return isOfGateway(method, rest) ? rest : given
}

/** The part of an unknown path before one that the gateway has: `/ark` of `/ark/api/v3/…`; undefined when there is none. */
export function unknownPrefix(method: string, given: string): string | undefined {
  if (isOfGateway(method, given)) return undefined
  const parts = withoutQuery(given).split('/')
  for (let length = 2; length < parts.length; length++) {
    const prefix = parts.slice(0, length).join('/')
    if (isOfGateway(method, given.slice(prefix.length))) return prefix
  }
  return undefined
}

function isOfGateway(method: string, given: string): boolean {
  const path = withoutQuery(given)
  return path.startsWith(linkPrefix) || familyRoutes().find(method, path) !== undefined
}

function withoutQuery(path: string): string {
  return path.split('?', 1)[0] ?? path
}
