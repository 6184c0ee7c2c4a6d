import { expect } from 'vitest'
import type { Answer, Gateway } from './gateway.ts'
import { tracesOf } from './traces.ts'

/** The two variants of the family, for loops of tests. */
export const variants = [
  { id: 'c', prefix: '', shortest: 4, unknown: { status: 400, type: 'bad_request_error' } },
  { id: 'special', prefix: '/special', shortest: 5, unknown: { status: 404, type: 'not_found_error' } },
] as const
export type Variant = (typeof variants)[number]
export const [standard, special] = variants

export const text = (words: string) => ({ type: 'text', text: words })
const media =
  <K extends 'image_url' | 'video_url' | 'audio_url'>(type: K) =>
  (url: string, role?: string) => ({ type, [type]: { url }, ...(role !== undefined && { role }) })
export const image = media('image_url')
export const video = media('video_url')
export const audio = media('audio_url')

type Changes = Record<string, unknown>

/** A create body that is valid in both variants. */
export function textBody(changes: Changes = {}) {
  return {
    model: 'model_c',
    content: [text('a lighthouse at dawn')],
    resolution: '768P',
    duration: 5,
    ratio: '16:9',
    ...changes,
  }
}

/** A valid prompt enhancement. */
export function enhanceBody(changes: Changes = {}) {
  const { resolution: _, ...rest } = textBody()
  return { ...rest, ...changes }
}

/** A regeneration without a source. */
export function regenerateBody(changes: Changes) {
  return { model: 'model_c', resolution: '2K', ...changes }
}

export type Making = 'video_generation' | 'h3_context_ir' | 'video_regeneration'

/** What an error of the family must contain. Texts are searched for, patterns are matched. */
export interface Refusal {
  status?: number
  type?: string
  message?: string | RegExp
}

/** A client of one variant in its own world. */
export interface WorldOfC {
  key: string
  make(path: Making, body: unknown, key?: string): Promise<Answer>
  /** Creates a video, or uses `path`, and returns the id; fails the test when it is refused. */
  made(body?: unknown, path?: Making, key?: string): Promise<string>
  get(id: string, key?: string): Promise<Answer>
  /** The task object of a single query; fails the test when there is none. */
  task(id: string): Promise<Answer['body']>
  /** The task object when nothing changes any more. */
  finished(body?: unknown, path?: Making): Promise<Answer['body']>
  list(query?: string, key?: string): Promise<Answer>
  delete(id: string, key?: string): Promise<Answer>
  advance(by: string | { until: unknown } | { to: string }): Promise<Answer>
  control(method: string, path: string, body?: unknown): Promise<Answer>
  /** Amounts of the ledger by kind, in order. */
  charges(): Promise<[kind: string, amount: number][]>
  /** Fails unless the body is refused in the family's shape, nothing is stored and nothing is charged. */
  refused(body: unknown, wanted: Refusal, path?: Making, key?: string): Promise<void>
}

/** Opens the client of a world. Each test uses its own name, so that tests cannot see each other. */
export function worldOfC(gateway: Gateway, { prefix }: Pick<Variant, 'prefix'>, name: string): WorldOfC {
  const key = `sk-test-${name}`
  const query = `${prefix}/v2/query/video_generation`
  const client: WorldOfC = {
    key,
    control: (method, path, body) => gateway.control(method, `/worlds/${name}${path}`, body),
    make: (path, body, as = key) => gateway.post(`${prefix}/v2/${path}`, body, as),
    async made(body = textBody(), path = 'video_generation', as = key) {
      const reply = await client.make(path, body, as)
      expect(reply.status, reply.text).toBe(200)
      expect(reply.body).toEqual({ task_id: expect.stringMatching(/^[1-9]\d{14}$/) })
      return reply.body.task_id
    },
    get: (id, as = key) => gateway.get(`${query}/${id}`, as),
    async task(id) {
      const reply = await client.get(id)
      expect(reply.status, reply.text).toBe(200)
      return reply.body.task
    },
    async finished(body = textBody(), path = 'video_generation') {
      const id = await client.made(body, path)
      await client.advance({ until: 'idle' })
      return client.task(id)
    },
    list: (search = '', as = key) => gateway.get(`${query}${search}`, as),
    delete: (id, as = key) => gateway.delete(`${prefix}/v2/video_generation/${id}`, as),
    advance: by => client.control('POST', '/clock/advance', typeof by === 'string' ? { by } : by),
    async charges() {
      const { body } = await client.control('GET', '/ledger')
      return body.items.map((entry: { kind: string; amount: number }) => [entry.kind, entry.amount])
    },
    async refused(body, wanted, path = 'video_generation', as = key) {
      const before = await tracesOf(client)
      expectError(await client.make(path, body, as), wanted)
      // Spec, "What the service does" 7: "Rejected requests are not charged".
      expect(await tracesOf(client)).toEqual(before)
    },
  }
  return client
}

/** Fails unless a reply is an error of the family's shape (Spec, "Errors") with the expected content. */
export function expectError(
  reply: Answer,
  { status = 400, type = 'bad_request_error', message }: Refusal,
): void {
  expect(reply.status, reply.text).toBe(status)
  expect(reply.body).toEqual({
    type: 'error',
    error: { type, message: expect.stringMatching(/ \(\d{4}\)$/), http_code: String(status) },
    request_id: reply.headers['x-request-id'],
  })
  expect(reply.body.request_id).toMatch(/^02\d{10}[0-9a-f]{20}$/)
  if (typeof message === 'string') expect(reply.body.error.message).toContain(message)
  if (message instanceof RegExp) expect(reply.body.error.message).toMatch(message)
}
