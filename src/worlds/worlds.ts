import type { Options } from '../options/config.ts'
import { readFixture } from '../package/files.ts'
import type { ScenarioDocument } from '../scenarios/scenario.ts'
import { type Clock, wallNow } from './clock.ts'
import { DataDirectoryError, emptyWorldData, type WorldData } from './database.ts'
import type { Opening } from './head.ts'
import { createJournal } from './journal.ts'
import { createJournalBudget } from './journal-budget.ts'
import {
  type Account,
  frozenCollections,
  type Head,
  headChanged,
  nowIn,
  put,
  reindex,
  remove,
  type World,
  type WorldDatabase,
  type WorldState,
  type WorldValues,
  worldOf,
} from './world.ts'

/** How to open a world, where this differs from the emulator's options. */
export interface WorldRequest {
  seed?: number
  clock?: { mode?: Clock['mode']; rate?: number; now?: number }
  /** Names of the scenarios that are active from the start. */
  scenarios?: readonly string[]
  /** Scenario documents that only this world knows. */
  documents?: readonly ScenarioDocument[]
  /** True when a key opened it. Such a world may be dropped when there are too many worlds. */
  byKey?: boolean
}

/** All worlds of one emulator. */
export interface Worlds {
  readonly options: Options
  /** The world with this name; opens it when it does not exist. */
  open(id: string, request?: WorldRequest): World
  find(id: string): World | undefined
  list(): World[]
  /** Drops a world and all its records; `default` opens again on its next use. */
  drop(id: string): boolean
  /** Resets a world to its opening: no tasks, journal, charges or counters. Snapshots are kept. */
  reset(world: World): void
  account(world: World, id: string): Account
}

/** The memory limit for the journals of all worlds together. */
const journalBytes = 24 * 1024 * 1024

type Template = Partial<Pick<Account, 'status' | 'models' | 'resolutions' | 'requestsPerMinute' | 'balance'>>

/** The worlds of a database. Worlds that it already holds are opened in their last state. */
export function createWorlds(options: Options, database: WorldDatabase): Worlds {
  const templates = readFixture<Record<string, Template>>('accounts.json')
  const worlds = new Map<string, World>()
  const budget = createJournalBudget(journalBytes)
  let uses = 0

  for (const [id, data] of database.data.worlds) {
    const world = worldOf(id, stateOf(id, data, options), database, createJournal(budget))
    worlds.set(id, world)
  }

  // Nothing is changed unless all of them could be read.
  for (const world of worlds.values()) {
    world.state.head.boots++
    headChanged(world)
    keepOwners(world, templates)
  }

  const makeRoom = () => {
    if (worlds.size < options.maxWorlds) return
    const candidates = [...worlds.values()].filter(world => world.state.head.opening.byKey)
    // A world with a live listener is in use, even without requests for a long time.
    const unheard = candidates.filter(world => world.journal.listeners.size === 0)
    const [oldest] = (unheard.length > 0 ? unheard : candidates).sort((a, b) => a.usedAt - b.usedAt)
    if (oldest) drop(oldest.id)
  }

  const drop = (id: string) => {
    const world = worlds.get(id)
    if (!world) return false
    worlds.delete(id)
    database.data.worlds.delete(id)
    database.dropped(id)
    world.generation++
    world.journal.clear()
    world.journal.announce({ kind: 'dropped', at: nowIn(world) })
    return true
  }

  const open = (id: string, request: WorldRequest = {}) => {
    const known = worlds.get(id)
    if (known) {
      known.usedAt = ++uses
      return known
    }
    makeRoom()
    const state = freshState(options, request)
    database.data.worlds.set(id, dataOf(state))
    const world = worldOf(id, state, database, createJournal(budget))
    world.usedAt = ++uses
    worlds.set(id, world)
    headChanged(world)
    giveDocuments(world)
    return world
  }

  return {
    options,
    open,
    drop,
    find: id => worlds.get(id),
    list: () => [...worlds.values()],
    reset: world => resetWorld(world),
    account(world, id) {
      const known = world.state.accounts.get(id)
      if (known) return known
      const account = accountFrom(id, templates)
      // Stored from its first use on, so that the values of its template and its place in the list survive a restart.
      put(world, 'accounts', id, account)
      return account
    },
  }
}

function accountFrom(id: string, templates: Record<string, Template>): Account {
  const template = Object.hasOwn(templates, id) ? id : 'default'
  const unlimited = { models: null, resolutions: null, requestsPerMinute: null, balance: null }
  return { id, template, status: 'active', ...unlimited, slots: [], ...templates[template] }
}

function freshState(options: Options, request: WorldRequest): WorldState {
  const wallMs = wallNow()
  const clock: Clock = {
    mode: request.clock?.mode ?? options.clock.mode,
    rate: request.clock?.rate ?? options.clock.rate,
    virtualMs: request.clock?.now ?? options.now ?? wallMs,
    wallMs,
  }
  const seed = request.seed ?? options.seed
  const scenarios = request.scenarios ?? options.scenarios
  const documents = request.documents && request.documents.length > 0 && { documents: request.documents }
  const opening = { seed, clock, scenarios, ...documents, byKey: request.byKey ?? false }
  return { ...emptyWorldData<WorldValues>(), head: headFrom(opening, clock, 0) }
}

/** The head of a world that has just been opened or reset. */
function headFrom(opening: Opening, clock: Clock, boots: number): Head {
  const since = clock.virtualMs
  const active = opening.scenarios.map(name => ({ name, since }))
  return { opening, openedAt: since, clock, draws: {}, active, counters: {}, boots }
}

/** Adds the scenario documents of the opening to a world; a different document of the same name is replaced. */
function giveDocuments(world: World): void {
  const { documents = [] } = world.state.head.opening
  for (const document of documents) put(world, 'scenarios', document.name, document)
}

function resetWorld(world: World): void {
  const { opening, boots } = world.state.head
  const wallMs = wallNow()
  const clock = { ...opening.clock, wallMs }
  for (const collection of frozenCollections) {
    for (const id of [...world.state[collection].keys()]) remove(world, collection, id)
  }
  setHead(world, headFrom(opening, clock, boots))
  giveDocuments(world)
  world.requests = 0
  world.generation++
  world.journal.clear()
  reindex(world)
  world.journal.announce({ kind: 'reset', at: clock.virtualMs })
}

/** Sets the head of a world, in memory and in the database. */
export function setHead(world: World, head: Head): void {
  world.state.head = head
  world.database.data.worlds.get(world.id)?.head.set('', head)
  headChanged(world)
}

function dataOf(state: WorldState): WorldData<WorldValues> {
  return { ...state, head: new Map([['', state.head]]) }
}

/** A world from the records of the database. Throws DataDirectoryError when its head is missing, since a world needs a clock. */
function stateOf(id: string, data: WorldData<WorldValues>, { data: dir }: Options): WorldState {
  const head = data.head.get('')
  if (head) return { ...data, head }
  throw new DataDirectoryError(
    `The data directory "${dir}" holds records of the world "${id}", but no line with its head, so its clock and seed are unknown. Nothing was changed; put back a good copy of the directory, or start with another one.`,
  )
}

/** Earlier versions did not store unchanged accounts: accounts that own tasks are made again. */
function keepOwners(world: World, templates: Record<string, Template>): void {
  for (const { account } of world.state.tasks.values())
    if (!world.state.accounts.has(account)) put(world, 'accounts', account, accountFrom(account, templates))
}
