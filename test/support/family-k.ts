import { expect } from 'vitest'
import type { Answer, Gateway } from './gateway.ts'
import { tracesOf } from './traces.ts'

export const createPath = '/image-to-video/model_k_30'
export const turboPath = '/image-to-video/model_k_30_turbo'
export const avatarPath = '/videos/avatar/image2video'
export const voicePath = '/general/custom-voices'
export const presetsPath = '/general/advanced-presets-elements'
export const omniPath = '/omni-video/model_k_30_omni'
export const motionPath = '/motion-control/model_k_30'

/** What an error of family K must contain. Texts are searched for, patterns are matched. */
export interface Refusal {
  status?: number
  code?: string
  param?: string
  message?: string | RegExp
}

/** A client of family K in its own world. */
export interface WorldOfK {
  key: string
  post(path: string, body: unknown, key?: string): Promise<Answer>
  get(path: string, key?: string): Promise<Answer>
  control(method: string, path: string, body?: unknown): Promise<Answer>
  advance(by: string | { until: unknown }): Promise<Answer>
  /** Submits a task and returns its id; fails the test when it is refused. */
  made(path: string, body: unknown, key?: string): Promise<string>
  /** The item of the batch query; undefined when it is missing. */
  item(id: string): Promise<Answer['body'] | undefined>
  /** Submits a video and returns its item when nothing changes any more. */
  finished(path: string, body: unknown): Promise<Answer['body']>
  /** Clones a voice and returns its `voices[0]`. */
  voice(): Promise<Answer['body']>
  /** Fails unless the body is refused in the family's shape, nothing is stored and nothing is charged. */
  refused(path: string, body: unknown, wanted: Refusal, key?: string): Promise<void>
  /** The address of a sample file. */
  sample(name: string): string
  /** A valid create body: one first frame, and what the test adds. */
  frameBody(others?: Record<string, unknown>): Record<string, unknown>
}

/** Opens the client of a world. Each test uses its own name, so that tests cannot see each other. */
export function worldOfK(gateway: Gateway, name: string): WorldOfK {
  const key = `sk-test-${name}`
  const client: WorldOfK = {
    key,
    post: (path, body, as = key) => gateway.post(path, body, as),
    get: (path, as = key) => gateway.get(path, as),
    control: (method, path, body) => gateway.control(method, `/worlds/${name}${path}`, body),
    advance: by => client.control('POST', '/clock/advance', typeof by === 'string' ? { by } : by),
    async made(path, body, as = key) {
      const { status, text, body: reply } = await client.post(path, body, as)
      expect(status, text).toBe(200)
      return reply.data.id ?? reply.data.task_id
    },
    async item(id) {
      const { status, text, body } = await client.get(`/tasks?task_ids=${id}`)
      expect(status, text).toBe(200)
      return body.data[0]
    },
    async finished(path, body) {
      const id = await client.made(path, body)
      await client.advance({ until: 'idle' })
      return client.item(id)
    },
    async voice() {
      const id = await client.made(voicePath, {
        voice_name: 'Nora',
        voice_url: client.sample('voice-8s.mp3'),
      })
      await client.advance({ until: 'idle' })
      return (await client.get(`${voicePath}/${id}`)).body.data.task_result.voices[0]
    },
    async refused(path, body, wanted, as) {
      const before = await tracesOf(client)
      expectError(await client.post(path, body, as), wanted)
      // Spec, "What the service does" 7: "Rejected requests are not charged".
      expect(await tracesOf(client)).toEqual(before)
    },
    sample: file => `${gateway.url}/__emulator/samples/${file}`,
    frameBody: (others = {}) => ({
      contents: [{ type: 'first_frame', url: client.sample('landscape.jpg') }],
      ...others,
    }),
  }
  return client
}

/** Fails unless a reply is an error of family K's shape (Spec, "Errors") with the expected content. */
export function expectError(
  reply: Answer,
  { status = 400, code = '1201', param, message }: Refusal = {},
): void {
  expect(reply.status, reply.text).toBe(status)
  expect(Object.keys(reply.body)).toEqual(['error'])
  const { error } = reply.body
  expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type'])
  expect(error.code, reply.text).toBe(code)
  if (param !== undefined) expect(error.param).toBe(param)
  if (typeof message === 'string') expect(error.message).toContain(message)
  if (message instanceof RegExp) expect(error.message).toMatch(message)
}
