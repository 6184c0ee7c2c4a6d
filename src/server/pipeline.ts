import { FaultError } from '../faults/fault-error.ts'
import { mayBeLarge, readBody } from '../http/body.ts'
import { checkPresent, worldGone } from '../http/call.ts'
import { type Headers, headerOf } from '../http/headers.ts'
import type { Answer } from '../http/reply.ts'
import { prepareChecks } from '../http/validate.ts'
import { passWait, rememberWait } from '../tasks/asked-waits.ts'
import type { BodyRule, Exchange } from './exchange.ts'
import { logRequest, record } from './journal-entry.ts'
import { actScenario, isScripted } from './scenario-step.ts'
import { abandon, discard, servePage, write } from './writer.ts'

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
 * A step is synchronous when it has nothing to wait for, so that a poll needs no promise.
 */
export function run(exchange: Exchange): void {
  try {
    exchange.surface.identify(exchange)
    exchange.surface.checkAccess(exchange)
    if (exchange.account !== undefined) passWait(exchange.world, exchange.account)
    const rule = exchange.surface.body(exchange)
    if (mustWait(rule)) {
      void runLater(exchange, rule)
      return
    }
    const answered = answer(exchange)
    if (answered instanceof Promise) void settle(exchange, answered)
    else finish(exchange, answered)
  } catch (error) {
    refuse(exchange, error)
  }
}

function mustWait(rule: BodyRule): boolean {
  return rule.kind === 'read' || (rule.kind === 'checked' && prepareChecks() !== undefined)
}

/**
 * The steps from the third on of a request that waits for its body or, before the first check of all, for the validator. Then the
 * world must still exist, and the caller must still have access. Never rejects.
 */
async function runLater(exchange: Exchange, rule: BodyRule): Promise<void> {
  const { surface, request, services } = exchange
  const share = rule.kind === 'read' && mayBeLarge(request) ? services.bodies.enter() : undefined
  try {
    if (rule.kind === 'read') exchange.bodyText = await readBody(request, rule.maxBytes, share)
    const ready = prepareChecks()
    if (ready) await ready
    checkPresent(exchange.world, exchange.generation)
    surface.checkAccess(exchange)
    deliver(exchange, await answer(exchange))
  } catch (error) {
    refuse(exchange, error)
  } finally {
    share?.leave()
  }
}

/** Waits for the reply of a handler. Never rejects. */
async function settle(exchange: Exchange, answered: Promise<Answer>): Promise<void> {
  try {
    deliver(exchange, await answered)
  } catch (error) {
    refuse(exchange, error)
  }
}

/** Steps 4 to 6. */
function answer(exchange: Exchange): Answer | Promise<Answer> {
  const { surface } = exchange
  const scripted = actScenario(exchange)
  if (scripted) return scripted
  surface.check(exchange)
  return surface.handle(exchange)
}

/** Sends a reply after a wait. A reply that must wait for its rate-limit slot is sent when that moment has come. */
function deliver(exchange: Exchange, reply: Answer): void {
  const after = reply.kind === undefined ? reply.after : undefined
  if (after) after.then(() => finishLate(exchange, reply)).catch(error => refuse(exchange, error))
  else finishLate(exchange, reply)
}

/** The last steps after a wait: the world may have gone in the meantime. */
function finishLate(exchange: Exchange, reply: Answer): void {
  if (hasGone(exchange)) {
    discard(reply)
    refuse(exchange, worldGone())
  } else finish(exchange, reply)
}

/** Whether the request's world was reset, restored, replaced or dropped since the request came. */
function hasGone({ world, generation }: Exchange): boolean {
  return generation !== undefined && world.generation !== generation
}

/** A refusal in the surface's dialect. Any other error is a fault of the emulator: it is logged and answered with 500. */
function refuse(exchange: Exchange, thrown: unknown): void {
  try {
    // Closing the server stops requests after it has cut their connections: this is not a fault, and there is no client to answer.
    if (thrown instanceof Error && thrown.name === 'AbortError' && isCut(exchange)) return
    finish(exchange, refusalOf(exchange, thrown))
  } catch (fault) {
    abandon(exchange, fault)
  }
}

/** A cut response is marked as destroyed a moment later than its connection. */
function isCut({ request, response }: Exchange): boolean {
  return response.destroyed || request.socket.destroyed
}

function refusalOf(exchange: Exchange, given: unknown): Answer {
  const { surface, services, operation } = exchange
  // When the world has gone, that is the reason, even if another error was thrown.
  const thrown = hasGone(exchange) ? worldGone() : given
  const known = surface.refuse(exchange, thrown)
  if (known) return known
  services.log.error({ err: thrown, operation }, 'a request failed inside the emulator')
  return internal(exchange, thrown instanceof Error ? thrown.message : String(thrown))
}

function internal(exchange: Exchange, reason: string): Answer {
  exchange.trace.fault = 'internal'
  return exchange.surface.refuse(exchange, new FaultError('internal', { reason })) ?? { status: 500 }
}

/** Step 7, then the last two. */
function finish(exchange: Exchange, reply: Answer): void {
  const { surface, services } = exchange
  const committed = surface.isCommitted(exchange) ? services.database.commit() : undefined
  const ready = services.options.strict ? prepareChecks() : undefined
  if (!committed && !ready) {
    respond(exchange, reply)
    return
  }
  Promise.all([committed, ready])
    .then(
      () => respond(exchange, reply),
      error => {
        services.log.error({ err: error, operation: exchange.operation }, 'a change could not be written')
        discard(reply)
        respond(exchange, internal(exchange, 'the change could not be written to the data directory'))
      },
    )
    .catch(fault => abandon(exchange, fault))
}

/** Steps 8 and 9. */
function respond(exchange: Exchange, reply: Answer): void {
  if (reply.kind === 'page') {
    servePage(exchange, reply, error => refuse(exchange, error ?? new FaultError('not_found')))
    return
  }
  const checked = exchange.services.options.strict ? strictly(exchange, reply) : reply
  const written = write(exchange, checked)
  if (exchange.account !== undefined && checked.headers && !hasGone(exchange))
    rememberWait(exchange.world, exchange.account, retryAfterIn(checked.headers))
  if (!exchange.surface.isJournaled(exchange)) return
  // A request from before the reset, restore or drop is not recorded in the new state of the world.
  if (!hasGone(exchange)) record(exchange, written)
  logRequest(exchange, written)
}

/** The seconds in a reply's Retry-After header; NaN without one. */
function retryAfterIn(headers: Headers): number {
  return Number(headerOf(headers, 'retry-after') ?? Number.NaN)
}

/** Under `--strict`, a reply that does not match its schema becomes a 500 that says why. */
function strictly(exchange: Exchange, reply: Exclude<Answer, { kind: 'page' }>): typeof reply {
  if (reply.kind !== undefined || isScripted(exchange.effects)) return reply
  const problem = exchange.surface.misfit(exchange, reply)
  if (problem === undefined) return reply
  const refusal = internal(exchange, `the reply of ${exchange.operation} does not fit its schema: ${problem}`)
  return refusal.kind === 'page' ? reply : refusal
}
