import type { Answer, Gateway } from './gateway.ts'
import { accepted, expectErrorOf, ownWorld, type Refusal } from './own-world.ts'

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

/** Creates a task for a prompt. */
export const creatorOf =
  (gateway: Gateway, model = 'model_a_20') =>
  (prompt: string, more: object = {}, key?: string) =>
    gateway.post(tasksPath, { model, content: [text(prompt)], ratio: '16:9', ...more }, key)

/** A client of family A in its own world. */
export function worldOfA(gateway: Gateway, name = gateway.freshWorld()) {
  const { key, control, advance, untraced } = ownWorld(gateway, name)
  const create = (body: unknown, as = key) => gateway.post(tasksPath, body, as)
  const get = (id: string, as = key) => gateway.get(`${tasksPath}/${id}`, as)
  /** Creates a task and returns its id; fails the test when it is refused. */
  const made = async (body: unknown = textBody(), as = key): Promise<string> =>
    accepted(await create(body, as)).id
  return {
    ...{ key, control, advance, create, made, get },
    list: (query = '', as = key) => gateway.get(`${tasksPath}${query}`, as),
    remove: (id: string, as = key) => gateway.delete(`${tasksPath}/${id}`, as),
    /** The record when nothing changes any more. */
    async finished(body: unknown = textBody()): Promise<Answer['body']> {
      const id = await made(body)
      await advance({ until: 'idle' })
      return (await get(id)).body
    },
    /** Fails unless the body is refused in the family's shape, nothing is stored and nothing is charged. */
    async refused(body: unknown, wanted: Refusal, as = key): Promise<Answer['body']['error']> {
      const reply = await untraced(() => create(body, as))
      expectError(reply, wanted)
      return reply.body.error
    },
  }
}

/** Fails unless a reply is an error of family A's shape (Spec, "Errors") with the expected content. */
export const expectError = (reply: Answer, wanted: Refusal) =>
  expectErrorOf('code message param type', reply, wanted)
