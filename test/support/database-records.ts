import { type Collection, type Database, emptyWorldData } from '../../src/emulator/worlds/database.ts'

/** Sets a record and marks it, as the worlds do. */
export function put(
  database: Database,
  world: string,
  collection: Collection,
  id: string,
  value: unknown,
): void {
  const data = database.data.worlds.get(world) ?? emptyWorldData()
  database.data.worlds.set(world, data)
  data[collection].set(id, value)
  database.changed(world, collection, id)
}

/** Deletes a record and marks it. */
export function remove(database: Database, world: string, collection: Collection, id: string): void {
  database.data.worlds.get(world)?.[collection].delete(id)
  database.changed(world, collection, id)
}

/** Drops a world and marks it. */
export function drop(database: Database, world: string): void {
  database.data.worlds.delete(world)
  database.dropped(world)
}

/**
 * All records in order, as plain text. Within a world they are grouped by collection, because the order of collections has no
 * meaning.
 */
export function stateOf(database: Database): string {
  const worlds = [...database.data.worlds].map(([id, data]) => [
    id,
    Object.entries(data)
      .filter(([, records]) => records.size > 0)
      .map(([collection, records]) => [collection, [...records]]),
  ])
  // A world without records is not stored.
  return JSON.stringify(worlds.filter(([, records]) => records?.length))
}

/** The ids of one collection in order. */
export function idsOf(database: Database, world: string, collection: Collection): string[] {
  return [...(database.data.worlds.get(world)?.[collection].keys() ?? [])]
}
