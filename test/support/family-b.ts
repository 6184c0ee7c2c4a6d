import { expect } from 'vitest'
import type { Answer, Gateway } from './gateway.ts'
import { tracesOf } from './traces.ts'

export const createPath = '/api/v1/services/aigc/video-generation/video-synthesis'
export const tasksPath = '/api/v1/tasks'

interface Changes {
  model?: unknown
  input?: Record<string, unknown>
  parameters?: Record<string, unknown>
  [other: string]: unknown
}

/** A valid create body: by default a text, five seconds of 480P at 16:9. */
export function textBody({ input, parameters, ...others }: Changes = {}) {
  return {
    model: 'model_b',
    input: { prompt: 'a lighthouse at dawn', ...input },
    parameters: { resolution: '480P', ratio: '16:9', duration: 5, ...parameters },
    ...others,
  }
}

/** A create body with media items, each given by type and address. */
export function mediaBody(media: readonly (readonly [type: string, url: string])[], changes: Changes = {}) {
  return textBody({
    ...changes,
    input: { media: media.map(([type, url]) => ({ type, url })), ...changes.input },
  })
}

/** What an error of family B must contain. Texts are searched for, patterns are matched. */
export interface Refusal {
  status?: number
  code?: string
  message?: string | RegExp
}

type Headers = Record<string, string>

/** A client of family B in its own world. */
export interface WorldOfB {
  key: string
  create(body: unknown, options?: { key?: string; headers?: Headers }): Promise<Answer>
  /** Creates a task and returns its id; fails the test when it is refused. */
  made(body?: unknown, key?: string): Promise<string>
  get(id: string, key?: string): Promise<Answer>
  list(query?: string, key?: string): Promise<Answer>
  cancel(id: string, key?: string): Promise<Answer>
  advance(by: string | { until: unknown } | { to: string }): Promise<Answer>
  control(method: string, path: string, body?: unknown): Promise<Answer>
  /** The query response when nothing changes any more. */
  finished(body?: unknown): Promise<Answer['body']>
  /** Fails unless the body is refused in the family's shape, nothing is stored and nothing is charged. */
  refused(body: unknown, wanted: Refusal, options?: { key?: string; headers?: Headers }): Promise<void>
}

/** Opens the client of a world. Each test uses its own name, so that tests cannot see each other. */
export function worldOfB(gateway: Gateway, name: string): WorldOfB {
  const key = `sk-test-${name}`
  const client: WorldOfB = {
    key,
    control: (method, path, body) => gateway.control(method, `/worlds/${name}${path}`, body),
    create: (body, options) => gateway.call('POST', createPath, body, { key, ...options }),
    async made(body = textBody(), as = key) {
      const reply = await client.create(body, { key: as })
      expect(reply.status, reply.text).toBe(200)
      return reply.body.output.task_id
    },
    get: (id, as = key) => gateway.get(`${tasksPath}/${id}`, as),
    list: (query = '', as = key) => gateway.get(`${tasksPath}${query}`, as),
    cancel: (id, as = key) => gateway.call('POST', `${tasksPath}/${id}/cancel`, undefined, { key: as }),
    advance: by => client.control('POST', '/clock/advance', typeof by === 'string' ? { by } : by),
    async finished(body = textBody()) {
      const id = await client.made(body)
      await client.advance({ until: 'idle' })
      return (await client.get(id)).body
    },
    async refused(body, wanted, options) {
      const before = await tracesOf(client)
      expectError(await client.create(body, options), wanted)
      // Spec, "What the service does" 7: "Rejected requests are not charged".
      expect(await tracesOf(client)).toEqual(before)
    },
  }
  return client
}

/** Fails unless a reply is an error of family B's shape (Spec, "Errors") with the expected content. */
export function expectError(reply: Answer, { status = 400, code, message }: Refusal): void {
  expect(reply.status, reply.text).toBe(status)
  expect(Object.keys(reply.body).sort()).toEqual(['code', 'message', 'request_id'])
  expect(reply.body.request_id).toBe(reply.headers['x-request-id'])
  if (code !== undefined) expect(reply.body.code).toBe(code)
  if (typeof message === 'string') expect(reply.body.message).toContain(message)
  if (message instanceof RegExp) expect(reply.body.message).toMatch(message)
}
