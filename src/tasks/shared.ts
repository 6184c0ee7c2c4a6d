import type { Charge, Task } from './task.ts'

/*
 * Tests and front ends send the same few bodies again and again. What is equal is held once, so that a task like thousands of
 * others adds little more than its id and its moments. Nothing shared is ever changed: tasks are not.
 */

const mostShared = 2000
/** Longer requests are seldom the same, and would make what is remembered large. Characters. */
const longestShared = 2048

const charges = new Map<string, Charge>()
const requests = new Map<string, { request: string; job: object }>()

/** The one charge of these prices. */
export function sharedCharge(charge: Charge): Charge {
  const key = `${charge.reserved}/${charge.settled}`
  const known = charges.get(key)
  if (known) return known
  const shared = Object.freeze({ reserved: charge.reserved, settled: charge.settled })
  return remember(charges, key, shared)
}

/** A task's request and job, as an earlier task holds them when they are equal. */
export function sharedRequest(request: string, job: object): Pick<Task, 'request' | 'job'> {
  if (request.length > longestShared) return { request, job }
  const known = requests.get(request)
  if (!known) return remember(requests, request, { request, job })
  // The same request may come to another job: some drew their length, and settings differ from emulator to emulator.
  if (!isSame(known.job, job)) known.job = job
  return known
}

function remember<T>(map: Map<string, T>, key: string, value: T): T {
  if (map.size >= mostShared) map.clear()
  map.set(key, value)
  return value
}

/** Whether two flat records hold the same values. Lists and records within count as the same only when they are one. */
function isSame(one: object, other: object): boolean {
  const [ours, theirs] = [one, other] as Record<string, unknown>[]
  const keys = Object.keys(other)
  return Object.keys(one).length === keys.length && keys.every(key => Object.is(ours?.[key], theirs?.[key]))
}
