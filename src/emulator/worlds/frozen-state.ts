import { reclocked, steadyNow } from './clock.ts'
import { startGeneration } from './under-way.ts'
import {
  type FrozenRecords,
  type FrozenState,
  frozenCollections,
  type Kept,
  nowIn,
  put,
  reindex,
  remove,
  setHead,
  type World,
  type WorldValues,
} from './world.ts'

type Records = { [C in Kept]: Map<string, WorldValues[C]> }

/** The state of a world now. It needs one small array per entry; media and history are not included. */
export function freeze(world: World): FrozenState {
  const { head, accounts, tasks, assets, downloads, scenarios } = world.state
  const { opening, openedAt, clock, draws, active, counters, injections } = head
  return {
    // The head is the only record that changes in place.
    head: structuredClone({
      // Virtual time does not move in a frozen state, so wall time has no meaning: set to 0, equal worlds give equal documents.
      opening: { ...opening, clock: { ...opening.clock, wallMs: 0 } },
      openedAt,
      clock: { ...reclocked(clock, steadyNow(), {}), wallMs: 0 },
      draws,
      active,
      counters,
      ...(injections && { injections }),
    }),
    accounts: [...accounts],
    tasks: [...tasks],
    assets: [...assets],
    downloads: [...downloads],
    scenarios: [...scenarios],
  }
}

/**
 * Restores a world to a frozen state. Every different record is marked, so that the disk holds the same records as memory, in the
 * same order. The clock continues from the frozen moment. Request ids continue too, so that no two requests of a run have the same id.
 */
export function thaw(world: World, frozen: FrozenState): void {
  for (const collection of frozenCollections) replaceRecords(world, collection, frozen)
  const { boots } = world.state.head
  const head = structuredClone(frozen.head)
  setHead(world, { ...head, clock: { ...head.clock, wallMs: steadyNow() }, boots })
  reindex(world)
  startGeneration(world)
  world.journal.events.announce({ kind: 'restored', at: nowIn(world) })
}

/** Keeps the records that are already in place. From the first different record on, removes all and adds them again. */
function replaceRecords<C extends Kept>(world: World, collection: C, frozen: FrozenRecords): void {
  const target: FrozenRecords[C] = frozen[collection]
  const records: Records[C] = (world.state as Records)[collection]
  const ids = [...records.keys()]
  const differsAt = ids.findIndex((id, index) => id !== target[index]?.[0])
  const same = differsAt < 0 ? ids.length : differsAt
  for (const id of ids.slice(same)) remove(world, collection, id)
  for (const [index, [id, value]] of target.entries()) {
    if (index >= same || records.get(id) !== value) put(world, collection, id, value)
  }
}
