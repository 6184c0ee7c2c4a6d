import autocannon from 'autocannon'
import type { ServerChild } from './child.ts'
import { resetPath } from './reset-path.ts'

const path = '/api/v3/contents/generations/tasks'
const body = JSON.stringify({
  model: 'model_a_20',
  content: [{ type: 'text', text: 'a cat on a roof' }],
  duration: 5,
  ratio: '16:9',
})
const headers = { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json' }

/** What is asked of a server: polls of one task, creates, or one create to five polls. */
export type LoadKind = 'poll' | 'create' | 'mixed 1:5'

/** Requests that a server answered in a second of the clock, and in a second of its processor time. */
export interface LoadFigure {
  perSecond: number
  perCpuSecond: number
}

/**
 * Makes a server forget its tasks. Without this, each round finds more memory in use than the one before, and a collection of garbage
 * takes longer than all that is compared.
 */
export async function forgetTasks(server: ServerChild): Promise<void> {
  const reply = await fetch(server.url + resetPath, { method: 'POST' })
  if (!reply.ok) throw new Error(`${server.name} does not forget its tasks: ${reply.status}`)
  await reply.arrayBuffer()
}

/** Makes a task and returns its id. */
export async function firstTask(server: ServerChild): Promise<string> {
  const reply = await fetch(server.url + path, { method: 'POST', headers, body })
  return ((await reply.json()) as { id: string }).id
}

/** Loads a server for some seconds. */
export async function load(
  server: ServerChild,
  { kind, id, connections, seconds }: { kind: LoadKind; id: string; connections: number; seconds: number },
): Promise<LoadFigure> {
  const poll = { method: 'GET' as const, path: `${path}/${id}`, headers }
  const create = { method: 'POST' as const, path, headers, body }
  const requests = { poll: [poll], create: [create], 'mixed 1:5': [create, poll, poll, poll, poll, poll] }[
    kind
  ]
  const before = server.cpuSeconds()
  const result = await autocannon({ url: server.url, connections, duration: seconds, requests })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${server.name}: ${result.non2xx} refusals, ${result.errors} errors`)
  const total = result.requests.total
  return { perSecond: total / result.duration, perCpuSecond: total / (server.cpuSeconds() - before) }
}
