import { keyHeader, keyIn, keysInHeader, secretHeader, withoutKeys } from '../../emulator/gateway.ts'

/** The parts of a request that may hold a key: rewritten, and what was found in them. */
export interface Swapped {
  headers: [name: string, value: string][]
  /** Path and query. */
  path: string
  /** The keys of the client. */
  secrets: string[]
  /** How the client sent its key, in words; undefined when it sent none. */
  style?: string
}

/**
 * A request with the key of the case in the place of the client's, whatever style the client uses: `Authorization: Bearer`, a signed
 * token, another scheme, a header such as `X-Api-Key`, or a parameter of the query. A request without a key gets none. The query of a
 * link to a file is its signature, and stays.
 */
export function swapKey(
  { headers, path, isLink }: { headers: readonly [string, string][]; path: string; isLink: boolean },
  key: string,
): Swapped {
  const secrets = headers.flatMap(([name, value]) => (secretHeader.test(name) ? keysInHeader(value) : []))
  const sent = headers.find(([name, value]) => keyHeader.test(name) && keyIn(value) !== undefined)
  const query = isLink ? { path, values: [] } : withoutKeys(path)
  secrets.push(...query.values)
  const kept = headers.filter(([name]) => !secretHeader.test(name))
  const authorization = headers.find(([name]) => /^authorization$/i.test(name))
  if (sent) kept.push(['Authorization', authorizationWith(sent, key)])
  else if (query.values.some(value => keyIn(value) !== undefined))
    kept.push(['Authorization', `Bearer ${key}`])
  else if (authorization) kept.push(authorization)
  const style = sent ? styleOf(sent) : query.name === undefined ? undefined : `the parameter ${query.name}`
  return { headers: kept, path: query.path, secrets, ...(style !== undefined && { style }) }
}

/** With `Bearer`, all but the key itself stays: the gateway refuses extra spaces. */
function authorizationWith([name, value]: [string, string], key: string): string {
  const [, scheme, rest = ''] = /^(Bearer )(.*)$/s.exec(value) ?? []
  return /^authorization$/i.test(name) && scheme !== undefined
    ? scheme + rest.replace(rest.trim(), key)
    : `Bearer ${key}`
}

function styleOf([name, value]: [string, string]): string {
  if (!/^authorization$/i.test(name)) return `the header ${name.toLowerCase()}`
  const scheme = /^([A-Za-z][\w-]*)\s/.exec(value)?.[1]
  if (scheme === undefined) return 'Authorization without a scheme'
  return scheme === 'Bearer' ? 'Authorization: Bearer' : `Authorization: ${scheme}`
}
