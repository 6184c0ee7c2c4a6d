import type { Services } from '../../pipeline/endpoint.ts'
import { realTime } from '../../worlds/clock.ts'
import { freeze, thaw } from '../../worlds/frozen-state.ts'
import { put, type World } from '../../worlds/world.ts'
import { type ControlCall, done, endpoints } from '../control-endpoint.ts'
import { conflict, notFound } from '../control-error.ts'

/** The property of a query that asks for an undo. */
export const undoQuery = {
  undo: {
    type: 'string',
    enum: ['true', 'false'],
    description: 'true: the reply has `undo`, an id. POST /undo/{id} brings back what this call removes.',
  },
} as const

/** Restores what a call removed. */
type Undo = () => void

interface Kept {
  undo: Undo
  keptAt: number
}

/** An undo is kept for this long, wall ms: a page offers it for ten seconds, and people may be slow. */
const longestMs = 60_000
/** The most undos that an emulator keeps; each may hold a whole world. */
const mostKept = 8

/** By emulator. Undos are only in memory, and end with the process. */
const keptBy = new WeakMap<Services, Map<string, Kept>>()
let lastNumber = 0

/** Undoing what a call removed, for a short time. */
export const undoEndpoints = endpoints({
  'POST /undo/:id': {
    summary: 'Bring back what a call with undo=true removed; possible once, for a minute',
    body: { type: 'object' },
    bodyOptional: true,
    handle({ services, params: { id = '' } }) {
      const kept = stillKept(services).get(id)
      if (!kept) throw notFound(`The undo ${id}`)
      kept.undo()
      stillKept(services).delete(id)
      return done()
    },
  },
  'DELETE /undo/:id': {
    summary: 'Free the memory of an undo that will not be used',
    handle({ services, params: { id = '' } }) {
      stillKept(services).delete(id)
      return done()
    },
  },
})

/** Prepares and stores an undo when the call asks for one. Call it before the removal. Returns `{undo}` for the reply, or an empty object. */
export function offerUndo(
  { query, services }: Pick<ControlCall, 'query' | 'services'>,
  prepare: () => Undo,
): { undo?: string } {
  if (query.undo !== 'true') return {}
  const undo = prepare()
  const kept = stillKept(services)
  const id = `undo-${++lastNumber}`
  kept.set(id, { undo, keptAt: realTime.wallNow() })
  const [oldest] = kept.keys()
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
  return { undo: id }
}

/** The undo to the whole present state of a world, its journal included. */
export function undoTo({ world, services }: Pick<ControlCall, 'world' | 'services'>): Undo {
  const putBack = stateOf(world)
  return () => {
    if (services.worlds.find(world.id) !== world) throw conflict(`The world ${world.id} was dropped`)
    putBack(world)
  }
}

/** The undo of dropping a world. */
export function undoDrop({ worlds }: Services, world: World): Undo {
  const putBack = stateOf(world)
  const snapshots = [...world.state.snapshots]
  return () => {
    if (worlds.find(world.id)) throw conflict(`There is a new world ${world.id}`)
    const { services, state } = world
    const again = worlds.open(world.id, { services, byKey: state.head.opening.byKey })
    for (const [name, snapshot] of snapshots) put(again, 'snapshots', name, snapshot)
    putBack(again)
  }
}

function stateOf(world: World): (target: World) => void {
  const { requests } = world
  const state = freeze(world)
  const history = world.journal.history()
  return target => {
    target.journal.clear()
    target.journal.putBack(history)
    // No two requests of a run may have the same id.
    target.requests = Math.max(requests, target.requests)
    thaw(target, state)
  }
}

function stillKept(services: Services): Map<string, Kept> {
  const kept = keptBy.get(services) ?? new Map<string, Kept>()
  keptBy.set(services, kept)
  const oldest = realTime.wallNow() - longestMs
  for (const [id, { keptAt }] of kept) if (keptAt < oldest) kept.delete(id)
  return kept
}
