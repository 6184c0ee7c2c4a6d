import type { Services } from '../../server/services.ts'
import { wallNow } from '../../worlds/clock.ts'
import { freeze, thaw } from '../../worlds/frozen-state.ts'
import { put, type World } from '../../worlds/world.ts'
import { type ControlCall, type ControlEndpoint, done } from '../control-endpoint.ts'
import { conflict, notFound } from '../control-error.ts'

/** The property of a query that asks for a way back. */
export const undoQuery = {
  undo: {
    type: 'string',
    enum: ['true', 'false'],
    description: 'true: the reply has `undo`, an id. POST /undo/{id} brings back what this call removes.',
  },
} as const

/** Brings back what a call removed. */
type WayBack = () => void

interface Kept {
  wayBack: WayBack
  keptAt: number
}

/** A way back is kept this long, in wall milliseconds: a person has ten seconds, and may be slow. */
const longestMs = 60_000
/** The most ways back that an emulator keeps: each may hold a whole world. */
const mostKept = 8

/** By emulator: ways back are in memory alone, and end with the process. */
const keptBy = new WeakMap<Services, Map<string, Kept>>()
let lastNumber = 0

/** Undoing what a call removed, for a short time. */
export const undoEndpoints: readonly ControlEndpoint[] = [
  {
    method: 'POST',
    paths: ['/undo/:id'],
    summary: 'Bring back what a call with undo=true removed; possible once, for a minute',
    body: { type: 'object' },
    bodyOptional: true,
    handle({ services, params: { id = '' } }) {
      const kept = present(services).get(id)
      if (!kept) throw notFound(`The way back ${id}`)
      kept.wayBack()
      present(services).delete(id)
      return done()
    },
  },
  {
    method: 'DELETE',
    paths: ['/undo/:id'],
    summary: 'Free the memory of a way back that will not be used',
    handle({ services, params: { id = '' } }) {
      present(services).delete(id)
      return done()
    },
  },
]

/** Prepares and keeps a way back when the call asks for one; to be called before it removes anything. Returns `{undo}` for the reply, or nothing. */
export function keepWayBack(
  { query, services }: Pick<ControlCall, 'query' | 'services'>,
  prepare: () => WayBack,
): { undo?: string } {
  if (query.undo !== 'true') return {}
  const wayBack = prepare()
  const kept = present(services)
  const id = `undo-${++lastNumber}`
  kept.set(id, { wayBack, keptAt: wallNow() })
  const [oldest] = kept.keys()
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
  return { undo: id }
}

/** The way back to the whole present state of a world, its journal included. */
export function wayBackTo({ world, services }: Pick<ControlCall, 'world' | 'services'>): WayBack {
  const putBack = stateOf(world)
  return () => {
    if (services.worlds.find(world.id) !== world) throw conflict(`The world ${world.id} was dropped`)
    putBack(world)
  }
}

/** The way back to a world that is about to be dropped. */
export function wayBackToDropped({ worlds }: Services, world: World): WayBack {
  const putBack = stateOf(world)
  const snapshots = [...world.state.snapshots]
  return () => {
    if (worlds.find(world.id)) throw conflict(`There is a new world ${world.id}`)
    const again = worlds.open(world.id, { byKey: world.state.head.opening.byKey })
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

function present(services: Services): Map<string, Kept> {
  const kept = keptBy.get(services) ?? new Map<string, Kept>()
  keptBy.set(services, kept)
  const oldest = wallNow() - longestMs
  for (const [id, { keptAt }] of kept) if (keptAt < oldest) kept.delete(id)
  return kept
}
