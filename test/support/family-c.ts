import { expect } from 'vitest'
import type { Answer, Gateway } from './gateway.ts'
import { accepted, expectMessage, ownWorld, type Refusal } from './own-world.ts'
import { inWorldsOf } from './worlds.ts'

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

type Making = 'video_generation' | 'h3_context_ir' | 'video_regeneration'

type RefusalOfC = Pick<Refusal, 'status' | 'type' | 'message'>

/** A client of one variant in its own world. */
export function worldOfC(gateway: Gateway, { prefix }: Pick<Variant, 'prefix'>, name = gateway.freshWorld()) {
  const { key, control, advance, untraced } = ownWorld(gateway, name)
  const query = `${prefix}/v2/query/video_generation`
  const make = (path: Making, body: unknown, as = key) => gateway.post(`${prefix}/v2/${path}`, body, as)
  /** Creates a video, or uses `path`, and returns the id; fails the test when it is refused. */
  const made = async (
    body: unknown = textBody(),
    path: Making = 'video_generation',
    as = key,
  ): Promise<string> => {
    const reply = accepted(await make(path, body, as))
    expect(reply).toEqual({ task_id: expect.stringMatching(/^[1-9]\d{14}$/) })
    return reply.task_id
  }
  const get = (id: string, as = key) => gateway.get(`${query}/${id}`, as)
  /** The task object of a single query; fails the test when there is none. */
  const task = async (id: string) => accepted(await get(id)).task
  return {
    ...{ key, control, advance, make, made, get, task },
    /** The task object when nothing changes any more. */
    async finished(body?: unknown, path?: Making): Promise<Answer['body']> {
      const id = await made(body, path)
      await advance({ until: 'idle' })
      return task(id)
    },
    list: (search = '', as = key) => gateway.get(`${query}${search}`, as),
    delete: (id: string, as = key) => gateway.delete(`${prefix}/v2/video_generation/${id}`, as),
    /** Amounts of the ledger by kind, in order. */
    async charges(): Promise<[kind: string, amount: number][]> {
      const { body } = await control('GET', '/ledger')
      return body.items.map((entry: { kind: string; amount: number }) => [entry.kind, entry.amount])
    },
    /** Fails unless the body is refused in the family's shape, nothing is stored and nothing is charged. */
    async refused(
      body: unknown,
      wanted: RefusalOfC,
      path: Making = 'video_generation',
      as = key,
    ): Promise<void> {
      expectError(await untraced(() => make(path, body, as)), wanted)
    },
  }
}

/** `inWorldsOf` for the family: clients are of the standard variant unless they are given another one. */
export const inWorldsOfC = () =>
  inWorldsOf((gateway, variant: Variant = standard, name?: string) => worldOfC(gateway, variant, name))

/** Fails unless a reply is an error of the family's shape (Spec, "Errors") with the expected content. */
export function expectError(
  reply: Answer,
  { status = 400, type = 'bad_request_error', message }: RefusalOfC,
): void {
  expect(reply.status, reply.text).toBe(status)
  expect(reply.body).toEqual({
    type: 'error',
    error: { type, message: expect.stringMatching(/ \(\d{4}\)$/), http_code: String(status) },
    request_id: reply.headers['x-request-id'],
  })
  expect(reply.body.request_id).toMatch(/^02\d{10}[0-9a-f]{20}$/)
  expectMessage(reply.body.error.message, message)
}
