import { FaultError } from '../faults/fault-error.ts'
import { refusalHeaders } from '../http/headers.ts'
import { isRequestLost } from '../scenarios/effects/connection.ts'
import { proxyPage } from '../scenarios/proxy-page.ts'
import { type Effects, noEffects } from '../scenarios/scenario.ts'
import { advanceTo } from '../tasks/advance.ts'
import { nowIn } from '../worlds/world.ts'
import type { Reply } from './endpoint.ts'
import type { Exchange } from './exchange.ts'

/**
 * Step 4: what scenarios, the header trigger and prompt tags do to a request, right after access. Returns the reply when a
 * scenario gives it in full; a fault is thrown, so that the surface answers in its dialect.
 */
export function scenario(exchange: Exchange): Reply | undefined {
  const { surface, world, trace } = exchange
  const effects = surface.scenario(exchange)
  exchange.isCounted = true
  if (effects === noEffects) return undefined
  exchange.effects = effects
  if (effects.rule) trace.rule = effects.rule
  if (effects.clock) advanceTo(world, nowIn(world) + effects.clock.advanceMs)
  const { refuse } = effects
  const reply = scriptedReply(effects)
  if (!reply && refuse?.fault) throw new FaultError(refuse.fault, { ...refuse })
  return reply
}

/** A lost request gets no reply. The journal keeps it with status 0. */
const noReply: Reply = { status: 0 }

/** Whether a scenario gives the reply in full: then it is not checked against a schema. */
export function isScripted(effects: Effects): boolean {
  return scriptedReply(effects) !== undefined
}

function scriptedReply({ connection, refuse }: Effects): Reply | undefined {
  if (isRequestLost(connection)) return noReply
  if (!refuse) return undefined
  const { proxyPage: page, status, body } = refuse
  const headers = refusalHeaders(refuse)
  if (page !== undefined) return { status: page, body: proxyPage(page), headers, isFromProxy: true }
  if (status === undefined) return undefined
  return { status, headers, ...(body !== undefined && { body }) }
}
