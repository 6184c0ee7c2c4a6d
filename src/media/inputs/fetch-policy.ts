import type { IPv6 } from 'ipaddr.js'
import { InputError, shortReference } from './errors.ts'

/** From which hosts inputs may be read: from none, from this machine, or from all outside the forbidden ranges. */
export type InputPolicy = 'none' | 'loopback' | 'all'

export type Reach = 'public' | 'private' | 'loopback' | 'forbidden'

/** What to do with a link: read it, or assume its properties because the policy does not allow reading it. */
type Decision = { kind: 'read' } | { kind: 'stand_in'; reason: string }

/** Metadata addresses of clouds outside the link-local range: Alibaba, Azure, AWS (IPv6). */
const metadataAddresses = new Set(['100.100.100.200', '168.63.129.16', 'fd00:ec2::254'])
const metadataNames = new Set([
  'metadata',
  'metadata.google.internal',
  'instance-data',
  'instance-data.ec2.internal',
])

/** ipaddr.js range names; all others (link-local, multicast, reserved, Teredo, …) are forbidden. */
const reachOfRange: Record<string, Reach> = {
  unicast: 'public',
  private: 'private',
  carrierGradeNat: 'private',
  uniqueLocal: 'private',
  loopback: 'loopback',
}

/**
 * The reach of an IP address. An IPv6 address that contains an IPv4 address (mapped, NAT64, 6to4, translated)
 * has the reach of that address. A text that is not an address in its plain spelling is forbidden.
 */
export async function reachOf(address: string): Promise<Reach> {
  const { default: ipaddr } = await import('ipaddr.js')
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return 'forbidden'
  const parsed = ipaddr.parse(address)
  if (metadataAddresses.has(parsed.toString())) return 'forbidden'
  const wrapped = parsed instanceof ipaddr.IPv6 ? wrappedAddress(parsed) : undefined
  if (wrapped !== undefined) return reachOf(wrapped)
  return reachOfRange[parsed.range()] ?? 'forbidden'
}

/** The index of the 16-bit part of an IPv6 address at which the contained IPv4 address begins. */
const wrappers: Record<string, number> = { ipv4Mapped: 6, rfc6145: 6, rfc6052: 6, '6to4': 1 }

function wrappedAddress(address: IPv6): string | undefined {
  const isCompatible = address.parts.slice(0, 6).every(part => part === 0) && (address.parts[6] ?? 0) > 0
  const first = isCompatible ? 6 : wrappers[address.range()]
  if (first === undefined) return undefined
  const high = address.parts[first] ?? 0
  const low = address.parts[first + 1] ?? 0
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}

/**
 * Parses a link. The WHATWG parser turns decimal, octal, hexadecimal and short IPv4 spellings into the plain one.
 * Throws InputError `malformed_reference` for other schemes than http and https.
 */
export function parseLink(reference: string): URL {
  const url = URL.canParse(reference) ? new URL(reference) : undefined
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new InputError('malformed_reference', `"${shortReference(reference)}" is not an http or https link`)
}

/** The host without the brackets of IPv6 and without the dot that ends absolute names. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/**
 * Decides by the link alone, before a name look-up. Under `none` and `loopback` names are never looked up,
 * so that nothing leaves the machine; only `localhost` names are known to be loopback.
 * Throws InputError `forbidden_address` for addresses that are refused under the policy.
 */
export async function decide(url: URL, policy: InputPolicy): Promise<Decision> {
  const host = hostOf(url)
  const reach = await reachOfHost(host)
  if (reach !== undefined) checkReach(reach, host, policy)
  if (policy === 'all' || (policy === 'loopback' && reach === 'loopback')) return { kind: 'read' }
  return { kind: 'stand_in', reason: `the inputs policy is "${policy}", so ${host} is not read` }
}

/** Undefined when a name look-up is needed. */
async function reachOfHost(host: string): Promise<Reach | undefined> {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host) || host.includes(':')) return reachOf(host)
  if (metadataNames.has(host)) return 'forbidden'
  return host === 'localhost' || host.endsWith('.localhost') ? 'loopback' : undefined
}

/** Refuses addresses that are forbidden under every policy or under this one. For loopback and public hosts outside the policy, properties are assumed instead. */
export function checkReach(reach: Reach, host: string, policy: InputPolicy): void {
  if (reach === 'forbidden') {
    throw new InputError(
      'forbidden_address',
      `${host} is a link-local, metadata, multicast or reserved address, which is never read`,
    )
  }
  if (reach === 'private' && policy !== 'all') {
    throw new InputError(
      'forbidden_address',
      `${host} is a private address; it is read only under the inputs policy "all", and this is "${policy}"`,
    )
  }
}
