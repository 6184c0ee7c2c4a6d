import { expect } from 'vitest'
import type { Task } from '../../src/emulator/worlds/task.ts'
import { creating, examplesOf, pathOf, type Row } from './contract.ts'
import type { Answer, Gateway } from './gateway.ts'
import { accepted, ownWorld } from './own-world.ts'

/** The creates whose tasks take time: all but images, whose tasks are finished when they are made. */
export const asynchronous = creating.filter(({ title }) => !title.startsWith('image.'))

export type AnyClient = Awaited<ReturnType<typeof clientOf>>

/** A client for the create of a row in its own world, with the first example as its body. */
export async function clientOf(row: Row, gateway: Gateway, world = gateway.freshWorld()) {
  const path = await pathOf(row, gateway)
  const { key, control, advance } = ownWorld(gateway, world)
  /** The newest task in the control API. */
  const newest = async () => (await control('GET', '/tasks?limit=1')).body.items[0]
  const create = (prompt?: string, headers: Record<string, string> = {}) =>
    gateway.call(row.endpoint.method, path, bodyOf(row, gateway, prompt), { key, headers })
  return {
    ...{ world, key, control, advance, newest, create },
    /** Creates a task and returns its id. */
    async made(prompt?: string): Promise<string> {
      accepted(await create(prompt))
      return (await newest()).id
    },
    async poll(id: string): Promise<Answer> {
      let last: Answer | undefined
      for (const address of pollPaths(row, id)) {
        last = await gateway.get(address, key)
        if (last.status === 200 && last.text.includes(id)) return last
      }
      if (!last) throw new Error(`${row.title} has nothing to poll`)
      return last
    },
    async use(...names: string[]): Promise<void> {
      expect((await control('PUT', '/scenarios/active', { names })).status).toBe(200)
    },
    async post(scenario: unknown): Promise<void> {
      const reply = await control('POST', '/scenarios', scenario)
      expect(reply.status, reply.text).toBe(201)
    },
    /** The address of the task's first file; fails when there is none. */
    async fileOf(id: string): Promise<string> {
      const { body } = await control('GET', `/tasks/${id}`)
      expect(body.media.length, 'media').toBeGreaterThan(0)
      return body.media[0].url
    },
  }
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
