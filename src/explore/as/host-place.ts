/** What a connection to a host meets: the emulator, the host itself, this machine, or a refusal. */
export type HostPlace = 'emulated' | 'allowed' | 'own' | 'refused'

/** The place of a host among those that the emulator stands for and those that a program may reach. */
export function hostPlace(
  name: string,
  { emulated, allowed }: { emulated: readonly string[]; allowed: readonly string[] },
): HostPlace {
  const host = name.toLowerCase().replace(/^\[|\]$|\.$/g, '')
  if (isOwnHost(host)) return 'own'
  const plain = host.replace(/^results\./, '')
  if (emulated.some(one => covers(one, host) || covers(one, plain))) return 'emulated'
  return allowed.some(one => covers(one, host)) ? 'allowed' : 'refused'
}

export function isOwnHost(host: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|::1|0\.0\.0\.0|::)$/.test(host)
}

/** Whether a name of a host is meant by a pattern: `*.` at its start stands for any name below. */
export function covers(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
}
