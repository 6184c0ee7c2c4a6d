import { masksFor } from '../http/masked.ts'
import { traceIdOf } from '../http/trace-parent.ts'
import { disturbanceOf } from '../scenarios/effects/connection.ts'
import { brokenBy, mediaEffect } from '../scenarios/effects/media.ts'
import { noEffects } from '../scenarios/scenario.ts'
import { keptText } from '../worlds/digest.ts'
import type { MediaEffect, NewEntry } from '../worlds/journal.ts'
import { realTime } from '../worlds/real-time.ts'
import { type Exchange, hasGone } from './exchange.ts'
import type { SentReply } from './writer.ts'

/**
 * Step 9: adds the exchange to its world's journal, where its surface has one, and writes its line of the log. No other place adds
 * entries. A request whose world has gone is in the log, but not in the journal of the world's new state.
 */
export function journal(exchange: Exchange, sent: SentReply): void {
  if (!exchange.surface.isJournaled(exchange)) return
  if (!hasGone(exchange)) addEntry(exchange, sent)
  writeLine(exchange, sent)
}

function addEntry(exchange: Exchange, { at, status, headers, text, media }: SentReply): void {
  const { request, world, effects, trace, startedMs } = exchange
  const connection = effects.connection && disturbanceOf(effects.connection)
  const found = [...(connection?.effects ?? []), ...fileEffect(media)]
  const entry: NewEntry = {
    at,
    account: exchange.account,
    keyLabel: exchange.keyLabel,
    operation: exchange.operation,
    method: request.method ?? '',
    url: request.url ?? '',
    status,
    requestId: exchange.requestId,
    durationMs: realTime.elapsedMs() - startedMs,
    startedMs,
    cameAt: exchange.cameAt,
    end: exchange.end,
    requestHeaders: request.rawHeaders,
    requestBody: keptText(exchange.bodyText),
    responseHeaders: headers,
    responseBody: keptText(text),
    taskIds: trace.taskIds,
    rule: trace.rule,
    fault: trace.fault,
    param: trace.param,
    unread: trace.unread,
    effects: found.length > 0 ? found : undefined,
    lost: connection?.lost,
    scripted: effects.refuse !== undefined,
    broken: connection?.broken ?? (media && brokenBy(media)),
    drawn: effects === noEffects ? undefined : effects,
    isCounted: exchange.isCounted,
  }
  exchange.entry = entry
  world.journal.add(entry)
}

/** A link that leads to its file was not missing. */
function fileEffect(media: SentReply['media']): MediaEffect[] {
  return media && media.kind !== 'missing_url' ? [mediaEffect(media)] : []
}

function writeLine(exchange: Exchange, { at, status }: SentReply): void {
  const { log } = exchange.services
  if (!log.request) return
  const { request, world, account, operation, requestId, trace, startedMs } = exchange
  const { taskIds, rule, fault } = trace
  const traceId = traceIdOf(request.headers.traceparent?.toString())
  log.request({
    at: new Date(at).toISOString(),
    wall_at: new Date(realTime.wallNow()).toISOString(),
    world: world.id,
    ...(account !== undefined && { account }),
    ...(exchange.keyLabel !== undefined && { key_label: exchange.keyLabel }),
    operation,
    method: request.method ?? '',
    path: masksFor(request.headers.authorization).path(request.url ?? ''),
    status,
    duration_ms: Math.round((realTime.elapsedMs() - startedMs) * 1000) / 1000,
    request_id: requestId,
    ...(taskIds?.length === 1 && { task_id: taskIds[0] as string }),
    ...(rule !== undefined && { rule }),
    ...(fault !== undefined && { fault }),
    ...(traceId !== undefined && { trace_id: traceId }),
  })
}
