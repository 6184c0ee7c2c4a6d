import { expect } from 'vitest'
import type { Answer, Gateway } from './gateway.ts'
import { accepted, expectMessage, ownWorld, type Refusal } from './own-world.ts'

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

type RefusalOfB = Pick<Refusal, 'status' | 'code' | 'message'>

interface Sending {
  key?: string
  headers?: Record<string, string>
}

export type WorldOfB = ReturnType<typeof worldOfB>

/** A client of family B in its own world. */
export function worldOfB(gateway: Gateway, name = gateway.freshWorld()) {
  const { key, control, advance, untraced } = ownWorld(gateway, name)
  const create = (body: unknown, options?: Sending) =>
    gateway.call('POST', createPath, body, { key, ...options })
  const get = (id: string, as = key) => gateway.get(`${tasksPath}/${id}`, as)
  /** Creates a task and returns its id; fails the test when it is refused. */
  const made = async (body: unknown = textBody(), as = key): Promise<string> =>
    accepted(await create(body, { key: as })).output.task_id
  return {
    ...{ key, control, advance, create, made, get },
    list: (query = '', as = key) => gateway.get(`${tasksPath}${query}`, as),
    cancel: (id: string, as = key) =>
      gateway.call('POST', `${tasksPath}/${id}/cancel`, undefined, { key: as }),
    /** The query response when nothing changes any more. */
    async finished(body: unknown = textBody()): Promise<Answer['body']> {
      const id = await made(body)
      await advance({ until: 'idle' })
      return (await get(id)).body
    },
    /** Fails unless the body is refused in the family's shape, nothing is stored and nothing is charged. */
    async refused(body: unknown, wanted: RefusalOfB, options?: Sending): Promise<void> {
      expectError(await untraced(() => create(body, options)), wanted)
    },
  }
}

/** Fails unless a reply is an error of family B's shape (Spec, "Errors") with the expected content. */
export function expectError(reply: Answer, { status = 400, code, message }: RefusalOfB): void {
  expect(reply.status, reply.text).toBe(status)
  expect(Object.keys(reply.body).sort()).toEqual(['code', 'message', 'request_id'])
  expect(reply.body.request_id).toBe(reply.headers['x-request-id'])
  if (code !== undefined) expect(reply.body.code).toBe(code)
  expectMessage(reply.body.message, message)
}
