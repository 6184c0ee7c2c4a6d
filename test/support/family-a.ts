import { expect } from 'vitest'
import type { Answer, Gateway } from './gateway.ts'
import { tracesOf } from './traces.ts'

export const tasksPath = '/api/v3/contents/generations/tasks'

/** A valid create body: by default a text, on 2.5, five seconds of 16:9. */
export function textBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    model: 'model_a_25',
    content: [text('a lighthouse at dawn')],
    ratio: '16:9',
    duration: 5,
    ...changes,
  }
}

export const text = (words: string) => ({ type: 'text', text: words })
export const image = (url: string, role?: string) => media('image_url', url, role)
export const video = (url: string, role: string | undefined = 'reference_video') =>
  media('video_url', url, role)
export const audio = (url: string, role: string | undefined = 'reference_audio') =>
  media('audio_url', url, role)

function media(type: string, url: string, role: string | undefined) {
  return { type, [type]: { url }, ...(role !== undefined && { role }) }
}

/** What an error of family A must contain. Texts are searched for, patterns are matched. */
export interface Refusal {
  status?: number
  code?: string
  type?: string
  param?: string
  message?: string | RegExp
}

/** A client of family A in its own world. */
export interface WorldOfA {
  key: string
  create(body: unknown, key?: string): Promise<Answer>
  /** Creates a task and returns its id; fails the test when it is refused. */
  made(body?: unknown, key?: string): Promise<string>
  get(id: string, key?: string): Promise<Answer>
  list(query?: string, key?: string): Promise<Answer>
  remove(id: string, key?: string): Promise<Answer>
  advance(by: string | { until: unknown } | { to: string }): Promise<Answer>
  control(method: string, path: string, body?: unknown): Promise<Answer>
  /** The record when nothing changes any more. */
  finished(body?: unknown): Promise<Answer['body']>
  /** Fails unless the body is refused in the family's shape, nothing is stored and nothing is charged. */
  refused(body: unknown, wanted: Refusal, key?: string): Promise<Answer['body']['error']>
}

/** Opens the client of a world. Each test uses its own name, so that tests cannot see each other. */
export function worldOfA(gateway: Gateway, name: string): WorldOfA {
  const key = `sk-test-${name}`
  const control: WorldOfA['control'] = (method, path, body) =>
    gateway.control(method, `/worlds/${name}${path}`, body)
  const client: WorldOfA = {
    key,
    control,
    create: (body, as = key) => gateway.post(tasksPath, body, as),
    async made(body = textBody(), as = key) {
      const reply = await gateway.post(tasksPath, body, as)
      expect(reply.status, reply.text).toBe(200)
      return reply.body.id
    },
    get: (id, as = key) => gateway.get(`${tasksPath}/${id}`, as),
    list: (query = '', as = key) => gateway.get(`${tasksPath}${query}`, as),
    remove: (id, as = key) => gateway.delete(`${tasksPath}/${id}`, as),
    advance: by => control('POST', '/clock/advance', typeof by === 'string' ? { by } : by),
    async finished(body = textBody()) {
      const id = await client.made(body)
      await client.advance({ until: 'idle' })
      return (await client.get(id)).body
    },
    async refused(body, wanted, as = key) {
      const before = await tracesOf(client)
      const reply = await gateway.post(tasksPath, body, as)
      expectError(reply, { status: 400, ...wanted })
      // Spec, "What the service does" 7: "Rejected requests are not charged".
      expect(await tracesOf(client)).toEqual(before)
      return reply.body.error
    },
  }
  return client
}

/** Fails unless a reply is an error of family A's shape (Spec, "Errors") with the expected content. */
export function expectError(reply: Answer, { status = 400, code, type, param, message }: Refusal): void {
  expect(reply.status, reply.text).toBe(status)
  expect(Object.keys(reply.body)).toEqual(['error'])
  expect(Object.keys(reply.body.error).sort()).toEqual(['code', 'message', 'param', 'type'])
  if (code !== undefined) expect(reply.body.error.code).toBe(code)
  if (type !== undefined) expect(reply.body.error.type).toBe(type)
  if (param !== undefined) expect(reply.body.error.param).toBe(param)
  if (typeof message === 'string') expect(reply.body.error.message).toContain(message)
  if (message instanceof RegExp) expect(reply.body.error.message).toMatch(message)
}
