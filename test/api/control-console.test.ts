import { expect, it } from 'vitest'
import { pathOf, rowNamed } from '../support/contract.ts'
import { openGateway } from '../support/gateway.ts'
import { oneVideoForAll } from '../support/job-answers.ts'

oneVideoForAll()

const gateway = await openGateway()
const tasks = '/api/v3/contents/generations/tasks'
const body = { model: 'model_a_20', content: [{ type: 'text', text: 'a kite over dunes' }], ratio: '16:9' }

it('gives tasks as short rows, with every state, its moment and the family’s word', async () => {
  const made = await gateway.post(tasks, body)
  const { body: listed } = await gateway.control('GET', '/tasks?detail=line&limit=1')
  const states = ['queued', 'running', 'succeeded'].map(state => ({ state, word: state }))
  const row = { id: made.body.id, family: 'a', kind: 'a', status: 'queued', prompt: 'a kite over dunes' }
  expect(listed.items[0]).toMatchObject({ ...row, states })
  expect(listed.items[0].next_change_ms).toBe(listed.items[0].states[1].at_ms)
  expect(listed.items[0]).not.toHaveProperty('request')
  expect((await gateway.control('GET', '/tasks?detail=brief')).status).toBe(400)
})

it('offers example requests that the emulator accepts unchanged', async () => {
  const { body: examples } = await gateway.control('GET', '/examples')
  expect(examples.items.length).toBeGreaterThan(10)
  for (const { operation, name, body: example } of examples.items) {
    expect(JSON.stringify(example)).not.toContain('{{')
    const reply = await gateway.post(await pathOf(rowNamed(operation), gateway), example)
    expect(reply.status, `${operation} ${name}: ${reply.text}`).toBe(200)
  }
})

it('serves each sample with its type', async () => {
  const { body: samples } = await gateway.control('GET', '/samples')
  expect(samples.items.length).toBeGreaterThan(10)
  for (const { name, kind } of samples.items) {
    const { status, headers } = await gateway.control('GET', `/samples/${name}`)
    expect(status, name).toBe(200)
    expect(headers['content-type'], name).toMatch(new RegExp(`^${kind}/`))
  }
  expect((await gateway.control('GET', '/samples/index.json')).status).toBe(404)
})

it('lists the models with their published names', async () => {
  const { body: models } = await gateway.control('GET', '/models')
  const row = models.items.find(({ id }: { id: string }) => id === 'model_a_20')
  expect(row.names).toContain('doubao-seedance-2-0')
})

it('gives a task’s file whole and in ranges, also after its link has ended, and counts no download (A-downloads)', async () => {
  const content = [{ type: 'text', text: 'x [[media:truncated]]' }]
  const made = await gateway.post(tasks, { ...body, content })
  const path = `/tasks/${made.body.id}/media/video`
  expect((await gateway.control('GET', path)).status).toBe(409)
  await gateway.advance({ until: { task: made.body.id, status: 'succeeded' } })
  await gateway.control('POST', `/tasks/${made.body.id}/expire-link`)
  const whole = await gateway.download(`${gateway.url}/__emulator${path}`)
  expect(whole.status).toBe(200)
  expect(whole.headers.get('content-type')).toBe('video/mp4')
  expect(whole.bytes.toString('latin1', 4, 8)).toBe('ftyp')
  const part = await gateway.download(`${gateway.url}/__emulator${path}`, { Range: 'bytes=4-7' })
  expect([part.status, part.bytes.toString('latin1')]).toEqual([206, 'ftyp'])
  const { body: task } = await gateway.control('GET', `/tasks/${made.body.id}`)
  expect(task.media[0].downloads).toBe(0)
  const { body: log } = await gateway.control('GET', '/requests?operation=media.download')
  expect(log.items).toEqual([])
  expect((await gateway.control('GET', `/tasks/${made.body.id}/media/nothing`)).status).toBe(404)
})
