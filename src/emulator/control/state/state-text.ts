import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Outlet } from '../../pipeline/exchange.ts'
import { offeredDocument } from '../../scenarios/known-scenarios.ts'
import { slicesOf } from '../../worlds/data/log-file.ts'
import { deepestJson, isDeeper } from '../../worlds/json-depth.ts'
import type { FrozenState } from '../../worlds/world.ts'
import type { ControlCall } from '../control-endpoint.ts'
import { badRequest } from '../control-error.ts'
import { below, nameFault, stateFaults } from './record-fault.ts'

/** A world as one document, as `GET /state` gives it. */
export interface StateDocument {
  format: string
  version: number
  world: string
  exported_at: string
  state: FrozenState
  snapshots: { name: string; at: number; state: FrozenState }[]
}

/**
 * The JSON of a document, the same as `JSON.stringify` gives, in pieces of one record each: a world of a hundred thousand tasks
 * with snapshots is longer than the longest possible string.
 */
export function* piecesOf({ state, snapshots, ...rest }: StateDocument): Generator<string> {
  yield `${JSON.stringify(rest).slice(0, -1)},"state":`
  yield* statePieces(state)
  yield ',"snapshots":['
  for (const [index, { state: kept, ...about }] of snapshots.entries()) {
    yield `${index > 0 ? ',' : ''}${JSON.stringify(about).slice(0, -1)},"state":`
    yield* statePieces(kept)
    yield '}'
  }
  yield ']}'
}

function* statePieces(state: FrozenState): Generator<string> {
  for (const [index, [key, value]] of Object.entries(state).entries()) {
    yield `${index > 0 ? ',' : '{'}${JSON.stringify(key)}:`
    if (Array.isArray(value)) yield* listPieces(value)
    else yield JSON.stringify(value)
  }
  yield '}'
}

function* listPieces(list: readonly unknown[]): Generator<string> {
  yield '['
  for (const [index, entry] of list.entries()) yield `${index > 0 ? ',' : ''}${JSON.stringify(entry)}`
  yield ']'
}

/** With more unread bytes than this, the next slice waits for the client. */
const mostWaiting = 4 * 1024 * 1024

/**
 * Sends a text in slices of half a megabyte. Other requests are served between two slices. It waits for a slow client, and
 * ends early when the client disconnects.
 */
export async function sendInSlices(outlet: Outlet, pieces: Iterable<string>): Promise<void> {
  let isGone = false
  outlet.onClose(() => {
    isGone = true
  })
  for (const slice of slicesOf(pieces)) {
    outlet.write(slice)
    await (outlet.waitingBytes > mostWaiting ? outlet.drained() : nextTurn())
    if (isGone) return
  }
  outlet.end()
}

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
