import { PackageMissingError } from '../../media/index.ts'
import { FaultError } from '../faults/fault.ts'
import { callingService } from '../http/account.ts'
import { mayBeLarge, readBody } from '../http/body.ts'
import { type Headers, headerOf, refusalHeaders } from '../http/headers.ts'
import { disconnectSignal, whenClosed } from '../http/transfer.ts'
import { disturbanceOf, isRequestLost } from '../scenarios/effects/connection.ts'
import { brokenBy, mediaEffect } from '../scenarios/effects/media.ts'
import { proxyPage } from '../scenarios/effects/refuse.ts'
import { untilReleased } from '../scenarios/faults.ts'
import { type Effects, noEffects } from '../scenarios/scenario.ts'
import { takeBack } from '../tasks/admission.ts'
import { advanceTo, moveToEndOfWait, rememberWait } from '../tasks/advance.ts'
import { realTime } from '../worlds/clock.ts'
import { keptText } from '../worlds/digest.ts'
import type { MediaEffect, NewEntry } from '../worlds/journal.ts'
import { countCall, enter, fileBytesSent, leave, underWayIn } from '../worlds/under-way.ts'
import { noteReached, nowIn } from '../worlds/world.ts'
import { checkPresent, type Reply, worldGone } from './endpoint.ts'
import { type AnyReply, type Exchange, hasGone } from './exchange.ts'
import { abandon, discard, noteRelease, type SentReply, servePage, write } from './writer.ts'

/**
 * Every request on every surface takes these steps:
 * 1. identify: world, account, request id
 * 2. access: may the caller do this?
 * 3. body: read up to its limit
 * 4. scenario: refusals, delays and effects that a scenario or a prompt tag asks for
 * 5. check: shape of body and query
 * 6. handle: rules, then admission or reading the world
 * 7. commit: changes are stored before the reply acknowledges them
 * 8. write: the reply is sent
 * 9. journal: one entry
 * Steps 1 to 6 are functions of the surface; `scenario`, `commit`, `write` and `journal` are the same for all surfaces.
 * A step is synchronous when it has nothing to wait for, so that a poll needs no promise.
 */
export function run(exchange: Exchange): void {
  try {
    identify(exchange)
    exchange.surface.access(exchange)
    if (exchange.account !== undefined) {
      moveToEndOfWait(exchange.world, exchange.account)
      exchange.cameAt = nowIn(exchange.world)
    }
    const maxBytes = exchange.surface.maxBodyBytes(exchange)
    if (maxBytes !== undefined) {
      void runWithBody(exchange, maxBytes)
      return
    }
    const answered = answer(exchange)
    if (answered instanceof Promise) void settle(exchange, answered)
    else commit(exchange, answered)
  } catch (error) {
    refuse(exchange, error)
  }
}

/** Step 1. A request without a known caller is counted, too. */
function identify(exchange: Exchange): void {
  try {
    exchange.surface.identify(exchange)
  } finally {
    if (exchange.surface.isJournaled(exchange)) {
      countOpen(exchange)
      exchange.service = callingService(exchange.world, exchange.keyLabel, exchange.request.socket)
    }
  }
}

/** Counts a request as open until its reply is complete or its connection is closed. */
function countOpen(exchange: Exchange): void {
  const { world, request, response } = exchange
  const counts = underWayIn(world)
  exchange.cameAt = nowIn(world)
  enter(counts, exchange)
  const end = () => {
    if (!leave(counts, exchange)) return
    forget?.()
    exchange.end = {
      at: nowIn(world),
      ms: realTime.elapsedMs(),
      isWhole: response.writableFinished,
      fileBytes: fileBytesSent(exchange),
    }
    if (exchange.entry) exchange.entry.end = exchange.end
    for (const hear of counts.ended) hear()
  }
  // It comes once: `once` would make two more objects for each request.
  response.on('close', end)
  // Of a connection that breaks, Node closes only the first reply, and none that waits for it.
  const forget = response.socket === null ? whenClosed(request.socket, end) : undefined
}

/**
 * The steps from the third on of a request that waits for its body. Then the world must still exist, and the caller must still have
 * access. Never rejects.
 */
async function runWithBody(exchange: Exchange, maxBytes: number): Promise<void> {
  const { surface, request, services } = exchange
  const share = mayBeLarge(request) ? services.bodies.enter() : undefined
  try {
    exchange.bodyText = await readBody(request, maxBytes, share)
    checkPresent(exchange.world, exchange.generation)
    surface.access(exchange)
    deliver(exchange, await answer(exchange))
  } catch (error) {
    refuse(exchange, error)
  } finally {
    share?.leave()
  }
}

