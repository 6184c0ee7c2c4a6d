// The web application, as it is often written.
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import { Redis } from 'ioredis'

const { PORT, REDIS_URL, STATE } = process.env
const page = new URL('../../page.html', import.meta.url).pathname
const videos = join(STATE, 'videos')
mkdirSync(videos, { recursive: true })
const redis = new Redis(REDIS_URL)
redis.on('error', error => console.error(`redis: ${error.message}`))
const app = express()

app.get('/', (_, reply) => reply.sendFile(page))
app.get('/health', async (_, reply) => reply.json({ redis: await redis.ping() }))

// 1. Names the job itself: a form that is sent again, because its answer got lost, makes a second one.
app.post('/jobs', express.json(), async (request, reply) => {
  const job = { id: randomUUID(), prompt: request.body.prompt, attempts: 0 }
  await redis.hset(`job:${job.id}`, { status: 'queued' })
  await redis.lpush('jobs:all', job.id)
  await redis.lpush('jobs:queue', JSON.stringify(job))
  reply.status(202).json({ id: job.id, status: 'queued' })
})

app.get('/jobs', async (_, reply) => {
  const ids = await redis.lrange('jobs:all', 0, -1)
  reply.json(await Promise.all(ids.map(async id => ({ id, ...(await redis.hgetall(`job:${id}`)) }))))
})

// 2. A job that nobody knows any more is told as one that still waits.
app.get('/jobs/:id', async ({ params: { id } }, reply) => {
  reply.json({ id, status: 'queued', ...(await redis.hgetall(`job:${id}`)) })
})

app.get('/jobs/:id/video', ({ params: { id } }, reply) => reply.sendFile(`${id}.mp4`, { root: videos }))

app.listen(Number(PORT), '127.0.0.1')
