import { setTimeout as pause } from 'node:timers/promises'
import { type RedisClient, redisClient } from './redis-client.ts'
import type { RunClock } from './run-clock.ts'
import type { Service } from './system.ts'

/** How long Redis may take to answer, wall ms. */
const answerMs = 2000
/** A difference between the run's time and the wall's that no program notices, ms. */
const leastMs = 2
/** Redis sees that a key has expired when it is asked for it later than this, wall ms. */
const expiryMs = 2

/**
 * Moves the expiry of all keys closer, or farther away; returns how many expire by that. An expiry in the past would be a deletion.
 */
const script = `
local by, expired = tonumber(ARGV[1]), 0
for database in string.gmatch(redis.call('INFO', 'keyspace'), 'db(%d+):keys=%d+,expires=[1-9]') do
  redis.call('SELECT', database)
  for _, key in ipairs(redis.call('KEYS', '*')) do
    local left = redis.call('PTTL', key)
    if left > 0 then redis.call('PEXPIRE', key, math.max(1, left - by)) end
    if left > 0 and left <= by then expired = expired + 1 end
  end
end
return expired`

/** Whether a part looks like a Redis server, by its command. */
export function looksLikeRedis({ command }: Pick<Service, 'command'>): boolean {
  return command.some(word => /\b(redis|valkey|keydb)\b/i.test(word))
}

/**
 * Lets a Redis server follow the time of a run: a key expires, and a command that waits at most so long ends, when that time has passed in the
 * run, and not on the wall. Resolves to false where no Redis answers at this port of the machine, or it asks for a password.
 */
export async function followsTime(port: number, clock: RunClock): Promise<boolean> {
  let keys: RedisClient | undefined
  let watcher: RedisClient | undefined
  const end = () => {
    keys?.end()
    watcher?.end()
  }
  try {
    keys = await redisClient(port, answerMs)
    watcher = await redisClient(port, answerMs)
    await expiredBy(keys, 0)
    await watcher.monitor(endWaits(keys, clock))
    clock.keep({ moved: movesExpiries(keys), end })
    return true
  } catch {
    end()
    return false
  }
}

/** Moves expiries by what the time of the run has gained on the wall's since the last time. */
function movesExpiries(redis: RedisClient): (byMs: number) => Promise<void> {
  let sinceMs = performance.now()
  let gainedMs = 0
  return async byMs => {
    const wallMs = performance.now()
    gainedMs += byMs - (wallMs - sinceMs)
    sinceMs = wallMs
    const by = Math.round(gainedMs)
    if (Math.abs(by) < leastMs) return
    gainedMs -= by
    if ((await expiredBy(redis, by)) > 0) await pause(expiryMs)
  }
}

async function expiredBy(redis: RedisClient, ms: number): Promise<number> {
  return Number(await redis.send('EVAL', script, '0', String(ms)))
}

/** Ends each command that waits at most so long, when that time has passed in the run. Hears what MONITOR tells. */
function endWaits(redis: RedisClient, clock: RunClock): (line: string) => void {
  /** By client, the number of its last command. */
  const last = new Map<string, number>()
  let count = 0
  return line => {
    const { client, waitMs } = heardCommand(line)
    if (client === undefined) return
    const own = ++count
    last.set(client, own)
    if (waitMs === undefined) return
    void clock.sleep(waitMs).then(() => {
      if (last.get(client) !== own) return
      return clock.work(() => endWait(redis, client)).catch(() => {})
    })
  }
}

async function endWait(redis: RedisClient, client: string): Promise<void> {
  const clients = String(await redis.send('CLIENT', 'LIST')).split('\n')
  const line = clients.find(one => one.includes(` addr=${client} `) && / flags=[a-zA-Z]*b/.test(one))
  const [, id] = /^id=(\d+) /.exec(line ?? '') ?? []
  if (id !== undefined) await redis.send('CLIENT', 'UNBLOCK', id, 'TIMEOUT')
}

/** The commands that wait at most so many seconds, and which of their words says so. */
const lastWord = ['BLPOP', 'BRPOP', 'BZPOPMIN', 'BZPOPMAX', 'BRPOPLPUSH', 'BLMOVE']
const firstWord = ['BLMPOP', 'BZMPOP']
const afterBlock = ['XREAD', 'XREADGROUP']

/** What a line of MONITOR tells: who sent a command, and how long it waits at most, ms; without that when it does not wait, or for ever. */
export function heardCommand(line: string): { client?: string; waitMs?: number } {
  const [, client, text = ''] = /^[\d.]+ \[\d+ ([^\]]+)\] (.*)$/.exec(line) ?? []
  // What a script does comes from the client whose command was told before.
  if (client === undefined || client === 'lua') return {}
  const words = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) => word)
  const name = words[0]?.toUpperCase() ?? ''
  const block = words.findIndex(word => word.toUpperCase() === 'BLOCK')
  const ms = lastWord.includes(name)
    ? 1000 * Number(words.at(-1))
    : firstWord.includes(name)
      ? 1000 * Number(words[1])
      : afterBlock.includes(name) && block > 0
        ? Number(words[block + 1])
        : 0
  return { client, ...(ms > 0 && { waitMs: ms }) }
}
