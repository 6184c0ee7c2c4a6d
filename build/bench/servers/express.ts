import { randomUUID } from 'node:crypto'
import { Ajv } from 'ajv'
import express from 'express'
import { resetPath } from '../reset-path.ts'

/** What one would write in an afternoon: plain Express 5 with express.json, ajv and a Map. The measure of all ratios. */
const validate = new Ajv().compile({
  type: 'object',
  required: ['model', 'content'],
  properties: {
    model: { type: 'string' },
    content: {
      type: 'array',
      items: {
        type: 'object',
        required: ['type'],
        properties: { type: { type: 'string' }, text: { type: 'string' } },
      },
    },
    duration: { type: 'integer' },
    ratio: { type: 'string' },
  },
})
const tasks = new Map<string, object>()
const app = express()
app.disable('x-powered-by')
app.use(express.json())

app.post('/api/v3/contents/generations/tasks', (request, response) => {
  if (!validate(request.body)) {
    response
      .status(400)
      .json({ error: { code: 'InvalidParameter', message: 'invalid', param: '', type: 'BadRequest' } })
    return
  }
  const id = `cgt-${randomUUID()}`
  tasks.set(id, {
    id,
    model: request.body.model,
    status: 'queued',
    created_at: Math.floor(Date.now() / 1000),
    updated_at: Math.floor(Date.now() / 1000),
  })
  response.json({ id })
})
app.get('/api/v3/contents/generations/tasks/:id', (request, response) => {
  const task = tasks.get(request.params.id)
  if (!task)
    response
      .status(404)
      .json({ error: { code: 'ResourceNotFound', message: 'not found', param: '', type: 'NotFound' } })
  else response.json(task)
})
app.post(resetPath, (_, response) => {
  tasks.clear()
  response.json({})
})
const server = app.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(
    `${JSON.stringify({ event: 'ready', url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` })}\n`,
  )
})
