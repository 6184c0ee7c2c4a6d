// The worker, as it is often written. The page on systems tells which case finds each weakness.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'

const { GATEWAY_URL, GATEWAY_KEY, REDIS_URL, STATE } = process.env
const tasks = `${GATEWAY_URL}/api/v3/contents/generations/tasks`
const headers = { Authorization: `Bearer ${GATEWAY_KEY}`, 'Content-Type': 'application/json' }
const videos = join(STATE, 'videos')
mkdirSync(videos, { recursive: true })
const redis = new Redis(REDIS_URL)
redis.on('error', error => console.error(`redis: ${error.message}`))
const pause = ms => new Promise(resolve => setTimeout(resolve, ms))

async function call(address, init = {}) {
  const reply = await fetch(address, { ...init, headers, signal: AbortSignal.timeout(30_000) })
  if (!reply.ok) throw new Error(`the gateway answered ${reply.status}`)
  return reply.json()
}

async function make({ id, prompt }) {
  const body = {
    model: 'model_a_25',
    content: [{ type: 'text', text: prompt }],
    ratio: '16:9',
    duration: 4,
  }
  // 3. Only this variable knows the task: when the worker dies, its result is paid for and lost.
  const created = await call(tasks, { method: 'POST', body: JSON.stringify(body) })
  for (;;) {
    await pause(5000)
    const task = await call(`${tasks}/${created.id}`)
    if (task.status === 'failed') throw new Error(task.error.message)
    // 4. Knows two of four ends: it polls a task that was cancelled, or has expired, for ever.
    if (task.status !== 'succeeded') continue
    // 5. Whatever the link gives is the video.
    const file = await fetch(task.content.video_url)
    writeFileSync(join(videos, `${id}.mp4`), Buffer.from(await file.arrayBuffer()))
    return
  }
}

for (;;) {
  // 6. From here on the job is nowhere but in this process.
  const [, text] = await redis.brpop('jobs:queue', 0)
  const job = JSON.parse(text)
  await redis.hset(`job:${job.id}`, { status: 'working' })
  try {
    await make(job)
    await redis.hset(`job:${job.id}`, { status: 'done' })
  } catch (error) {
    // 7. Whatever failed, the job begins anew: a poll that broke off makes a second task, at once.
    job.attempts++
    if (job.attempts < 3) await redis.lpush('jobs:queue', JSON.stringify(job))
    else await redis.hset(`job:${job.id}`, { status: 'failed', message: error.message })
  }
}
