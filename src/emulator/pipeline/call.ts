import { FaultError } from '../faults/fault-error.ts'
import { checkActive } from '../http/account.ts'
import { noEffects } from '../scenarios/scenario.ts'
import { nowIn, type World } from '../worlds/world.ts'
import type { Call } from './endpoint.ts'

/** The required fields of a call. */
type Needed = Pick<Call, 'world' | 'account' | 'services' | 'baseUrl'>

/** A call that does not come from a request of the emulated API. Fields that are not given are empty; the moment is now unless given. */
export function callOf(needed: Needed & Partial<Call>): Call {
  const { world } = needed
  return {
    generation: world.generation,
    now: nowIn(world),
    operation: '',
    requestId: '',
    params: {},
    query: {},
    body: {},
    headers: {},
    effects: noEffects,
    trace: {},
    ...needed,
  }
}

/**
 * The call with clock and account read again, after a wait. Throws `unavailable` when its world no longer exists and
 * `unauthenticated` when its key was disabled during the wait.
 */
export function atThisMoment(call: Call): Call {
  const { world, generation, services } = call
  checkPresent(world, generation)
  const account = services.worlds.account(world, call.account.id)
  checkActive(account, call.keyLabel)
  return { ...call, account, now: nowIn(world) }
}

/** Throws `unavailable` when the world's generation has changed: it was reset, restored, replaced or dropped. */
export function checkPresent(world: World, generation: number | undefined): void {
  if (generation !== undefined && world.generation !== generation) throw worldGone()
}

/** The refusal of a request whose world was reset, restored, replaced or dropped while the request waited. */
export function worldGone(): FaultError {
  const reason =
    'the world was reset, restored, replaced or dropped while the request waited, so the request was not carried out'
  return new FaultError('unavailable', { reason, message: `${reason[0]?.toUpperCase()}${reason.slice(1)}.` })
}
