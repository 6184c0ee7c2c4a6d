import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { checkShape } from '../../http/validate.ts'
import type { Outlet } from '../../pipeline/exchange.ts'
import { fileDocument, offeredDocument } from '../../scenarios/known-scenarios.ts'
import { announceNow } from '../../tasks/advance.ts'
import { iso } from '../../worlds/clock.ts'
import { slicesOf } from '../../worlds/data/log-file.ts'
import { firstDocumentVersion, migratedState, migrations } from '../../worlds/database.ts'
import { freeze, thaw } from '../../worlds/frozen-state.ts'
import type { StoredScenario } from '../../worlds/head.ts'
import { deepestJson, isDeeper } from '../../worlds/json-depth.ts'
import { type FrozenState, nowIn, put, remove, type World } from '../../worlds/world.ts'
import { type ControlCall, done, endpoints } from '../control-endpoint.ts'
import { badRequest } from '../control-error.ts'
import { below, nameFault, stateFaults, stateSchema } from '../state/record-fault.ts'

const format = 'generation-gateway-emulator/world'
/** Each migration raises it, as it raises the version of data files. */
const version = firstDocumentVersion + migrations.length
/** The body limit is higher than for the emulated API, since a world of a hundred thousand tasks is one document. */
const largestDocument = 400 * 1024 * 1024

interface Document {
  version: number
  state: FrozenState
  snapshots?: { name: string; at: number; state: FrozenState }[]
}

/** A whole world as one versioned document. The journal and the bytes of media are not part of it. */
export const stateEndpoints = endpoints({
  'GET /state': {
    summary: 'The whole world as one versioned JSON document',
    handle({ world }) {
      // Taken in one step. Its records are never changed in place, so sending may take long.
      const document = documentOf(world)
      return {
        kind: 'stream',
        status: 200,
        headers: { 'Content-Type': 'application/json; charset=utf-8' },
        run: outlet => {
          sendInSlices(outlet, piecesOf(document)).catch(outlet.cut)
        },
      }
    },
  },
  'PUT /state': {
    opens: true,
    example: { body: emptyWorld() },
    summary: 'Replace the world by the state in a document; when the document has an error, nothing changes',
    body: { type: 'object' },
    maxBodyBytes: largestDocument,
    async handle(call) {
      const { world } = call
      const document = checked(call.body)
      await checkState(call, document.state, 'state')
      for (const [index, { state }] of (document.snapshots ?? []).entries())
        await checkState(call, state, `snapshots[${index}].state`)
      replace(world, document)
      return done({ id: world.id, tasks: world.state.tasks.size, now: iso(nowIn(world)) })
    },
  },
})

/** The document of a world without tasks, at noon of 1 March 2026. */
function emptyWorld() {
  const virtualMs = Date.UTC(2026, 2, 1, 12)
  const clock = { mode: 'manual', rate: 1, virtualMs, wallMs: 0 }
  const opening = { seed: 1, clock, scenarios: [], byKey: false }
  const head = { opening, openedAt: virtualMs, clock, draws: {}, active: [], counters: {} }
  const state = { head, accounts: [], tasks: [], assets: [], downloads: [], scenarios: [] }
  return { format, version, state }
}

function documentOf(world: World): StateDocument {
  return {
    format,
    version,
    world: world.id,
    exported_at: iso(nowIn(world)),
    state: withFileScenarios(world, freeze(world)),
    snapshots: [...world.state.snapshots.values()].map(({ name, at, state }) => ({
      name,
      at,
      state: withFileScenarios(world, state),
    })),
  }
}

/** A state with the documents of its scenarios that come from `--scenario` files: an emulator without these files can load it. */
function withFileScenarios({ database }: World, { head, scenarios, ...rest }: FrozenState): FrozenState {
  const { opening, active } = head
  const { documents = [] } = opening
  const missing = (names: readonly string[], known: readonly string[]) =>
    names.filter(name => !known.includes(name)).flatMap(name => fileDocument(database, name) ?? [])
  const posted = scenarios.map(([id]) => id)
  const given = documents.map(({ name }) => name)
  const ofOpening = missing(opening.scenarios, given)
  const ofActive = missing(
    active.map(({ name }) => name),
    posted,
  )
  return {
    head: {
      ...head,
      opening: ofOpening.length === 0 ? opening : { ...opening, documents: [...documents, ...ofOpening] },
    },
    scenarios: [...scenarios, ...ofActive.map(one => [one.name, one] as [string, StoredScenario])],
    ...rest,
  }
}

