import type { ScenarioDocument, ScenarioThen } from '../../emulator/words.ts'
import type {
  AccountChange,
  AccountView,
  Advanced,
  AssetView,
  ClockChange,
  ClockView,
  Duration,
  FamilyId,
  Finding,
  InjectionView,
  Ledger,
  Moment,
  NewAsset,
  NewTask,
  OperationId,
  OrText,
  RequestFilter,
  RequestView,
  ScenarioList,
  Setting,
  ShippedScenario,
  SnapshotView,
  StatusWord,
  Story,
  TaskKind,
  TaskView,
  Trace,
  TraceFilter,
  Until,
  Verdict,
  Verification,
} from './types.ts'

/** A client of one world. It only uses the control API. Its functions reject with EmulatorError: the reply's status, code and message, or status 0 when no emulator answers. */
export interface WorldClient {
  /** The name of the world. */
  id: string
  /** The base address of the emulated API; the key selects the world. */
  baseUrl: string
  /** The key of the world's account `default`. */
  apiKey: string
  /**
   * The key of an account of this world; the account is made on first use. A label makes it another key of that account. Throws
   * EmulatorError for a name that is not possible.
   */
  keyFor(account?: string, label?: string): string
  /** Virtual time. */
  clock: WorldClock
  /** Scripted failures. */
  scenarios: WorldScenarios
  /**
   * Adds a rule that acts once: on the `nth` call of an operation (an id, or a glob such as `*.create`) from now; 1 is the
   * next call. `then` is as in scenario rules. No scenario document is made, and the rule is removed when it has acted.
   * Rejects with 400 when the operation or an effect is not known.
   */
  inject(operation: OrText<OperationId>, nth: number, then: ScenarioThen): Promise<Setting<InjectionView>>
  /** Rules of `inject` that have not acted yet. */
  injections: WorldInjections
  /** The journal: what clients asked. */
  requests: WorldRequests
  /** Tasks of all accounts. */
  tasks: WorldTasks
  /** Named copies of the world's state. */
  snapshots: WorldSnapshots
  /** Accounts, their limits and balances. */
  accounts: WorldAccounts
  /** The asset library. */
  assets: WorldAssets
  /**
   * The console log of charges, and totals; of one account when it is given. With `limit`, the newest lines only; `cursor` is
   * `next_cursor` of such a page, and gives the lines before it.
   */
  ledger(filter?: { account?: string; limit?: number; cursor?: string }): Promise<Ledger>
  /**
   * One run of clients, seen whole: attempts, waits, broken replies, tasks, links, money and findings. `out` also writes it to a
   * file: JSON when the name ends in `.json`, else an HTML page that needs no network.
   */
  trace(filter?: TraceFilter & { out?: string }): Promise<Trace>
  /** What the clients of this world do that works here and will fail or cost money with the real service. */
  findings(): Promise<Finding[]>
  /** The whole world as one document. */
  state: WorldState
  /** Resets the world: no tasks, journal or charges; clock, seed and scenarios as at opening. */
  reset(): Promise<Setting<object>>
  /** Drops the world and all its records; 404 when it was dropped before. */
  drop(): Promise<object>
}

/** The parts of `vi`, `jest` or `sinon` that move the timers of a test. */
export interface FakeTimers {
  /** Replaces timers and `Date`; `now` is epoch milliseconds. */
  useFakeTimers(config: {
    now: number
    shouldClearNativeTimers?: boolean
    toFake?: ('setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval' | 'Date')[]
    doNotFake?: (
      | 'nextTick'
      | 'queueMicrotask'
      | 'setImmediate'
      | 'clearImmediate'
      | 'performance'
      | 'hrtime'
      | 'requestAnimationFrame'
      | 'cancelAnimationFrame'
      | 'requestIdleCallback'
      | 'cancelIdleCallback'
    )[]
  }): unknown
  /** Moves them forward, wall milliseconds. Sinon's are moved by what `useFakeTimers` returns. */
  advanceTimersByTimeAsync?(ms: number): Promise<unknown>
}

/** The clock of a world. */
export interface WorldClock {
  /**
   * Replaces timers and `Date` of this process by the fake ones of `vi`, `jest` or `sinon`, set to the world's time. After that every change of
   * this clock moves both. The world's clock becomes `manual`. Call `useRealTimers` (in Sinon `restore`) at the end of the test.
   */
  attach(timers: FakeTimers): Promise<void>
  /** Its mode, rate and time. */
  get(): Promise<ClockView>
  /** Changes mode, rate or time; a time in the past is 409. */
  set(change: ClockChange): Promise<Setting<ClockView>>
  /** Moves time forward by a length of virtual time and returns the changes on the way, in order. */
  advance(by: Duration): Promise<Setting<Advanced>>
  /** Moves time forward to a moment; one in the past is 409. */
  advanceTo(to: Moment): Promise<Setting<Advanced>>
  /** Moves time forward until something happens. A state that the task will never take is 409, and time does not move. */
  advanceUntil(until: Until): Promise<Setting<Advanced>>
}

