import type { Charge, Task } from '../worlds/task.ts'

/*
 * Tests and front ends often send the same few bodies. Equal values are kept once, so that a task that equals thousands of
 * others adds little more than its id and its moments: a short text task saves about 430 bytes. Sharing is safe, since tasks are never changed in place.
 */

const mostShared = 2000
/** Longer requests are not shared: they are rarely equal and would make the cache large. Characters. */
const longestShared = 2048

/** Equal values of all worlds, at most `mostShared` of each. Saves memory, not time. */
const charges = new Map<number, Charge>()
const requests = new Map<string, { request: string; job: object }>()

/** The shared charge object with these prices. */
export function sharedCharge(charge: Charge): Charge {
  const { reserved, settled } = charge
  const known = charges.get(settled)
  // An open length is reserved at a higher price, so equal true prices may differ here.
  if (known?.reserved === reserved) return known
  return remember(charges, settled, Object.freeze({ reserved, settled }))
}

/** A task's request and job; when an earlier task has equal ones, that task's objects. */
export function sharedRequest(request: string, job: object): Pick<Task, 'request' | 'job'> {
  if (request.length > longestShared) return { request, job }
  const known = requests.get(request)
  if (!known) return remember(requests, request, { request, job })
  // Equal requests may have different jobs: some jobs draw their length, and settings differ between emulators.
  if (!isSame(known.job, job)) known.job = job
  return known
}

function remember<K, T>(map: Map<K, T>, key: K, value: T): T {
  if (map.size >= mostShared) map.clear()
  map.set(key, value)
  return value
}

/** Whether two flat records hold the same values. Nested lists and records are equal only when they are the same object. */
function isSame(one: object, other: object): boolean {
  const [ours, theirs] = [one, other] as [Record<string, unknown>, Record<string, unknown>]
  let unmatched = 0
  for (const _ in ours) unmatched++
  for (const key in theirs) {
    if (!Object.is(ours[key], theirs[key])) return false
    unmatched--
  }
  return unmatched === 0
}
