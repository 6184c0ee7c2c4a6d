import { reclocked, wallNow } from './clock.ts'
import { type Head, nowIn, put, reindex, remove, type World, type WorldValues } from './world.ts'
import { setHead } from './worlds.ts'

/** The collections that a snapshot holds: all but the snapshots themselves. */
const kept = ['accounts', 'tasks', 'assets', 'downloads', 'scenarios'] as const

type Kept = (typeof kept)[number]

/** A world's state at a moment as plain JSON. Tasks and other records are shared with the world, never copied: they are never changed in place. */
export type FrozenState = {
  head: Pick<Head, 'opening' | 'openedAt' | 'clock' | 'draws' | 'active' | 'counters' | 'injections'>
} & FrozenRecords

type FrozenRecords = { [C in Kept]: [id: string, value: WorldValues[C]][] }
type Records = { [C in Kept]: Map<string, WorldValues[C]> }

/** The state of a world now. Costs one small array an entry; no media and no history. */
export function freeze(world: World): FrozenState {
  const { head, accounts, tasks, assets, downloads, scenarios } = world.state
  const { opening, openedAt, clock, draws, active, counters, injections } = head
  return {
    // The head is the one record that changes in place.
    head: structuredClone({
      // Virtual time does not move in what is frozen, so the wall time beside it means nothing: twin worlds are equal.
      opening: { ...opening, clock: { ...opening.clock, wallMs: 0 } },
      openedAt,
      clock: { ...reclocked(clock, wallNow(), {}), wallMs: 0 },
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
 * Makes a world what it was. Every record that differs is marked, so that the disk holds what memory holds, in the same order.
 * The clock goes on from the frozen moment; request ids go on too, so that no two requests of a run share one.
 */
export function thaw(world: World, frozen: FrozenState): void {
  for (const collection of kept) replaceRecords(world, collection, frozen)
  const { boots } = world.state.head
  const head = structuredClone(frozen.head)
  setHead(world, { ...head, clock: { ...head.clock, wallMs: wallNow() }, boots })
  reindex(world)
  world.generation++
  world.journal.announce({ kind: 'restored', at: nowIn(world) })
}

/** Leaves alone what stands in its place already, and takes away and puts anew all from the first record that does not. */
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