/** The reverse, for the files that this emulator has too: their scenarios stay scenarios of files. */
function withoutFileScenarios({ database }: World, { head, scenarios, ...rest }: FrozenState): FrozenState {
  const isOther = (one: StoredScenario) => !isDeepStrictEqual(one, fileDocument(database, one.name))
  const { documents, ...opening } = head.opening
  const others = documents?.filter(isOther) ?? []
  return {
    head: { ...head, opening: { ...opening, ...(others.length > 0 && { documents: others }) } },
    scenarios: scenarios.filter(([, one]) => isOther(one)),
    ...rest,
  }
}

/** A document in this program's version, whose outer shape is right. Throws 400. */
function checked(body: unknown): Document {
  const { version: given, format: givenFormat } = body as { version?: unknown; format?: unknown }
  if (givenFormat !== undefined && givenFormat !== format)
    throw badRequest(`The document's format is not ${format}`, { path: 'format' })
  // Checked first, since the rest of another version is unknown.
  if (!Number.isInteger(given) || Number(given) < firstDocumentVersion || Number(given) > version)
    throw badRequest(
      `The document's version is ${JSON.stringify(given)}; this emulator reads ${version === firstDocumentVersion ? `version ${version}` : `versions ${firstDocumentVersion} to ${version}`}`,
      { path: 'version' },
    )
  checkDepth(body)
  checkShape(stateSchema, body)
  return inThisVersion(body as Document)
}

function inThisVersion(document: Document): Document {
  const steps = migrations.slice(document.version - firstDocumentVersion)
  if (steps.length === 0) return document
  const renewed = <D extends { state: FrozenState }>(holder: D): D => {
    const moved = { ...holder, state: migratedState(holder.state, steps) }
    return moved as D
  }
  const { snapshots } = document
  return { ...renewed(document), ...(snapshots && { snapshots: snapshots.map(renewed) }) }
}

function replace(world: World, document: Document): void {
  const { boots, opening } = world.state.head
  const state = withoutFileScenarios(world, document.state)
  const head = { ...state.head, opening: { ...state.head.opening, byKey: opening.byKey } }
  for (const name of [...world.state.snapshots.keys()]) remove(world, 'snapshots', name)
  announceNow(world)
  thaw(world, { ...state, head })
  world.journal.clear()
  for (const { state: kept, ...about } of document.snapshots ?? []) {
    // Journal entries of another emulator do not belong to this world: restoring such a snapshot empties the journal.
    const journal = { boots: boots - 1, lastId: 0 }
    put(world, 'snapshots', about.name, { ...about, state: withoutFileScenarios(world, kept), journal })
  }
}

/** A world as one document, as `GET /state` gives it. */
interface StateDocument {
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
function checkDepth(value: unknown): void {
  if (isDeeper(value, deepestJson))
    throw badRequest(`The document is nested deeper than ${deepestJson} levels`)
}

/** After this many records, other requests get their turn. */
const recordsPerTurn = 1000

/**
 * Checks every record of a state whose outer shape is right. Throws 400. It reads only this state, so it does not matter that
 * other data may change between its turns.
 */
async function checkState({ services }: ControlCall, state: FrozenState, path: string): Promise<void> {
  let checked = 0
  for (const fault of stateFaults(state)) {
    if (fault) throw below(path, fault)
    if (++checked % recordsPerTurn === 0) await nextTurn()
  }
  const isOffered = (name: string) => offeredDocument(services.database, name) !== undefined
  const fault = below(path, nameFault(state.head, state.scenarios, isOffered))
  if (fault) throw fault
}
