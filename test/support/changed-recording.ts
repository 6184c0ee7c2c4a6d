import { downloadOperation } from '../../src/emulator/scenarios/operations.ts'
import type { GatewayEntry } from '../../src/evidence/recordings/har.ts'
import { operationOf } from '../../src/evidence/recordings/operation.ts'
import type { Passing } from './changing-proxy.ts'
import { idIn, parsed } from './seen-exchanges.ts'

// biome-ignore lint/suspicious/noExplicitAny: a change reaches into replies of every shape
export type Edit = (body: any, passing: Passing) => void

/**
 * The entries of a recording as the recorder would have written them for a gateway with another reply to one
 * operation. When a create returns another id, all other entries have this id too.
 */
export function withChange(entries: readonly GatewayEntry[], operation: string, edit: Edit): GatewayEntry[] {
  const names = new Map<string, string>()
  let count = 0
  const changed = structuredClone(entries).map(entry => {
    const path = entry.request.url.slice(new URL(entry.request.url).origin.length)
    if (operationOfEntry(entry) !== operation) return entry
    const before = textOf(entry)
    const passing = passingOf(entry, { operation, path, count: count++ })
    edit(passing.body, passing)
    write(entry, passing)
    for (const [from, to] of renamed(parsed(before), passing.body)) names.set(from, to)
    return entry
  })
  return names.size === 0 ? changed : inNames(changed, names)
}

function operationOfEntry({ request, _gateway: facts }: GatewayEntry): string {
  if (facts?.operation === downloadOperation) return downloadOperation
  return operationOf(request.method, new URL(request.url).pathname).operation
}

function passingOf(entry: GatewayEntry, known: Pick<Passing, 'operation' | 'path' | 'count'>): Passing {
  const { status, headers } = entry.response
  return {
    ...known,
    status,
    headers: Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value])),
    body: parsed(textOf(entry)),
    ...(entry._gateway?.media && { media: entry._gateway.media }),
  }
}

function write({ response }: GatewayEntry, { status, headers, body }: Passing): void {
  response.status = status
  response.headers = Object.entries(headers).map(([name, value]) => ({ name, value }))
  if (body !== undefined) response.content.text = typeof body === 'string' ? body : JSON.stringify(body)
}

const textOf = ({ response }: GatewayEntry) => response.content.text ?? ''

/** The id of a new task, before and after the change. */
function renamed(before: unknown, after: unknown): [from: string, to: string][] {
  const [from, to] = [before, after].map(idIn)
  return typeof from === 'string' && typeof to === 'string' && from !== to ? [[from, to]] : []
}

/** In texts alone: the digits of an id may stand in a measured time too. */
function inNames(entries: readonly GatewayEntry[], names: ReadonlyMap<string, string>): GatewayEntry[] {
  const inText = (text: string) =>
    [...names].reduce((left, [from, to]) => left.replaceAll(to, from).replaceAll(from, to), text)
  return JSON.parse(JSON.stringify(entries), (_, value) =>
    typeof value === 'string' ? inText(value) : value,
  )
}
