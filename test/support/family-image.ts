import { expect } from 'vitest'
import type { Answer, Gateway } from './gateway.ts'
import { tracesOf } from './traces.ts'

const generatePath = '/api/v3/images/generations'

/** A valid request: by default only a text. */
function imageBody(changes: Record<string, unknown> = {}) {
  return { model: 'model_image', prompt: 'a lighthouse at dawn', ...changes }
}

/** What an error of the image operation must contain. */
export interface Refusal {
  status?: number
  code?: string
  message?: string | RegExp
}

/** A client of the image operation in its own world. */
export interface WorldOfImages {
  key: string
  generate(changes?: Record<string, unknown>, key?: string): Promise<Answer>
  /** The body of a successful reply; fails the test for any other. */
  made(changes?: Record<string, unknown>): Promise<Answer['body']>
  control(method: string, path: string, body?: unknown): Promise<Answer>
  /** Fails unless the request is refused in the family's shape, nothing is stored and nothing is charged. */
  refused(changes: Record<string, unknown>, wanted: Refusal, key?: string): Promise<void>
}

/** Opens the client of a world. Each test uses its own name, so that tests cannot see each other. */
export function worldOfImages(gateway: Gateway, name: string): WorldOfImages {
  const key = `sk-test-${name}`
  const client: WorldOfImages = {
    key,
    control: (method, path, body) => gateway.control(method, `/worlds/${name}${path}`, body),
    generate: (changes, as = key) => gateway.call('POST', generatePath, imageBody(changes), { key: as }),
    async made(changes) {
      const reply = await client.generate(changes)
      expect(reply.status, reply.text.slice(0, 500)).toBe(200)
      return reply.body
    },
    async refused(changes, wanted, as = key) {
      const before = await tracesOf(client)
      expectError(await client.generate(changes, as), wanted)
      // Spec, "What the service does" 7: "Rejected requests are not charged".
      expect(await tracesOf(client)).toEqual(before)
    },
  }
  return client
}

/** Fails unless a reply is an error of the image operation's shape (Spec, "Errors") with the expected content. */
function expectError(reply: Answer, { status = 400, code = 'InvalidParameter', message }: Refusal): void {
  expect(reply.status, reply.text).toBe(status)
  expect(Object.keys(reply.body)).toEqual(['error'])
  expect(Object.keys(reply.body.error).sort()).toEqual(['code', 'message'])
  expect(reply.body.error.code).toBe(code)
  if (typeof message === 'string') expect(reply.body.error.message).toContain(message)
  if (message instanceof RegExp) expect(reply.body.error.message).toMatch(message)
}
