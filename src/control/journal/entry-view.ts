import type { RequestView } from '../../client/types.ts'
import { maskSecrets } from '../../http/masked.ts'
import { digested } from '../../worlds/digest.ts'
import type { Entry } from '../../worlds/journal.ts'
import { deepestJson, isNestedDeeper } from '../../worlds/json-depth.ts'
import type { World } from '../../worlds/world.ts'
import { headersOf, traceOf } from './entry-headers.ts'

/** A journal entry in a reply of the control API: keys, link signatures and identifiers of assets are masked. */
export function entryView(world: World, entry: Entry): RequestView {
  const traceId = traceOf(entry)
  return {
    id: entry.id,
    at: new Date(entry.at).toISOString(),
    at_ms: entry.at,
    world: world.id,
    account: entry.account ?? null,
    operation: entry.operation,
    method: entry.method,
    path: maskSecrets(entry.url),
    status: entry.status,
    request_id: entry.requestId,
    duration_ms: Math.round(entry.durationMs * 1000) / 1000,
    request: { headers: maskedHeaders(entry), body: bodyView(entry.requestBody) },
    response: { headers: entry.responseHeaders, body: bodyView(entry.responseBody) },
    ...(entry.taskIds?.length === 1 && { task_id: entry.taskIds[0] }),
    ...(entry.taskIds && entry.taskIds.length > 1 && { task_ids: entry.taskIds }),
    ...(traceId && { trace_id: traceId }),
    ...(entry.rule && { rule: entry.rule }),
    ...(entry.fault && { fault: entry.fault }),
    ...(entry.param && { param: entry.param }),
    ...(entry.connection && { connection: entry.connection.text }),
    ...(entry.connection?.lost && { reply_lost: true }),
    started_ms: Math.round(entry.startedMs),
    ...(entry.media && { media: entry.media }),
    ...(entry.unread && { unread: entry.unread }),
  }
}

const keyHeaders = ['authorization', 'proxy-authorization']

function maskedHeaders(entry: Entry): Record<string, string> {
  const masked = Object.entries(headersOf(entry)).map(([name, value]) => [
    name,
    keyHeaders.includes(name) ? maskKey(value) : maskSecrets(value),
  ])
  return Object.fromEntries(masked)
}

/** Enough of a key to recognize it. A client may send a real key of another service here, and not all of those begin with `sk-`. */
function maskKey(value: string): string {
  return value.replace(/^(\w+\s+)?(\S{0,7}).*$/s, '$1$2…')
}

/**
 * The parsed value when the text is JSON, so that readers need not parse it again; else the text. Bodies that were refused for their
 * depth are shown as text.
 */
function bodyView(text: string | undefined): unknown {
  if (text === undefined || text === '') return null
  if (isNestedDeeper(text, deepestJson)) return maskSecrets(text)
  try {
    return digested(JSON.parse(maskSecrets(text)))
  } catch {
    return maskSecrets(text)
  }
}
