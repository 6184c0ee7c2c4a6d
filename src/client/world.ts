import type { ScenarioDocument, ScenarioRule } from '../scenarios/scenario.ts'
import type { ControlCaller } from './call.ts'
import { keyNamed } from './key-named.ts'
import type {
  AccountChange,
  AccountView,
  Advanced,
  AssetView,
  ClockChange,
  ClockView,
  Duration,
  Findings,
  InjectionView,
  Ledger,
  List,
  Moment,
  NewAsset,
  NewTask,
  RequestView,
  ScenarioList,
  SnapshotView,
  Story,
  TaskView,
  Until,
  Verdict,
  Verification,
} from './types.ts'

/** A client of one world. It only uses the control API. Its functions reject with EmulatorError. */
export type WorldClient = ReturnType<typeof worldClient>

/** A client of the world `id` of the emulator at `url`, whose control API `root` calls. */
export function worldClient(root: ControlCaller, url: string, id: string) {
  const { get, send } = below(root, `/worlds/${part(id)}`)
  return {
    id,
    /** The base address of the emulated API; the key selects the world. */
    baseUrl: url,
    /** The key of the world's default account. */
    apiKey: keyNamed(id),
    /** The key of another account of this world; the account is made on first use. */
    keyFor: (account: string) => keyNamed(id, account),

    clock: {
      get: () => get<ClockView>('/clock'),
      set: (change: ClockChange) => send<ClockView>('PATCH', '/clock', change),
      /** Moves time forward and returns the changes on the way, in order. */
      advance: (by: Duration) => send<Advanced>('POST', '/clock/advance', { by }),
      advanceTo: (to: Moment) => send<Advanced>('POST', '/clock/advance', { to }),
      /** A state that the task will never take is refused, and time does not move. */
      advanceUntil: (until: Until) => send<Advanced>('POST', '/clock/advance', { until }),
    },

    scenarios: {
      list: () => get<ScenarioList>('/scenarios'),
      /** Activates exactly these scenarios from now on; documents are checked and stored in this world. Without names, no scenario is active. */
      async use(...scenarios: (string | ScenarioDocument)[]): Promise<string[]> {
        for (const one of scenarios) if (typeof one !== 'string') await send('POST', '/scenarios', one)
        const names = scenarios.map(one => (typeof one === 'string' ? one : one.name))
        return (await send<{ active: string[] }>('PUT', '/scenarios/active', { names })).active
      },
      /** Adds a document to the active scenarios. */
      post: (document: ScenarioDocument) =>
        send<{ name: string; active: string[] }>('POST', '/scenarios', document),
      get: (name: string) => get<{ name: string; document: ScenarioDocument }>(`/scenarios/${part(name)}`),
      remove: (name: string) => send<{ active: string[] }>('DELETE', `/scenarios/${part(name)}`),
    },

    /**
     * Adds a rule that acts once: on the `nth` call of an operation (an id, or a glob such as `*.create`) from now; 1 is the
     * next call. `then` is as in scenario rules. No scenario document is made, and the rule is removed when it has acted.
     * Rejects with EmulatorError (400) when the operation or an effect is not known.
     */
    inject: (operation: string, nth: number, then: ScenarioRule['then']) =>
      send<InjectionView>('POST', '/inject', { operation, nth, then }),
    /** Rules of `inject` that have not acted yet. */
    injections: {
      list: async () => (await get<List<InjectionView>>('/inject')).items,
      remove: (injection: string) => send<object>('DELETE', `/inject/${part(injection)}`),
    },

    requests: {
      /** Newest last, at most 1000 unless `limit` (to 10,000) says otherwise. `operation` is a glob such as `*.create`, `task` a task's id. */
      list: async (
        filter: {
          operation?: string
          status?: number
          since?: string | number
          task?: string
          limit?: number
        } = {},
      ) => (await get<List<RequestView>>('/requests', filter)).items,
      clear: () => send<object>('DELETE', '/requests'),
      /** Whether the requests came, how often and in which order; with the nearest misses when they did not. */
      verify: (verification: Verification) => send<Verdict>('POST', '/requests/verify', verification),
      /** The same, but rejects with the nearest requests when the expected ones did not come. */
      async mustHave(verification: Verification): Promise<Verdict> {
        const verdict = await send<Verdict>('POST', '/requests/verify', verification)
        if (verdict.ok) return verdict
        throw new Error(failureText(verdict))
      },
    },

    tasks: {
      /** Newest first, all pages. */
      async list(filter: { family?: string; status?: string; account?: string } = {}): Promise<TaskView[]> {
        const items: TaskView[] = []
        for (let cursor: string | undefined = ''; cursor !== undefined; ) {
          const page: List<TaskView> = await get('/tasks', {
            ...filter,
            limit: 1000,
            ...(cursor && { cursor }),
          })
          items.push(...page.items)
          cursor = page.next_cursor
        }
        return items
      },
      get: (task: string) => get<TaskView>(`/tasks/${part(task)}`),
      story: (task: string) => get<Story>(`/tasks/${part(task)}/story`),
      /** Sets the state of a task now, in the words of its family. */
      force: (task: string, to: { status: string; error?: { code?: string; message?: string } }) =>
        send<TaskView>('POST', `/tasks/${part(task)}/force`, to),
      create: (task: NewTask) => send<TaskView>('POST', '/tasks', task),
      expireLink: (task: string) => send<TaskView>('POST', `/tasks/${part(task)}/expire-link`),
    },

    snapshots: {
      list: async () => (await get<List<SnapshotView>>('/snapshots')).items,
      save: (name: string) => send<SnapshotView>('POST', '/snapshots', { name }),
      restore: (name: string) => send<SnapshotView>('POST', `/snapshots/${part(name)}/restore`),
      remove: (name: string) => send<object>('DELETE', `/snapshots/${part(name)}`),
    },

    accounts: {
      list: async () => (await get<List<AccountView>>('/accounts')).items,
      change: (account: string, change: AccountChange) =>
        send<AccountView>('PATCH', `/accounts/${part(account)}`, change),
    },

    assets: {
      list: async (filter: { account?: string } = {}) =>
        (await get<List<AssetView>>('/assets', filter)).items,
      add: (asset: NewAsset) => send<AssetView>('POST', '/assets', asset),
      remove: (asset: string) => send<object>('DELETE', `/assets/${part(asset)}`),
    },

    /** The console log of charges, and totals. */
    ledger: (filter: { account?: string } = {}) => get<Ledger>('/ledger', filter),
    /** What the clients of this world do that will fail or cost money with the real service. */
    findings: async () => (await get<List<Findings[number]>>('/findings')).items,
    /** Reads the whole world as one versioned document, and restores it. */
    state: {
      export: () => get<Record<string, unknown>>('/state'),
      import: (document: Record<string, unknown>) => send<object>('PUT', '/state', document),
    },
    /** Resets the world: no tasks, journal or charges; clock, seed and scenarios as at opening. */
    reset: () => send<object>('POST', '/reset'),
    /** Drops the world and all its records. */
    drop: () => root.send<object>('DELETE', `/worlds/${part(id)}`),
  }
}

function below({ get, send }: ControlCaller, prefix: string): ControlCaller {
  return {
    get: (path, query) => get(prefix + path, query),
    send: (method, path, body) => send(method, prefix + path, body),
  }
}

function part(text: string): string {
  return encodeURIComponent(text)
}

function failureText({ message = 'The requests did not come', near_misses }: Verdict): string {
  const misses = near_misses.map(
    ({ request, reasons }) =>
      `  ${request.method} ${request.path} -> ${request.status}: ${reasons.join('; ')}`,
  )
  return misses.length > 0 ? `${message}\nNearest:\n${misses.join('\n')}` : message
}
