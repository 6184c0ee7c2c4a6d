/** What programs did behind the proxy, over all runs. */
export interface ProxyObservation {
  /** The hosts that were named. */
  hosts: string[]
  /** Calls that reached the emulator, by the host they were sent to. */
  calls: Record<string, number>
  /** Hosts that were refused, and how many connections to each. */
  refused: Record<string, number>
  /** How the program sends its key, where that is not `Authorization: Bearer`. */
  key_styles: string[]
  /** Paths of a host that the gateway does not have and that a prefix explains: `--as HOST/PREFIX`. */
  unknown_prefixes: string[]
}

export function nothingObserved(hosts: readonly string[]): ProxyObservation {
  return { hosts: [...hosts], calls: {}, refused: {}, key_styles: [], unknown_prefixes: [] }
}

export function count(numbers: Record<string, number>, name: string): void {
  numbers[name] = (numbers[name] ?? 0) + 1
}

export function note(texts: string[], text: string): void {
  if (!texts.includes(text)) texts.push(text)
}

/** What was heard, as sentences for a report. */
export function proxyLines({
  hosts,
  calls,
  refused,
  key_styles,
  unknown_prefixes,
}: ProxyObservation): string[] {
  const total = Object.values(calls).reduce((sum, number) => sum + number, 0)
  const away = Object.entries(refused).map(
    ([host, times]) => `${host} (${times} ${times === 1 ? 'connection' : 'connections'})`,
  )
  const styles = key_styles.filter(style => style !== 'Authorization: Bearer')
  return [
    `The emulator stood for ${hosts.join(', ')}: ${total} ${total === 1 ? 'request' : 'requests'}.`,
    ...(away.length === 0
      ? []
      : [
          `Refused: ${away.join(', ')}. --as HOST puts the emulator in the place of a host, --allow HOST lets the program reach it.`,
        ]),
    ...(styles.length === 0
      ? []
      : [
          `The program sends its key by ${styles.join(' and ')}; the gateway itself takes only Authorization: Bearer.`,
        ]),
    ...unknown_prefixes.map(
      place =>
        `The gateway has no path that begins as that of ${place}; --as ${place} takes this prefix off.`,
    ),
  ]
}
