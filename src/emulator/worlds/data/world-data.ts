/** The kinds of records in a world, in the order in which a snapshot holds them. */
export const COLLECTIONS = [
  'head',
  'accounts',
  'tasks',
  'assets',
  'downloads',
  'scenarios',
  'snapshots',
] as const

/** World, collection and id address one record. */
export type Collection = (typeof COLLECTIONS)[number]

/** The values of each collection. The database only requires that every value is plain JSON. */
export type Values = Record<Collection, unknown>

/** The records of one world; each Map is in order of creation, also after a restart. */
export type WorldData<V extends Values = Values> = { [C in Collection]: Map<string, V[C]> }

/**
 * The whole stored state. Worlds are in the order of their first records: write the head of a world first, and
 * never delete it. A world without records does not survive a restart.
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

/** Whether a word from a file is the name of a collection. It is looked up in a list, since in an object `__proto__` would be found. */
export function isCollection(word: unknown): word is Collection {
  return COLLECTIONS.some(collection => collection === word)
}
