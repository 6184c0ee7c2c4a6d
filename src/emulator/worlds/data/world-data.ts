import { isRecord } from '../record-values.ts'

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
  return Object.fromEntries(COLLECTIONS.map(collection => [collection, new Map()])) as WorldData<V>
}

/** Whether a word from a file is the name of a collection. It is looked up in a list, since in an object `__proto__` would be found. */
export function isCollection(word: unknown): word is Collection {
  return COLLECTIONS.some(collection => collection === word)
}

/** A record as a data file or a state document holds it; a world's head has the id `''`. */
export type StoredRecord = { collection: Collection; id: string; value: unknown }

/** Gives a record's value the shape of the next version. It gets each record of each kind, also those inside snapshots. */
export type Migration = (record: StoredRecord) => unknown

/**
 * One step for each version since the first; their number is part of the version of files and documents. CONTRIBUTING,
 * "Stored data", says when to add one.
 */
export const migrations: readonly Migration[] = []

/** The first version of data files that is read. Versions 1 and 2 were written before the first release. */
export const firstFileVersion = 3

/** The first version of state documents. */
export const firstDocumentVersion = 1

/** A record's value after the steps. A snapshot's records take each step before the snapshot does. */
export function migrated(record: StoredRecord, steps: readonly Migration[]): unknown {
  return steps.reduce((value, step) => stepped({ ...record, value }, step), record.value)
}

function stepped(record: StoredRecord, step: Migration): unknown {
  const { collection, value } = record
  if (collection !== 'snapshots' || !isRecord(value)) return step(record)
  return step({ ...record, value: { ...value, state: migratedState(value.state, [step]) } })
}

/** The state of a snapshot or a document after the steps. Parts of an unexpected shape are left as they are: their check refuses them. */
export function migratedState(state: unknown, steps: readonly Migration[]): unknown {
  if (steps.length === 0 || !isRecord(state)) return state
  const entries = Object.entries(state).map(([name, part]) => [name, migratedPart(name, part, steps)])
  return Object.fromEntries(entries)
}

function migratedPart(name: string, part: unknown, steps: readonly Migration[]): unknown {
  const collection = name as Collection
  if (name === 'head') return migrated({ collection, id: '', value: part }, steps)
  if (!Array.isArray(part)) return part
  return part.map((pair: unknown) => {
    if (!Array.isArray(pair) || typeof pair[0] !== 'string') return pair
    const [id, value] = pair
    return [id, migrated({ collection, id, value }, steps)]
  })
}
