import { traceIdOf } from '../http/trace-parent.ts'
import { disturbanceOf } from '../scenarios/effects/connection.ts'
import { mediaWords } from '../scenarios/effects/media.ts'
import { keptText } from '../worlds/digest.ts'
import type { Exchange } from './exchange.ts'
import type { SentReply } from './writer.ts'

/** Adds an exchange to its world's journal. No other place adds entries. */
export function record(exchange: Exchange, { at, status, headers, text, media }: SentReply): void {
  const { request, world, effects, trace, startedMs } = exchange
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
    param: trace.param,
    unread: trace.unread,
    connection: effects.connection && disturbanceOf(effects.connection),
    media: media && media.kind !== 'missing_url' ? mediaWords(media) : undefined,
  })
}

/** Writes one line of the log. A request whose world has gone is in the log, but not in a journal. */
export function logRequest(exchange: Exchange, { at, status }: SentReply): void {
  const { log } = exchange.services
  if (!log.request) return
  const { request, world, account, operation, requestId, trace, startedMs } = exchange
  const { taskIds, rule, fault } = trace
  const traceId = traceIdOf(request.headers.traceparent?.toString())
  log.request({
    at: new Date(at).toISOString(),
    world: world.id,
    ...(account !== undefined && { account }),
    operation,
    method: request.method ?? '',
    path: (request.url ?? '').replace(/Signature=[^&]*/g, 'Signature=…'),
    status,
    duration_ms: Math.round((performance.now() - startedMs) * 1000) / 1000,
    request_id: requestId,
    ...(taskIds?.length === 1 && { task_id: taskIds[0] as string }),
    ...(rule !== undefined && { rule }),
    ...(fault !== undefined && { fault }),
    ...(traceId !== undefined && { trace_id: traceId }),
  })
}
