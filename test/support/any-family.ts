import { expect } from 'vitest'
import type { Task } from '../../src/emulator/worlds/task.ts'
import { creating, examplesOf, pathOf, type Row } from './contract.ts'
import type { Answer, Gateway } from './gateway.ts'

/** A client of any family, in its own world. */
export interface AnyClient {
  world: string
  key: string
  create(prompt?: string, headers?: Record<string, string>): Promise<Answer>
  /** Creates a task and returns its id. */
  made(prompt?: string): Promise<string>
  poll(id: string): Promise<Answer>
  /** The newest task in the control API. */
  newest(): Promise<Answer['body']>
  control(method: string, path: string, body?: unknown): Promise<Answer>
  advance(by: unknown): Promise<Answer>
  use(...names: string[]): Promise<void>
  post(scenario: unknown): Promise<void>
  /** The address of the task's first file; fails when there is none. */
  fileOf(id: string): Promise<string>
}

/** The creates whose tasks take time: all but images, whose tasks are finished when they are made. */
export const asynchronous = creating.filter(({ title }) => !title.startsWith('image.'))

/** A client for the create of a row, with the first example as its body. */
export async function clientOf(row: Row, gateway: Gateway, world: string): Promise<AnyClient> {
  const path = await pathOf(row, gateway)
  const key = `sk-test-${world}`
  const control: AnyClient['control'] = (method, below, body) =>
    gateway.control(method, `/worlds/${world}${below}`, body)
  const newest = async () => (await control('GET', '/tasks?limit=1')).body.items[0]
  const client: AnyClient = {
    world,
    key,
    create: (prompt, headers = {}) =>
      gateway.call(row.endpoint.method, path, bodyOf(row, gateway, prompt), { key, headers }),
    async made(prompt) {
      const reply = await client.create(prompt)
      expect(reply.status, reply.text).toBe(200)
      return (await newest()).id
    },
    async poll(id) {
      let last: Answer | undefined
      for (const address of pollPaths(row, id)) {
        last = await gateway.get(address, key)
        if (last.status === 200 && last.text.includes(id)) return last
      }
      if (!last) throw new Error(`${row.title} has nothing to poll`)
      return last
    },
    newest,
    control,
    advance: by => control('POST', '/clock/advance', typeof by === 'string' ? { by } : by),
    async use(...names) {
      expect((await control('PUT', '/scenarios/active', { names })).status).toBe(200)
    },
    async post(scenario) {
      const reply = await control('POST', '/scenarios', scenario)
      expect(reply.status, reply.text).toBe(201)
    },
    async fileOf(id) {
      const { body } = await control('GET', `/tasks/${id}`)
      expect(body.media.length, 'media').toBeGreaterThan(0)
      return body.media[0].url
    },
  }
  return client
}

/** An example body, with the prompt at the family's place for it. */
export function bodyOf(row: Row, gateway: Gateway, prompt?: string): Record<string, unknown> {
  const examples = examplesOf(row.title, gateway)
  const { body = {} } = examples.find(({ name }) => name.includes('text')) ?? examples[0] ?? {}
  if (prompt === undefined) return body
  const [pointer = ''] = row.endpoint.reads?.prompts ?? []
  return withPrompt(body, pointer.split('/').slice(1), prompt) as Record<string, unknown>
}

function withPrompt(value: unknown, [step, ...rest]: string[], prompt: string): unknown {
  if (step === undefined) return prompt
  if (step === '*') {
    const list = value as Record<string, unknown>[]
    const at = Math.max(
      0,
      list.findIndex(item => rest[0] !== undefined && item[rest[0]] !== undefined),
    )
    return list.map((item, index) => (index === at ? withPrompt(item, rest, prompt) : item))
  }
  const object = value as Record<string, unknown>
  return { ...object, [step]: withPrompt(object[step], rest, prompt) }
}

function pollPaths({ family }: Row, id: string): string[] {
  return family.endpoints
    .filter(({ operation }) => operation.endsWith('.get'))
    .map(({ paths: [path] }) =>
      path.includes(':task_id') ? path.replace(':task_id', id) : `${path}?task_ids=${id}`,
    )
}

/** The family's words for the emulator's states. */
export function wordsOf({ family }: Row, kind: string): Record<string, string> {
  return family.words({ kind } as Task) as Record<string, string>
}
