import { FaultError } from '../faults/fault-error.ts'
import { inRange } from '../worlds/clock.ts'
import { type Account, put, type World } from '../worlds/world.ts'

/** The longest wait for a rate-limit slot before a create is refused (A-rate). */
const standardWaitMs = 60_000

/**
 * Takes the account's next free start slot, virtual ms: a slot that a cancelled task gave back, else the next one that the limit
 * allows. Throws `rate_limited` when the slot is more than `longestMs` ahead.
 */
export function takeSlot(world: World, account: Account, now: number, longestMs = standardWaitMs): number {
  const limit = account.requestsPerMinute
  if (limit === null) return now
  // Other requests may have taken slots while this request's media were read.
  const current = world.state.accounts.get(account.id) ?? account
  const { slots, freedSlots = [] } = current
  const [freed, ...others] = freedSlots.filter(slot => slot >= now)
  const oldest = slots.length < limit ? undefined : slots.at(-limit)
  const slot = freed ?? (oldest === undefined ? now : inRange(Math.max(now, oldest + 60_000)))
  if (slot - now > longestMs) {
    // The client only needs to wait until the slot is at most `longestMs` ahead.
    throw new FaultError('rate_limited', {
      reason: `the account may start ${limit} requests per minute`,
      retryAfterMs: slot - now - longestMs,
    })
  }
  if (freed !== undefined) putFreed(world, current, others)
  else put(world, 'accounts', account.id, { ...current, slots: [...slots, slot].slice(-limit) })
  return slot
}

/** Gives the slot of a task back to its account when the task was cancelled while it waited. */
export function giveBackSlot(world: World, accountId: string, slot: number): void {
  const account = world.state.accounts.get(accountId)
  if (!account || account.requestsPerMinute === null) return
  putFreed(
    world,
    account,
    [...(account.freedSlots ?? []), slot].sort((one, other) => one - other),
  )
}

function putFreed(world: World, account: Account, freed: readonly number[]): void {
  const { freedSlots: _, ...rest } = account
  put(world, 'accounts', account.id, freed.length > 0 ? { ...rest, freedSlots: freed } : rest)
}
