import { shown } from '../wording/shown.ts'
import type { GatewayEntry, GatewayFacts } from './har.ts'

/**
 * What is wrong with an entry of a HAR file, to be read after its place: ` is not a request with its response`, or
 * `._gateway: key "sk-1" is not of the form key-N`. Undefined when it can be read.
 */
export function entryFault(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || !isExchange(entry))
    return ' is not a request with its response'
  const { _gateway: facts } = entry as Partial<GatewayEntry>
  const fault = facts === undefined ? undefined : factsFault(facts)
  return fault && `._gateway: ${fault}`
}

function isExchange({ request, response }: Partial<GatewayEntry>): boolean {
  return (
    typeof request?.method === 'string' &&
    typeof request.url === 'string' &&
    isHeaders(request.headers) &&
    typeof response?.status === 'number' &&
    isHeaders(response.headers) &&
    typeof response.content === 'object' &&
    response.content !== null
  )
}

function factsFault(facts: unknown): string | undefined {
  if (typeof facts !== 'object' || facts === null) return `${shown(facts)} is not an object`
  const { operation, key, clock_ms, answered_before } = facts as Record<keyof GatewayFacts, unknown>
  if (typeof operation !== 'string') return `operation ${shown(operation)} is not a string`
  if (key !== undefined && !(typeof key === 'string' && /^key-\d+$/.test(key)))
    return `key ${shown(key)} is not of the form key-N`
  for (const [name, value] of Object.entries({ clock_ms, answered_before }))
    if (value !== undefined && !Number.isFinite(value)) return `${name} ${shown(value)} is not a number`
  return undefined
}

function isHeaders(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(header => typeof header?.name === 'string' && typeof header.value === 'string')
  )
}
