import { readFixture } from '../package/files.ts'
import { type Clock, type ClockMode, continued, realTime, steadyNow } from './clock.ts'
import { emptyWorldData, type WorldData } from './database.ts'
import type { Opening, StoredScenario } from './head.ts'
import { createJournal } from './journal.ts'
import { createJournalBudget } from './journal-budget.ts'
import { startGeneration } from './under-way.ts'
import {
  type Account,
  frozenCollections,
  type Head,
  headChanged,
  nowIn,
  put,
  reindex,
  remove,
  setHead,
  type World,
  type WorldDatabase,
  type WorldState,
  type WorldValues,
  worldOf,
} from './world.ts'

/** The emulator's options that worlds follow. */
export interface WorldOptions {
  /** The data directory, for messages; absent = worlds are in memory. */
  data?: string
  clock: { mode: ClockMode; rate: number }
  /** Virtual time at which worlds open, epoch ms; absent = the wall clock. */
  now?: number
  seed: number
  /** Names of the scenarios that are active in every new world. */
  scenarios: readonly string[]
  /** `keys`: a key names world and account. `open`: any key is an account of its own in `default`. */
  auth: 'keys' | 'open'
  maxWorlds: number
  /** Keys that accounts have from the start. */
  accounts: Readonly<Record<string, AccountKeys>>
}

/** Keys of an account by their label. */
export interface AccountKeys {
  /** By label; `""` is the key without one. */
  keys: Readonly<Record<string, { disabled?: boolean }>>
}

/** How to open a world, where this differs from the emulator's options. */
export interface WorldRequest {
  seed?: number
  clock?: { mode?: Clock['mode']; rate?: number; now?: number }
  /** Names of the scenarios that are active from the start. */
  scenarios?: readonly string[]
  /** Scenario documents that only this world knows. */
  documents?: readonly StoredScenario[]
  /** The services whose calls are told apart, as long as it lives. */
  services?: readonly string[] | undefined
  /** True when a key opened it. Such a world may be dropped when there are too many worlds. */
  byKey?: boolean
}

/** All worlds of one emulator. */
export interface Worlds {
  readonly options: WorldOptions
  /** The world with this name; opens it when it does not exist. */
  open(id: string, request?: WorldRequest): World
  find(id: string): World | undefined
  /** The world with this name, which counts as used now; undefined when it is not open. */
  use(id: string): World | undefined
  /** Opens a world that is not open, for a call that may fail. Drops no other world before `keep`. */
  openForCall(id: string): Opened
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
export function createWorlds(options: WorldOptions, database: WorldDatabase): Worlds {
  const templates = readFixture<Record<string, Template>>('accounts.json')
  const worlds = new Map<string, World>()
  const budget = createJournalBudget(journalBytes)
  let uses = 0

  for (const [id, data] of database.data.worlds) {
    const state = stateOf(id, data)
    const world = worldOf(id, state, database, { journal: createJournal(budget, state.head.boots + 1) })
    worlds.set(id, world)
  }

  // Nothing is changed unless all of them could be read.
  for (const world of worlds.values()) {
    const { head } = world.state
    head.boots++
    head.clock = continued(head.clock, head.reachedAt)
    headChanged(world)
  }

  const makeRoomFor = (opened: World) => {
    if (worlds.size <= options.maxWorlds) return
    const candidates = [...worlds.values()].filter(
      world => world !== opened && world.state.head.opening.byKey,
    )
    // A world with a live listener is in use, even without requests for a long time.
    const unheard = candidates.filter(world => world.journal.events.listeners.size === 0)
    const [oldest] = (unheard.length > 0 ? unheard : candidates).sort((a, b) => a.usedAt - b.usedAt)
    if (oldest) drop(oldest.id)
  }

  const drop = (id: string) => {
    const world = worlds.get(id)
    if (!world) return false
    worlds.delete(id)
    database.data.worlds.delete(id)
    database.dropped(id)
    startGeneration(world)
    world.journal.clear()
    world.journal.events.announce({ kind: 'dropped', at: nowIn(world) })
    return true
  }

  const use = (id: string) => {
    const known = worlds.get(id)
    if (known) known.usedAt = ++uses
    return known
  }

  const openNew = (id: string, request: WorldRequest) => {
    const state = freshState(options, request)
    database.data.worlds.set(id, dataOf(state))
    const { services } = request
    const world = worldOf(id, state, database, { journal: createJournal(budget), services })
    world.usedAt = ++uses
    worlds.set(id, world)
    headChanged(world)
    giveDocuments(world)
    return world
  }

  const open = (id: string, request: WorldRequest = {}) => {
    const known = use(id)
    if (known) return known
    const world = openNew(id, request)
    // `default` opens again with the next request of any kind, also with one that only reads, which drops nothing.
    if (id !== 'default') makeRoomFor(world)
    return world
  }

  const openForCall = (id: string) => {
    const world = openNew(id, { byKey: true })
    const { usedAt } = world
    return {
      world,
      keep: () => makeRoomFor(world),
      takeBack: () => void (world.usedAt === usedAt && drop(id)),
    }
  }

  return {
    options,
    open,
    openForCall,
    use,
    drop,
    find: id => worlds.get(id),
    list: () => [...worlds.values()],
    reset: world => resetWorld(world),
    account(world, id) {
      const known = world.state.accounts.get(id)
      if (known) return known
      const account = { ...accountFrom(id, templates), ...keysFrom(options.accounts, id) }
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

function keysFrom(accounts: WorldOptions['accounts'], id: string): Pick<Account, 'keys'> {
  const given = Object.hasOwn(accounts, id) ? accounts[id] : undefined
  if (!given) return {}
  const keys = Object.entries(given.keys)
  return { keys: keys.map(([label, { disabled = false }]) => ({ label, isDisabled: disabled })) }
}

function freshState(options: WorldOptions, request: WorldRequest): WorldState {
  const wallMs = steadyNow()
  const clock: Clock = {
    mode: request.clock?.mode ?? options.clock.mode,
    rate: request.clock?.rate ?? options.clock.rate,
    virtualMs: request.clock?.now ?? options.now ?? realTime.wallNow(),
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
  const clock = { ...opening.clock, wallMs: steadyNow() }
  for (const collection of frozenCollections) {
    for (const id of [...world.state[collection].keys()]) remove(world, collection, id)
  }
  setHead(world, headFrom(opening, clock, boots))
  giveDocuments(world)
  world.requests = 0
  startGeneration(world)
  world.journal.clear()
  reindex(world)
  world.journal.events.announce({ kind: 'reset', at: clock.virtualMs })
}

function dataOf(state: WorldState): WorldData<WorldValues> {
  return { ...state, head: new Map([['', state.head]]) }
}

/** A world from the records of the database, which were checked when it was opened. */
function stateOf(id: string, data: WorldData<WorldValues>): WorldState {
  const head = data.head.get('')
  if (!head) throw new Error(`The world ${id} has no head`)
  return { ...data, head }
}

/** A world that a call opened, while the call may still fail. */
export interface Opened {
  world: World
  /** The call succeeded: when there are too many worlds, others are dropped. */
  keep(): void
  /** The call failed: drops the world, unless somebody else has used it in the meantime. */
  takeBack(): void
}
