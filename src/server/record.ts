import { keptText } from '../http/digest.ts'
import { disturbanceOf } from '../scenarios/effects/connection.ts'
import { mediaWords } from '../scenarios/effects/media.ts'
import type { Exchange } from './exchange.ts'
import type { Written } from './writer.ts'

/** Enters an exchange into its world's journal. The one place that does. */
export function record(exchange: Exchange, { at, status, headers, text }: Written): void {
  const { request, world, effects, media, trace, startedMs } = exchange
  world.journal.add({
    at,
    account: exchange.account,
    operation: exchange.operation,
    method: request.method ?? '',
    url: request.url ?? '',
    status,
    requestId: exchange.requestId,
    durationMs: performance.now() - startedMs,
    startedMs,
    requestHeaders: request.rawHeaders,
    requestBody: keptText(exchange.bodyText),
    responseHeaders: headers,
    responseBody: keptText(text),
    taskIds: trace.taskIds,
    rule: trace.rule,
    fault: trace.fault,
    unread: trace.unread,
    connection: effects.connection && disturbanceOf(effects.connection),
    media: media && media.kind !== 'missing_url' ? mediaWords(media) : undefined,
  })
}
