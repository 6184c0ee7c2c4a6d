import { expect, it } from 'vitest'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()

it('carries a task from create to a playable file', async () => {
  const made = await gateway.post('/api/v3/contents/generations/tasks', {
    model: 'model_a_20',
    content: [{ type: 'text', text: 'a cat' }],
    ratio: '16:9',
  })
  expect(made.status).toBe(200)
  await gateway.advance({ until: 'idle' })
  const { body } = await gateway.get(`/api/v3/contents/generations/tasks/${made.body.id}`)
  expect(body.status).toBe('succeeded')
  const file = await gateway.download(body.content.video_url)
  expect(file.status).toBe(200)
  expect(file.bytes.toString('latin1', 4, 8)).toBe('ftyp')
})
