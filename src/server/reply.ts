import { keptText } from '../http/digest.ts'
import type { Reply } from '../http/endpoint.ts'
import { ApiError } from '../http/errors.ts'
import { type Envelope, headersOf, proxyHeaders, refusalHeaders, send } from '../http/respond.ts'
import { misfit, prepareChecks } from '../http/validate.ts'
import { disturbanceOf } from '../scenarios/disturbance.ts'
import { nowIn } from '../worlds/world.ts'
import type { Passage } from './passage.ts'

/** A refusal in the family's dialect. What is not an ApiError is a fault of ours and says so. */
export function refuse(passage: Passage, thrown: unknown): void {
  const error = thrown instanceof ApiError ? thrown : internalError(passage, thrown)
  passage.trace.fault = error.fault
  if (error.detail.rule) passage.trace.rule = error.detail.rule
  const { status, body } = passage.family.dialect.error(error, { requestId: passage.requestId })
  const { retryAfterMs } = error.detail
  const headers = refusalHeaders(retryAfterMs === undefined ? {} : { retryAfterMs })
  if (error.detail.allow) headers.Allow = error.detail.allow.join(', ')
  try {
    finish(passage, { status, body, headers })
  } catch (fault) {
    abandon(passage, fault)
  }
}

/** The last resort, where not even a refusal can be sent: the others' worlds live on. */
function abandon({ services, response, endpoint }: Passage, fault: unknown): void {
  services.log.error({ err: fault, operation: endpoint.operation }, 'a reply could not be sent')
  response.destroy()
}

function internalError(passage: Passage, thrown: unknown): ApiError {
  // Closing the server stops the work of requests whose connections it has cut: no fault, and no client to tell.
  const isCut = passage.response.destroyed && thrown instanceof Error && thrown.name === 'AbortError'
  if (!isCut)
    passage.services.log.error(
      { err: thrown, operation: passage.endpoint.operation },
      'a request failed inside the emulator',
    )
  return new ApiError('internal', { reason: thrown instanceof Error ? thrown.message : String(thrown) })
}

/** 7. What was changed is durable before it is acknowledged. */
export function finish(passage: Passage, reply: Reply): void {
  const committed = passage.services.database.commit()
  const checkable = passage.services.options.strict ? prepareChecks() : undefined
  if (!committed && !checkable) {
    respond(passage, reply)
    return
  }
  Promise.all([committed, checkable])
    .then(
      () => respond(passage, reply),
      error => {
        passage.services.log.error({ err: error }, 'a change could not be written')
        const fault = new ApiError('internal', {
          reason: 'the change could not be written to the data directory',
        })
        respond(passage, passage.family.dialect.error(fault, { requestId: passage.requestId }))
      },
    )
    .catch(fault => abandon(passage, fault))
}

/** 8. The reply, then its journal entry. */
function respond(passage: Passage, reply: Reply): void {
  const { request, response, world, services, effects } = passage
  const checked = services.options.strict ? strictly(passage, reply) : reply
  const { headers: given } = request
  const envelope: Envelope = {
    requestId: passage.requestId,
    world: world.id,
    now: nowIn(world),
    clientRequestId: single(given['x-client-request-id']),
    rule: passage.trace.rule,
    fromBrowser: given.origin !== undefined,
  }
  const headers = checked.isFromProxy ? proxyHeaders(envelope) : headersOf(envelope)
  Object.assign(headers, checked.headers)
  // A text is the body of a raw refusal and goes out as it is (interface, "Scenario files").
  const isText = typeof checked.body === 'string'
  const text = isText
    ? String(checked.body)
    : checked.body === undefined
      ? undefined
      : JSON.stringify(checked.body)
  if (isText) headers['Content-Type'] ??= 'text/plain; charset=utf-8'
  send(response, checked.status, headers, text, effects.connection)
  world.journal.add({
    at: envelope.now,
    account: passage.account,
    operation: passage.endpoint.operation,
    method: request.method ?? '',
    url: request.url ?? '',
    status: checked.status,
    requestId: passage.requestId,
    durationMs: performance.now() - passage.startedMs,
    startedMs: passage.startedMs,
    requestHeaders: request.rawHeaders,
    requestBody: keptText(passage.bodyText),
    responseHeaders: headers,
    responseBody: keptText(text),
    taskIds: passage.trace.taskIds,
    rule: passage.trace.rule,
    fault: passage.trace.fault,
    unread: passage.trace.unread,
    connection: effects.connection && disturbanceOf(effects.connection),
  })
}

/** Under `--strict` a reply that does not fit its own schema is a 500 that says what. */
function strictly({ endpoint, family, requestId, effects }: Passage, reply: Reply): Reply {
  const isScripted = effects.refuse?.status !== undefined || reply.isFromProxy
  if (isScripted || effects.connection?.reset === 'before_request') return reply
  const schema =
    endpoint.replies[reply.status] ?? (reply.status >= 400 ? family.dialect.errorSchema : undefined)
  const problem = schema ? misfit(schema, reply.body) : `no schema for status ${reply.status}`
  if (!problem) return reply
  const error = new ApiError('internal', {
    reason: `the reply of ${endpoint.operation} does not fit its schema: ${problem}`,
  })
  return family.dialect.error(error, { requestId })
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
