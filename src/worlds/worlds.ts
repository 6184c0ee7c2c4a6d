import type { Options } from '../options/config.ts'
import { readFixture } from '../package/files.ts'
import type { ScenarioDocument } from '../scenarios/scenario.ts'
import { type Clock, wallNow } from './clock.ts'
import { DataDirectoryError, emptyWorldData, type WorldData } from './database.ts'
import { createJournal } from './journal.ts'
import { createJournalBudget } from './journal-budget.ts'
import {
  type Account,
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
  worldAround,
} from './world.ts'

/** How a world shall be opened, where it differs from the emulator's options. */
export interface WorldRequest {
  seed?: number
  clock?: { mode?: Clock['mode']; rate?: number; now?: number }
  /** Names of those that act from the opening on. */
  scenarios?: readonly string[]
  /** Documents that only this world knows. */
  documents?: readonly ScenarioDocument[]
  /** True when a key opened it: such a world may be dropped when there are too many. */
  byKey?: boolean
}

/** All worlds of one emulator. */
export interface Worlds {
  readonly options: Options
  /** The world of that name; opens it when it does not exist. */
  open(id: string, request?: WorldRequest): World
  find(id: string): World | undefined
  list(): World[]
  /** Drops a world and all it holds; `default` opens again on its next use. */
  drop(id: string): boolean
  /** Back to how the world was opened: no tasks, journal, charges, counters. Snapshots stay. */
  reset(world: World): void
  account(world: World, id: string): Account
}

/** What the journals of all worlds may hold together. */
const journalBytes = 24 * 1024 * 1024

type Template = Partial<Pick<Account, 'status' | 'models' | 'resolutions' | 'requestsPerMinute' | 'balance'>>

/** The worlds kept in a database; those already there are opened as they were left. */
export function createWorlds(options: Options, database: WorldDatabase): Worlds {
  const templates = readFixture<Record<string, Template>>('accounts.json')
  const worlds = new Map<string, World>()
  const budget = createJournalBudget(journalBytes)
  let uses = 0

  for (const [id, data] of database.data.worlds) {
    const world = worldAround(id, stateOf(id, data, options), database, createJournal(budget))
    worlds.set(id, world)
  }

  // Only when all of them are understood is anything changed.
  for (const world of worlds.values()) {
    world.state.head.boots++
    headChanged(world)
    keepOwners(world, templates)
  }

  const makeRoom = () => {
    if (worlds.size < options.maxWorlds) return
    const candidates = [...worlds.values()].filter(world => world.state.head.opening.byKey)
    // A world that a connection listens to is in use, even when no request came for long.
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
    const world = worldAround(id, state, database, createJournal(budget))
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
      // Kept from its first use on: what its template says, and its place in the list, outlive the process.
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
  const head: Head = {
    opening: {
      seed,
      clock,
      scenarios,
      ...(request.documents && request.documents.length > 0 && { documents: request.documents }),
      byKey: request.byKey ?? false,
    },
    openedAt: clock.virtualMs,
    clock,
    draws: {},
    active: scenarios.map(name => ({ name, since: clock.virtualMs })),
    counters: {},
    boots: 0,
  }
  return { ...emptyWorldData<WorldValues>(), head }
}

/** Puts the documents of the opening into a world that has none of them, or others of their names. */
function giveDocuments(world: World): void {
  const { documents = [] } = world.state.head.opening
  for (const document of documents) put(world, 'scenarios', document.name, document)
}

function resetWorld(world: World): void {
  const { opening, boots } = world.state.head
  const wallMs = wallNow()
  const clock = { ...opening.clock, wallMs }
  for (const collection of ['accounts', 'tasks', 'assets', 'downloads', 'scenarios'] as const) {
    for (const id of [...world.state[collection].keys()]) remove(world, collection, id)
  }
  world.state.head = {
    opening,
    openedAt: clock.virtualMs,
    clock,
    draws: {},
    active: opening.scenarios.map(name => ({ name, since: clock.virtualMs })),
    counters: {},
    boots,
  }
  setHead(world, world.state.head)
  giveDocuments(world)
  world.requests = 0
  world.generation++
  world.journal.clear()
  reindex(world)
  world.journal.announce({ kind: 'reset', at: clock.virtualMs })
}

/** Puts a head in place, in the world and in the database. */
export function setHead(world: World, head: Head): void {
  world.state.head = head
  world.database.data.worlds.get(world.id)?.head.set('', head)
  headChanged(world)
}

function dataOf(state: WorldState): WorldData<WorldValues> {
  return { ...state, head: new Map([['', state.head]]) }
}

/** A world as the database read it. Throws DataDirectoryError when its head is missing: nothing can be done without a clock. */
function stateOf(id: string, data: WorldData<WorldValues>, { data: dir }: Options): WorldState {
  const head = data.head.get('')
  if (head) return { ...data, head }
  throw new DataDirectoryError(
    `The data directory "${dir}" holds records of the world "${id}", but no line with its head, so its clock and seed are not known. Nothing was changed; put back a good copy of the directory, or start with another one.`,
  )
}

/** Earlier versions did not keep accounts that were never changed: those that own tasks are made again. */
function keepOwners(world: World, templates: Record<string, Template>): void {
  for (const { account } of world.state.tasks.values())
    if (!world.state.accounts.has(account)) put(world, 'accounts', account, accountFrom(account, templates))
}
