// A web application that says what is true: a form that is sent twice makes one job, and a queue that is out of order is told.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import { add, allJobs, jobOf, ping } from './queue.mjs'

const { PORT, STATE } = process.env
const page = new URL('../../page.html', import.meta.url).pathname
const videos = join(STATE, 'videos')
mkdirSync(videos, { recursive: true })
const app = express()

/** What a user may know of a job. */
const shown = ({ id, status, message }) => ({ id, status, message })

app.get('/', (_, reply) => reply.sendFile(page))
app.get('/health', async (_, reply) => reply.json({ redis: await ping() }))

app.post('/jobs', express.json(), async ({ body }, reply) => {
  const { id, prompt } = body ?? {}
  if (!/^[\w-]{8,64}$/.test(id) || typeof prompt !== 'string' || prompt === '')
    return reply.status(400).json({ message: 'a job needs an id and a prompt' })
  await add(id, prompt)
  reply.status(202).json(shown(await jobOf(id)))
})

app.get('/jobs', async (_, reply) => reply.json((await allJobs()).map(shown)))

app.get('/jobs/:id', async ({ params }, reply) => {
  const job = await jobOf(params.id)
  if (!job) return reply.status(404).json({ status: 'failed', message: 'there is no such job' })
  reply.json(shown(job))
})

app.get('/jobs/:id/video', async ({ params }, reply) => {
  const job = await jobOf(params.id)
  if (job?.status !== 'done') return reply.status(404).json({ message: 'there is no video yet' })
  reply.sendFile(`${job.id}.mp4`, { root: videos })
})

app.use((error, _request, reply, _next) => {
  console.error(error.message)
  const status = error.status ?? 503
  reply.status(status).json({ message: status < 500 ? error.message : 'try again later' })
})

app.listen(Number(PORT), '127.0.0.1')
