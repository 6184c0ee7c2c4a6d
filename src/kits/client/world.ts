import { formOf, isName, keyOf, nameRule, type ScenarioDocument } from '../../emulator/words.ts'
import { type ControlCaller, type ControlQuery, EmulatorError } from './call.ts'
import { timedClock } from './followed-clock.ts'
import type { List, Setting, TaskView, Trace, Verdict } from './types.ts'
import type { WorldClient } from './world-client.ts'

export type { WorldClient } from './world-client.ts'

/** A client of the world `id` of the emulator at `url`, whose control API `root` calls. */
export function worldClient(root: ControlCaller, url: string, id: string): WorldClient {
  const { get, send } = below(root, `/worlds/${part(id)}`)
  const itemsOf = async <T>(path: string, filter?: ControlQuery): Promise<T[]> =>
    (await get<List<T>>(path, filter)).items
  return {
    id,
    baseUrl: url,
    apiKey: keyNamed(id),
    keyFor: (account, label) => keyNamed(id, account, label),

    clock: timedClock({
      get: () => get('/clock'),
      set: change => send('PATCH', '/clock', change),
      advance: by => send('POST', '/clock/advance', { by }),
      advanceTo: to => send('POST', '/clock/advance', { to }),
      advanceUntil: until => send('POST', '/clock/advance', { until }),
    }),

    scenarios: {
      list: () => get('/scenarios'),
      async use(...scenarios) {
        const names: string[] = []
        for (const one of scenarios) names.push(isScenarioName(one) ? one : (await posted(send, one)).name)
        return (await send<{ active: string[] }>('PUT', '/scenarios/active', { names })).active
      },
      post: scenario => posted(send, scenario),
      get: name => get(`/scenarios/${part(name)}`),
      remove: name => send('DELETE', `/scenarios/${part(name)}`),
    },

    inject: (operation, nth, then) => send('POST', '/inject', { operation, nth, then }),
    injections: {
      list: () => itemsOf('/inject'),
      remove: injection => send('DELETE', `/inject/${part(injection)}`),
    },

    requests: {
      list: filter => itemsOf('/requests', { ...filter }),
      clear: () => send('DELETE', '/requests'),
      release: () => send('POST', '/requests/release'),
      verify: verification => send('POST', '/requests/verify', verification),
      async mustHave(verification) {
        const verdict = await send<Verdict>('POST', '/requests/verify', verification)
        if (verdict.ok) return verdict
        throw new Error(failureText(verdict))
      },
    },

    tasks: {
      async list(filter = {}) {
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
      get: task => get(`/tasks/${part(task)}`),
      story: task => get(`/tasks/${part(task)}/story`),
      force: (task, to) => send('POST', `/tasks/${part(task)}/force`, to),
      create: task => send('POST', '/tasks', task),
      expireLink: task => send('POST', `/tasks/${part(task)}/expire-link`),
    },

    snapshots: {
      list: () => itemsOf('/snapshots'),
      save: name => send('POST', '/snapshots', { name }),
      restore: name => send('POST', `/snapshots/${part(name)}/restore`),
      remove: name => send('DELETE', `/snapshots/${part(name)}`),
    },

    accounts: {
      list: () => itemsOf('/accounts'),
      change: (account, change) => send('PATCH', `/accounts/${part(account)}`, change),
    },

    assets: {
      list: filter => itemsOf('/assets', filter),
      add: asset => send('POST', '/assets', asset),
      remove: asset => send('DELETE', `/assets/${part(asset)}`),
    },

    ledger: filter => get('/ledger', filter),
    findings: () => itemsOf('/findings'),
    async trace({ out, ...filter } = {}) {
      const trace = await get<Trace>('/trace', filter)
      if (out !== undefined) await (await import('./trace-file.ts')).writeTrace(trace, out)
      return trace
    },
    state: {
      export: () => get('/state'),
      import: document => send('PUT', '/state', document),
    },
    reset: () => send('POST', '/reset'),
    drop: () => root.send('DELETE', `/worlds/${part(id)}`),
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

/**
 * The key of a world and account; both are `default` when absent. A label makes it another key of that account. Throws EmulatorError
 * for a name that is not possible in a key.
 */
export function keyNamed(world = 'default', account = 'default', label?: string): string {
  checkName(world, 'world')
  checkName(account, 'account')
  if (label !== undefined) checkName(label, 'label')
  return keyOf(world, account, label)
}

const named = { world: 'the name of a world', account: 'the name of an account', label: 'the label of a key' }

function checkName(given: unknown, what: keyof typeof named): void {
  if (typeof given === 'string' && isName(given)) return
  const message = `${JSON.stringify(given)} is not ${named[what]}: ${nameRule}`
  throw new EmulatorError(0, { code: 'bad_name', message, path: what })
}

/** A scenario that is not known by a name: a document, its YAML or JSON text, or its file. */
type Given = string | URL | ScenarioDocument

/** Whether a scenario is given by its name. */
function isScenarioName(given: Given): given is string {
  return typeof given === 'string' && formOf(given) === 'name'
}

/** A scenario as the control API takes it: a file as its text. Rejects with EmulatorError when the file cannot be read. */
export async function sendable(given: Given): Promise<string | ScenarioDocument> {
  const file = fileIn(given)
  if (file === undefined) return given as string | ScenarioDocument
  try {
    return await (await import('node:fs/promises')).readFile(file, 'utf8')
  } catch (cause) {
    throw new EmulatorError(
      0,
      {
        code: 'bad_scenario',
        message: `The scenario file cannot be read: ${cause instanceof Error ? cause.message : cause}`,
        hint: 'a scenario is a name such as flaky-upstream, a file of this machine, a YAML text or a document',
      },
      cause,
    )
  }
}

/** Stores a scenario in a world and activates it. A refusal names the file. */
async function posted(
  send: ControlCaller['send'],
  given: Given,
): Promise<Setting<{ name: string; active: string[] }>> {
  const body = await sendable(given)
  try {
    return await send('POST', '/scenarios', body)
  } catch (error) {
    const file = fileIn(given)
    if (!(error instanceof EmulatorError) || file === undefined) throw error
    const { status, reason, ...detail } = error
    throw new EmulatorError(status, { ...detail, message: `${file}: ${reason}` })
  }
}

function fileIn(given: Given): string | URL | undefined {
  if (given instanceof URL) return given
  return typeof given === 'string' && formOf(given) === 'file' ? given : undefined
}
