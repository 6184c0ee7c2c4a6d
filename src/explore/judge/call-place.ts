import { type CallName, isSameCall } from '../plan/case.ts'
import type { WorldObservation } from '../plan/observe.ts'
import { callsOf } from '../plan/plan.ts'
import type { ToldCall } from '../run/run.ts'
import { ownFrame } from './uncaught/error.ts'
import { framesOfStack } from './uncaught/node.ts'

/** The place in the user's own files that made a call, such as `worker.mjs:17 \`call\``; undefined where several made calls like it. */
export function callPlace(
  told: readonly ToldCall[],
  { one, observed, folder }: { one: CallName; observed: WorldObservation; folder: string },
): string | undefined {
  const made = callsOf(observed.requests).find(call => isSameCall(call, one))?.request
  const alike = told.filter(
    ({ method, path, service }) =>
      method === made?.method &&
      path === made.path.replace(/\?.*/s, '') &&
      (service ?? made.service) === made.service,
  )
  const places = new Set(alike.map(({ stack }) => ownFrame(framesOfStack(stack), folder)))
  return places.size === 1 ? [...places][0] : undefined
}
