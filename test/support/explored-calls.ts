import type { ExploredFunction } from '../../src/explore/run/run-function.ts'

/** What a function is given that is explored. */
export type Run = Parameters<ExploredFunction>[0]

/** A task as replies of family A show it. */
interface Shown {
  id: string
  status: string
  content?: { video_url?: string }
}

/** The body of a video of four seconds. */
export const kite = {
  model: 'model_a_25',
  content: [{ type: 'text', text: 'a kite' }],
  ratio: '16:9',
  duration: 4,
}

/** The plain calls of a client of a world: the tasks of family A, and pictures. `init` is given to each `fetch`. */
export function callsOf(
  { baseUrl, apiKey }: Pick<Run['world'], 'baseUrl' | 'apiKey'>,
  init: RequestInit = {},
) {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  const call = (method: string, path: string, body?: object) =>
    fetch(`${baseUrl}/api/v3/${path}`, {
      ...{ ...init, method, headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  const tasks = 'contents/generations/tasks'
  return {
    create: (body: object = kite) => call('POST', tasks, body),
    get: (id: string) => call('GET', `${tasks}/${id}`),
    list: (query = '') => call('GET', `${tasks}${query}`),
    remove: (id: string) => call('DELETE', `${tasks}/${id}`),
    picture: (more: object = {}) =>
      call('POST', 'images/generations', { model: 'model_image', prompt: 'a kite', ...more }),
  }
}

/** The JSON of a reply that is awaited, by default a task. */
export const jsonOf = async <T = Shown>(reply: Response | Promise<Response>) =>
  (await (await reply).json()) as T