/** The scenarios of a world. */
export interface WorldScenarios {
  /** The known and the active ones. */
  list(): Promise<ScenarioList>
  /** Activates exactly these from now on and returns their names: names, files of this process (a path with a dot or a slash), YAML or JSON texts, documents. All but names are checked and kept in this world. Without arguments, none is active. 400 for an unknown name or a wrong document. */
  use(...scenarios: (OrText<ShippedScenario> | URL | ScenarioDocument)[]): Promise<string[]>
  /** Adds a document, a file or a text to the active ones; 400 when it is wrong. */
  post(scenario: ScenarioDocument | URL | string): Promise<Setting<{ name: string; active: string[] }>>
  /** A document by name; 404 when it is not known. */
  get(name: OrText<ShippedScenario>): Promise<{ name: string; document: ScenarioDocument }>
  /** Removes one from the active ones, and a posted one from this world; 404 when it is not known. */
  remove(name: string): Promise<{ active: string[] }>
}

/** Rules that act once and have not acted yet. */
export interface WorldInjections {
  /** Oldest first. */
  list(): Promise<InjectionView[]>
  /** Removes one by id before it acts; 404 when it has acted. */
  remove(injection: string): Promise<object>
}

/** The journal of a world. */
export interface WorldRequests {
  /** Newest last; the newest 1000 unless `limit` says otherwise. 400 for a filter that is not possible. */
  list(filter?: RequestFilter): Promise<RequestView[]>
  /** Empties the journal. */
  clear(): Promise<object>
  /** Lets the open requests go on that `hang` or `stall_after` holds: they are handled, and answered whole. */
  release(): Promise<object>
  /** Whether requests came, how often and in which order; with the nearest misses when they did not. 400 for a matcher that makes no sense. */
  verify(wanted: Verification): Promise<Verdict>
  /** The same, but rejects with a plain Error that names the nearest requests when the expected ones did not come. */
  mustHave(wanted: Verification): Promise<Verdict>
}

/** The tasks of a world. A task that does not exist is 404. */
export interface WorldTasks {
  /** Newest first, all pages. `status` is the family's word or the emulator's. */
  list(filter?: {
    family?: OrText<FamilyId>
    status?: OrText<StatusWord>
    account?: string
  }): Promise<TaskView[]>
  /** One task by id, removed records included. */
  get(task: string): Promise<TaskView>
  /** What happened to a task, in order, and what comes next and why. */
  story(task: string): Promise<Story>
  /** Sets the state of a task now, in the words of its family; 409 when it cannot take that state any more. */
  force(
    task: string,
    to: { status: OrText<StatusWord>; error?: { code?: string; message?: string } },
  ): Promise<TaskView>
  /** Makes a task of any kind without a request to the emulated API: neither scenarios nor tags act on it, only its `plan`; 400 as that API would refuse it. */
  create<Kind extends TaskKind>(task: NewTask<Kind>): Promise<Setting<TaskView>>
  /** Ends the result links of a succeeded task now; 409 when it has none. */
  expireLink(task: string): Promise<TaskView>
}

/** Named copies of a world's state. */
export interface WorldSnapshots {
  /** Oldest first. */
  list(): Promise<SnapshotView[]>
  /** Stores the present state; replaces a snapshot of that name. */
  save(name: string): Promise<Setting<SnapshotView>>
  /** Returns the world to a stored state, any number of times; 404 for an unknown name. */
  restore(name: string): Promise<SnapshotView>
  /** Deletes one; 404 for an unknown name. */
  remove(name: string): Promise<object>
}

/** The accounts of a world. */
export interface WorldAccounts {
  /** Those that were used or changed. */
  list(): Promise<AccountView[]>
  /** Changes one, which is made when it does not exist; 400 for a value that is not possible. */
  change(account: string, change: AccountChange): Promise<Setting<AccountView>>
}

/** The asset library of a world. */
export interface WorldAssets {
  /** Assets of all accounts, or of one. */
  list(filter?: { account?: string }): Promise<AssetView[]>
  /** Registers an asset; 400 when its bytes cannot be had or are of another kind. */
  add(asset: NewAsset): Promise<Setting<AssetView>>
  /** Removes one by id; 404 when there is none. */
  remove(asset: string): Promise<object>
}

/** A world as one versioned document. The journal and the bytes of media are not part of it. */
export interface WorldState {
  /** The present state. */
  export(): Promise<Record<string, unknown>>
  /** Replaces the world by a document; 400 when the document has an error or another version, and then nothing changes. */
  import(document: Record<string, unknown>): Promise<Setting<object>>
}
