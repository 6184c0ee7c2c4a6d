/** The kinds of record a world is made of; the order is the order in which a snapshot holds them. */
export const COLLECTIONS = [
  'head',
  'accounts',
  'tasks',
  'assets',
  'downloads',
  'scenarios',
  'snapshots',
] as const

/** One record is addressed by world, collection and id. */
export type Collection = (typeof COLLECTIONS)[number]

/** What each collection holds. The database needs no more than that every value is plain JSON. */
export type Values = Record<Collection, unknown>

/** The records of one world; each Map is in order of creation, and stays so over a restart. */
export type WorldData<V extends Values = Values> = { [C in Collection]: Map<string, V[C]> }

/**
 * Everything the emulator remembers. Worlds stand in the order of their first records: give each a head
 * before all else and keep it. A world without records is not kept over a restart.
 */
export type Data<V extends Values = Values> = { worlds: Map<string, WorldData<V>> }

/** A world without records. */
export function emptyWorldData<V extends Values = Values>(): WorldData<V> {
  return {
    head: new Map(),
    accounts: new Map(),
    tasks: new Map(),
    assets: new Map(),
    downloads: new Map(),
    scenarios: new Map(),
    snapshots: new Map(),
  }
}

/** Whether a word read from a file names a collection; a list, not an object, so `__proto__` is no collection. */
export function isCollection(word: unknown): word is Collection {
  return COLLECTIONS.some(collection => collection === word)
}
