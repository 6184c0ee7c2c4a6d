import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { resetPath } from '../reset-path.ts'

/** The limit of the platform: node:http and a Map, without any checks. */
const tasks = new Map<string, string>()
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const text = tasks.get((request.url ?? '').slice('/api/v3/contents/generations/tasks/'.length)) ?? '{}'
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
      .end(text)
    return
  }
  if (request.url === resetPath) {
    tasks.clear()
    response.end()
    return
  }
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    const { model } = JSON.parse(Buffer.concat(chunks).toString())
    const id = `cgt-${randomUUID()}`
    tasks.set(id, JSON.stringify({ id, model, status: 'queued', created_at: 0, updated_at: 0 }))
    const text = JSON.stringify({ id })
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
      .end(text)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(
    `${JSON.stringify({ event: 'ready', url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` })}\n`,
  )
})
