import type { Account, Asset } from './account.ts'
import { clockNow, inRange, steadyNow } from './clock.ts'
import type { Database } from './database.ts'
import type { Head, StoredScenario } from './head.ts'
import { createJournal, type Journal } from './journal.ts'
import { OwnedTasks } from './owned-tasks.ts'
import { type Random, randomFor } from './random.ts'
import type { Status, Task } from './task.ts'

/** A world's state at a moment as plain JSON. Tasks and other records are shared with the world, not copied, since they are never changed in place. */
export type FrozenState = {
  head: Pick<Head, 'opening' | 'openedAt' | 'clock' | 'draws' | 'active' | 'counters' | 'injections'>
} & FrozenRecords

export type Kept = (typeof frozenCollections)[number]
export type FrozenRecords = { [C in Kept]: [id: string, value: WorldValues[C]][] }

export type { Account, Asset } from './account.ts'
export type { Head } from './head.ts'

/** A named copy of a world's state. Tasks are shared with it, never copied, since they are never changed in place. */
export interface Snapshot {
  name: string
  /** The virtual moment it was taken at. */
  at: number
  state: FrozenState
  /** The newest journal entry at that moment, and its run: later entries do not belong to the restored world. */
  journal: { boots: number; lastId: number }
}

/** A wait that a reply asked for (`Retry-After`). */
export interface AskedWait {
  /** Steady time of the reply, ms. */
  askedAtMs: number
  ms: number
  /** The virtual moment of its end. */
  untilMs: number
}

/** The type of the records in each collection of a world. */
export type WorldValues = {
  head: Head
  accounts: Account
  tasks: Task
  assets: Asset
  /** How often each result file was downloaded, by `task/output`. */
  downloads: number
  /** Scenario documents posted to this world. */
  scenarios: StoredScenario
  snapshots: Snapshot
}

/** The collections that a snapshot holds and a reset empties: all except the snapshots. */
export const frozenCollections = ['accounts', 'tasks', 'assets', 'downloads', 'scenarios'] as const

/** The whole state of a world as plain records; each Map is in order of creation. */
export type WorldState = { head: Head } & Records

type Records = { [C in Exclude<keyof WorldValues, 'head'>]: Map<string, WorldValues[C]> }

/** The database that keeps worlds. */
export type WorldDatabase = Database<WorldValues>

/** One isolated emulated gateway: its state, and data that is derived from it or may be lost. */
export interface World {
  readonly id: string
  state: WorldState
  readonly journal: Journal
  /** Tasks that may still change by themselves; derived. */
  unfinished: Set<Task>
  /** The tasks of each account, by family; derived. */
  owned: Map<string, Map<string, OwnedTasks>>
  /** The status that the last poll of each task showed (auto mode); may be lost. */
  seen: Map<string, Status>
  /** The virtual moment up to which listeners have received all changes; derived. */
  announcedUntil: number
  /** Waits that replies asked for and that have not passed (auto mode); may be lost. */
  waits: Map<string, AskedWait>
  /** Requests so far in this run, for request ids. */
  requests: number
  usedAt: number
  /** The services of the system that calls it: each call is attributed to one of them. Kept in memory; absent = calls are not attributed. */
  readonly services: readonly string[] | undefined
  /** Increases on reset, restore, replacement and drop. A request belongs to one generation. */
  generation: number
  readonly database: WorldDatabase
}

/** Virtual now of a world, in epoch milliseconds. */
export function nowIn(world: World): number {
  const { clock } = world.state.head
  return clock.mode === 'realtime' ? clockNow(clock, steadyNow()) : clock.virtualMs
}

/** Wall time between two writes of the moment that replies have shown. A restart may skip as much. */
const noteEveryMs = 1000

/** Before a reply is sent: keeps in the head how far realtime has come, so that a task never goes back to an earlier state. */
export function noteReached(world: World): void {
  const { head } = world.state
  const now = nowIn(world)
  if (head.clock.mode !== 'realtime' || now <= (head.reachedAt ?? -1)) return
  head.reachedAt = inRange(now + Math.ceil(noteEveryMs * head.clock.rate))
  headChanged(world)
}

