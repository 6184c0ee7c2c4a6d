import { setImmediate as nextTurn } from 'node:timers/promises'
import { offeredDocument } from '../../scenarios/known-scenarios.ts'
import { deepestJson, isDeeper } from '../../worlds/json-depth.ts'
import type { FrozenState } from '../../worlds/world.ts'
import type { ControlCall } from '../control-endpoint.ts'
import { badRequest } from '../control-error.ts'
import { below, nameFault, stateFaults } from './record-fault.ts'

/** Refuses a document that is nested so deeply that reading or writing it would crash the process. Throws 400. */
export function checkDepth(value: unknown): void {
  if (isDeeper(value, deepestJson))
    throw badRequest(`The document is nested deeper than ${deepestJson} levels`)
}

/** After this many records, other requests get their turn. */
const recordsPerTurn = 1000

/**
 * Checks every record of a state whose outer shape is right. Throws 400. It reads only this state, so it does not matter that
 * other data may change between its turns.
 */
export async function checkState({ services }: ControlCall, state: FrozenState, path: string): Promise<void> {
  let checked = 0
  for (const fault of stateFaults(state)) {
    if (fault) throw below(path, fault)
    if (++checked % recordsPerTurn === 0) await nextTurn()
  }
  const isOffered = (name: string) => offeredDocument(services.database, name) !== undefined
  const fault = below(path, nameFault(state.head, state.scenarios, isOffered))
  if (fault) throw fault
}
