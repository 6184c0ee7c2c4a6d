import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { describe, expect } from 'vitest'
import { expectError, tasksPath, text, textBody, worldOfA } from '../support/family-a.ts'
import { shows } from '../support/shows.ts'
import { inWorldsOf } from '../support/worlds.ts'

const { gateway, world, it } = await inWorldsOf(worldOfA)
const statusIn = async (client: ReturnType<typeof world>, id: string) => (await client.get(id)).body.status

describe('DELETE (Spec, "States and transitions", A; A-delete)', () => {
  it('cancels a queued task: 200 {}, and it never runs', async ({ client }) => {
    const id = await client.made()
    expect(await statusIn(client, id)).toBe('queued')
    const reply = await client.remove(id)
    expect({ status: reply.status, text: reply.text }).toEqual({ status: 200, text: '{}' })
    expect(reply.headers['content-type']).toContain('application/json')
    expect(await statusIn(client, id)).toBe('cancelled')
    await client.advance('1h')
    expect(await statusIn(client, id)).toBe('cancelled')
    shows('a.states.cancel', 'a.delete.queued')
  })

  it('refuses a running task with 409; the task runs to its end', async ({ client }) => {
    const id = await client.made()
    await client.advance({ until: { task: id, status: 'running' } })
    const code = 'InvalidAction.RunningTaskDeletion'
    const message = `Cannot delete task ${id} because it is currently running`
    expectError(await client.remove(id), { status: 409, code, message })
    await client.advance({ until: 'idle' })
    expect(await statusIn(client, id)).toBe('succeeded')
  })

  it.each([
    ['succeeded', 'a cat'],
    ['failed', '[[fail:InternalServiceError]] a cat'],
    ['expired', '[[expire]] a cat'],
  ])('removes the record of a %s task: it is 404 afterwards', async (status, prompt) => {
    const client = world()
    const { id, status: reached } = await client.finished(
      textBody({ content: [text(prompt)], execution_expires_after: 3600 }),
    )
    expect(reached).toBe(status)
    const reply = await client.remove(id)
    expect({ status: reply.status, text: reply.text }).toEqual({ status: 200, text: '{}' })
    expectError(await client.get(id), { status: 404, code: 'ResourceNotFound' })
    expectError(await client.remove(id), { status: 404 })
  })

  it('refuses a cancelled task with 409', async ({ client }) => {
    const id = await client.made()
    await client.remove(id)
    expectError(await client.remove(id), { status: 409, message: 'currently cancelled' })
    expect(await statusIn(client, id)).toBe('cancelled')
  })

  it('is 404 for a missing task and for a task of another account, which is unchanged', async () => {
    const client = world()
    const id = await client.made()
    expectError(await client.remove(id, `${client.key}.other`), { status: 404, code: 'ResourceNotFound' })
    expectError(await client.remove('cgt-20260301160000-zzzzz'), { status: 404 })
    expect(await statusIn(client, id)).toBe('queued')
  })

  it('cancels until the last moment of the queue, and not later', async ({ client }) => {
    const content = [text('a cat [[queue:10s]]')]
    const [first, second] = [
      await client.made(textBody({ content })),
      await client.made(textBody({ content })),
    ]
    await client.advance('9999ms')
    expect((await client.remove(first)).status).toBe(200)
    await client.advance('1ms')
    expect((await client.remove(second)).status).toBe(409)
    expect([await statusIn(client, first), await statusIn(client, second)]).toEqual(['cancelled', 'running'])
  })

  it('does not remove files: they can be downloaded until the link ends', async ({ client }) => {
    const { id, content } = await client.finished(textBody({ resolution: '480p', duration: 4 }))
    await client.remove(id)
    expect((await gateway.download(content.video_url)).status).toBe(200)
    await client.advance('2h')
    expect((await gateway.download(content.video_url)).status).toBe(403)
  })

  it('succeeds once when two arrive at the same time (Spec, "Authentication" 2)', async ({ client }) => {
    const id = await client.made()
    const replies = await Promise.all([client.remove(id), client.remove(id)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('accepts a body, as the official Python client sends one, and keeps the connection usable (upstream)', async () => {
    const client = world()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const replies = []
    for (let i = 0; i < 3; i++) {
      const id = await client.made()
      replies.push(await deleteWithBody(agent, `${tasksPath}/${id}`, client.key))
    }
    expect(replies).toEqual([
      { status: 200, isReused: false },
      { status: 200, isReused: true },
      { status: 200, isReused: true },
    ])
    agent.destroy()
  })
})

/** The status of a deletion with a body, and whether it went over the connection of an earlier one. */
async function deleteWithBody(agent: Agent, path: string, key: string) {
  const length = { 'Content-Type': 'application/json', 'Content-Length': 2 }
  const headers = { Authorization: `Bearer ${key}`, ...length }
  const sent = request(gateway.url + path, { method: 'DELETE', agent, headers }).end('{}')
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  await once(reply.resume(), 'end')
  return { status: reply.statusCode, isReused: sent.reusedSocket }
}