/** The next stream of a kind in this world. The count is part of the state, so that values do not repeat after a restart. */
export function drawStream(world: World, kind: string): Random {
  return randomFor(world.state.head.opening.seed, kind, countDraw(world, kind))
}

/** Counts one more draw of a kind, and returns the number of the draws before it. */
export function countDraw(world: World, kind: string): number {
  const { draws } = world.state.head
  const ordinal = draws[kind] ?? 0
  draws[kind] = ordinal + 1
  headChanged(world)
  return ordinal
}

/** The stream for the id of the next request: from the seed, the request's ordinal in this run, and the number of the run. */
export function requestRandom(world: World): Random {
  const { opening, boots } = world.state.head
  return randomFor(opening.seed, 'request', boots * 1e9 + world.requests++)
}

/** Sets the head of a world, in memory and in the database. */
export function setHead(world: World, head: Head): void {
  world.state.head = head
  world.database.data.worlds.get(world.id)?.head.set('', head)
  headChanged(world)
}

/** Marks the head as changed, so that the next commit writes it. */
export function headChanged(world: World): void {
  world.database.changed(world.id, 'head', '')
}

/** Puts a record into the world and marks it. */
export function put<C extends Exclude<keyof WorldValues, 'head'>>(
  world: World,
  collection: C,
  id: string,
  value: WorldValues[C],
): void {
  const records: Records = world.state
  records[collection].set(id, value)
  world.database.changed(world.id, collection, id)
}

/** Deletes a record and marks it; false when it did not exist. */
export function remove(world: World, collection: Exclude<keyof WorldState, 'head'>, id: string): boolean {
  const gone = world.state[collection].delete(id)
  if (gone) world.database.changed(world.id, collection, id)
  return gone
}

/** A world with this state, with newly derived data. */
export function worldOf(
  id: string,
  state: WorldState,
  database: WorldDatabase,
  { journal = createJournal(), services }: { journal?: Journal; services?: World['services'] } = {},
): World {
  const world: World = {
    id,
    state,
    journal,
    unfinished: new Set(),
    owned: new Map(),
    seen: new Map(),
    waits: new Map(),
    announcedUntil: 0,
    requests: 0,
    usedAt: 0,
    services,
    generation: 0,
    database,
  }
  reindex(world)
  return world
}

/** Derives the indexes from the state, after loading, restoring or resetting. */
export function reindex(world: World): void {
  world.unfinished = new Set()
  world.owned = new Map()
  world.seen = new Map()
  world.waits = new Map()
  world.announcedUntil = nowIn(world)
  for (const task of world.state.tasks.values()) indexTask(world, task)
}

/** Adds a new task to the indexes. */
export function indexTask(world: World, task: Task): void {
  world.unfinished.add(task)
  const { family, account } = task
  const owned = ownedBy(world, family, account) ?? newOwner(world, family, account)
  owned.add(task)
}

function newOwner(world: World, family: string, account: string): OwnedTasks {
  const owned = new OwnedTasks()
  const families = world.owned.get(account)
  if (families) families.set(family, owned)
  else world.owned.set(account, new Map([[family, owned]]))
  return owned
}

/** Replaces a task by its new value, in the state and in the indexes. */
export function replaceTask(world: World, before: Task, after: Task): void {
  put(world, 'tasks', after.id, after)
  ownedBy(world, before.family, before.account)?.replace(before, after)
  if (world.unfinished.delete(before)) world.unfinished.add(after)
}

/** The tasks of an account in a family. Families are separate namespaces. */
export function ownedBy(world: World, family: string, account: string): OwnedTasks | undefined {
  return world.owned.get(account)?.get(family)
}

/** The tasks of an account in all families. */
export function ownedByAccount(world: World, account: string): Iterable<OwnedTasks> {
  return world.owned.get(account)?.values() ?? []
}
