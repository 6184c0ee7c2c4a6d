// The queue in Redis. A job is in exactly one list at each moment: among those that wait, among those of one worker, or in none when it
// has ended. A worker that dies leaves its list behind, and another worker puts its jobs back.
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'

const waiting = 'jobs:waiting'
// A command that was on its way when the connection broke is not sent again by itself: it may have been carried out.
const redis = new Redis(process.env.REDIS_URL, { autoResendUnfulfilledCommands: false })
redis.on('error', error => console.error(`redis: ${error.message}`))

export const ping = () => redis.ping()

export async function jobOf(id) {
  const job = await redis.hgetall(`job:${id}`)
  return job.status ? { id, ...job } : undefined
}

export async function allJobs() {
  return Promise.all((await redis.lrange('jobs:all', 0, -1)).map(jobOf))
}

export const note = (id, fields) => redis.hset(`job:${id}`, fields)

// WATCH belongs to the connection: one job after another.
let posting = Promise.resolve()

/** Adds a job wholly or not at all, and once: the same id again is the same job, also when two web processes get it at once. */
export function add(id, prompt) {
  const added = posting.then(async () => {
    await redis.watch(`job:${id}`)
    if (await redis.exists(`job:${id}`)) return redis.unwatch()
    const job = redis.multi().hset(`job:${id}`, { status: 'queued', prompt })
    return job.lpush('jobs:all', id).lpush(waiting, id).exec()
  })
  posting = added.catch(() => {})
  return added
}

const self = randomUUID()
const mine = `jobs:of:${self}`
// Longer than a create may be on its way: no other worker begins while one may still arrive. The moments are those of the workers' clocks.
const silentMs = 60_000
const dayMs = 24 * 3600_000

/** Says from now on that this worker lives. */
export function liveOn() {
  const beat = () => redis.zadd('workers', Date.now(), self)
  setInterval(() => beat().catch(() => {}), 10_000)
  return beat()
}

/** The next job of this worker: one that it has already, because it failed half way, or one that waits. */
export async function take() {
  return (await redis.lindex(mine, -1)) ?? (await redis.lmove(waiting, mine, 'RIGHT', 'LEFT'))
}

/** False when this worker was silent for so long that its job was given to another one. */
export const isMine = async id => (await redis.lpos(mine, id)) !== null

export const drop = id => redis.lrem(mine, 1, id)

/** Puts back the jobs of workers that are silent. Each job moves in one step, so that two workers do this at once without harm. */
export async function takeBack() {
  const now = Date.now()
  for (const worker of await redis.zrangebyscore('workers', '-inf', now - silentMs)) {
    if (worker === self) continue
    while (await redis.lmove(`jobs:of:${worker}`, waiting, 'RIGHT', 'RIGHT'));
  }
  await redis.zremrangebyscore('workers', '-inf', now - dayMs)
}