/** Waits for the reply of a handler. Never rejects. */
async function settle(exchange: Exchange, answered: Promise<AnyReply>): Promise<void> {
  try {
    deliver(exchange, await answered)
  } catch (error) {
    refuse(exchange, error)
  }
}

/** Steps 4 to 6. */
function answer(exchange: Exchange): AnyReply | Promise<AnyReply> {
  scenario(exchange)
  return handled(exchange)
}

function handled(exchange: Exchange): AnyReply | Promise<AnyReply> {
  const { surface, effects } = exchange
  const reply = scriptedReply(effects)
  if (reply) return reply
  const { refuse } = effects
  if (refuse?.fault) throw new FaultError(refuse.fault, { ...refuse })
  surface.check(exchange)
  return surface.handle(exchange)
}

/** Sends a reply after a wait. A reply that must wait for its rate-limit slot is sent when that moment has come. */
function deliver(exchange: Exchange, reply: AnyReply): void {
  const after = reply.kind === undefined ? reply.after : undefined
  if (!after) {
    commitLate(exchange, reply)
    return
  }
  const counts = underWayIn(exchange.world)
  counts.held++
  after
    .finally(() => counts.held--)
    .then(() => commitLate(exchange, reply))
    .catch(error => refuse(exchange, error))
}

/** The last steps after a wait: the world may have gone in the meantime. */
function commitLate(exchange: Exchange, reply: AnyReply): void {
  if (hasGone(exchange)) {
    discard(reply)
    refuse(exchange, worldGone())
  } else commit(exchange, reply)
}

/** A refusal in the surface's dialect. Any other error is a fault of the emulator: it is logged and answered with 500. */
function refuse(exchange: Exchange, thrown: unknown): void {
  try {
    // Closing the server stops requests after it has cut their connections: this is not a fault, and there is no client to answer.
    if (thrown instanceof Error && thrown.name === 'AbortError' && isCut(exchange)) return
    commit(exchange, refusalOf(exchange, thrown))
  } catch (fault) {
    abandon(exchange, fault)
  }
}

/** A cut response is marked as destroyed a moment later than its connection. */
function isCut({ request, response }: Exchange): boolean {
  return response.destroyed || request.socket.destroyed
}

function refusalOf(exchange: Exchange, given: unknown): AnyReply {
  const { surface, services, operation } = exchange
  // When the world has gone, that is the reason, even if another error was thrown.
  const thrown = hasGone(exchange) ? worldGone() : given
  const known = surface.refuse(exchange, thrown)
  if (known) return known
  services.log.error({ err: thrown, operation }, 'a request failed inside the emulator')
  if (thrown instanceof PackageMissingError) return missingPackage(exchange, thrown)
  return internal(exchange, (thrown instanceof Error ? thrown.message : String(thrown)).replace(/\.$/, ''))
}

/** What a smaller installation cannot do is not a fault of the emulator. */
function missingPackage(exchange: Exchange, { message }: PackageMissingError): AnyReply {
  exchange.trace.fault = 'unavailable'
  const fault = new FaultError('unavailable', { reason: message, message })
  return exchange.surface.refuse(exchange, fault) ?? { status: 503 }
}

function internal(exchange: Exchange, reason: string): AnyReply {
  exchange.trace.fault = 'internal'
  return exchange.surface.refuse(exchange, new FaultError('internal', { reason })) ?? { status: 500 }
}

/** Step 7, then the last two. */
function commit(exchange: Exchange, reply: AnyReply): void {
  const { surface, services } = exchange
  const isCommitted = surface.isCommitted(exchange)
  if (isCommitted && !hasGone(exchange)) noteReached(exchange.world)
  const committed = isCommitted ? services.database.commit() : undefined
  if (!committed) {
    send(exchange, reply)
    return
  }
  committed
    .then(
      () => send(exchange, reply),
      error => {
        services.log.error({ err: error, operation: exchange.operation }, 'a change could not be written')
        discard(reply)
        const { world, trace } = exchange
        if (trace.made && !hasGone(exchange)) takeBack(world, trace.made)
        send(exchange, internal(exchange, 'the change could not be written to the data directory'))
      },
    )
    .catch(fault => abandon(exchange, fault))
}

/** Steps 8 and 9. */
function send(exchange: Exchange, reply: AnyReply): void {
  if (reply.kind === 'page') {
    servePage(exchange, reply, error => refuse(exchange, error ?? new FaultError('not_found')))
    return
  }
  if (reply === notYet) {
    hold(exchange)
    return
  }
  const checked = exchange.services.options.strict ? strictly(exchange, reply) : reply
  const sent = write(exchange, checked)
  if (exchange.account !== undefined && checked.headers && !hasGone(exchange))
    rememberWait(exchange.world, exchange.account, retryAfterIn(checked.headers))
  journal(exchange, sent)
}

/** A request that a scenario holds before it is handled has an entry with status 0, and no effect until somebody releases it. */
function hold(exchange: Exchange): void {
  const { surface, world, response } = exchange
  const at = nowIn(world)
  const until = { underWay: underWayIn(world), gone: disconnectSignal(response) }
  const released = untilReleased(response, until).then(() => {
    noteRelease(exchange, 'hang')
    checkPresent(world, exchange.generation)
    return handled(exchange)
  })
  journal(exchange, {
    at,
    status: 0,
    headers: surface.headers(exchange, at),
    text: undefined,
    media: undefined,
  })
  void settle(exchange, released)
}

/** The seconds in a reply's Retry-After header; NaN without one. */
function retryAfterIn(headers: Headers): number {
  return Number(headerOf(headers, 'retry-after') ?? Number.NaN)
}

/** Under `--strict`, a reply that does not match its schema becomes a 500 that says why. */
function strictly(exchange: Exchange, reply: Exclude<AnyReply, { kind: 'page' }>): typeof reply {
  if (reply.kind !== undefined || isScripted(exchange.effects)) return reply
  const problem = exchange.surface.misfit(exchange, reply)
  if (problem === undefined) return reply
  const refusal = internal(exchange, `the reply of ${exchange.operation} does not fit its schema: ${problem}`)
  return refusal.kind === 'page' ? reply : refusal
}

/** Step 4: what scenarios, the header trigger and prompt tags do to a request, right after access. */
function scenario(exchange: Exchange): void {
  const { surface, world, trace } = exchange
  const effects = surface.scenario(exchange)
  exchange.nth = countCall(world, exchange.operation)
  if (effects === noEffects) return
  exchange.effects = effects
  if (effects.rule) trace.rule = effects.rule
  if (effects.clock) advanceTo(world, nowIn(world) + effects.clock.advanceMs)
}

/** A lost request gets no reply. The journal keeps it with status 0. */
const noReply: Reply = { status: 0 }
/** The same as long as nobody releases it. */
const notYet: Reply = { status: 0 }

/** Whether a scenario gives the reply in full: then it is not checked against a schema. */
function isScripted(effects: Effects): boolean {
  return scriptedReply(effects) !== undefined
}

/** The reply when a scenario gives it in full. */
function scriptedReply({ connection, refuse }: Effects): Reply | undefined {
  if (connection?.hang === 'before_request') return notYet
  if (isRequestLost(connection)) return noReply
  if (!refuse) return undefined
  const { proxyPage: page, status, body } = refuse
  const headers = refusalHeaders(refuse)
  if (page !== undefined) return { status: page, body: proxyPage(page), headers, isFromProxy: true }
  if (status === undefined) return undefined
  return { status, headers, ...(body !== undefined && { body }) }
}

/**
 * Step 9: adds the exchange to its world's journal, where its surface has one, and to the log of requests. No other place adds
 * entries. A request whose world has gone is in the log, but not in the journal of the world's new state.
 */
function journal(exchange: Exchange, sent: SentReply): void {
  if (!exchange.surface.isJournaled(exchange)) return
  const entry = entryOf(exchange, sent)
  if (!hasGone(exchange)) keep(exchange, entry)
  // The entry of a request that is held changes when the request goes on.
  exchange.services.logRequest?.(exchange.world.id, sent.status === 0 ? { ...entry } : entry)
}

function entryOf(exchange: Exchange, { at, status, headers, text, media }: SentReply): NewEntry {
  const { request, effects, trace, startedMs } = exchange
  const connection = effects.connection && disturbanceOf(effects.connection)
  const found = [...(connection?.effects ?? []), ...fileEffect(media)]
  return {
    at,
    account: exchange.account,
    keyLabel: exchange.keyLabel,
    service: exchange.service,
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
    nth: exchange.nth,
  }
}

function keep(exchange: Exchange, entry: NewEntry): void {
  const held = exchange.entry
  if (held) {
    const hangs = held.effects?.filter(({ kind }) => kind === 'hang') ?? []
    Object.assign(held, entry, { effects: [...hangs, ...(entry.effects ?? [])] })
    return
  }
  exchange.entry = entry
  exchange.world.journal.add(entry)
}

/** A link that leads to its file was not missing. */
function fileEffect(media: SentReply['media']): MediaEffect[] {
  return media && media.kind !== 'missing_url' ? [mediaEffect(media)] : []
}
