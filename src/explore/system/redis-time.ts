import { setTimeout as pause } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { RunClock } from './run-clock.ts'
import type { Service } from './system.ts'

/** How long Redis may take to answer, wall ms. */
const answerMs = 2000
/** A difference between the run's time and the wall's that no program notices, ms. */
const leastMs = 2
/** Redis sees that a key has expired when it is asked for it later than this, wall ms. */
const expiryMs = 2

/** Moves the expiry of all keys closer, or farther away; returns how many expire by that. An expiry in the past would be a deletion. */
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

export function looksLikeRedis({ command }: Pick<Service, 'command'>): boolean {
  return command.some(word => /\b(redis|valkey|keydb)\b/i.test(word))
}

/**
 * Lets a Redis server follow the time of a run: a key expires, and a command that waits at most so long ends, when that time has passed in the
 * run, and not on the wall. Resolves to false where no Redis answers at this port of the machine, or it asks for a password.
 */
export async function followsTime(port: number, clock: RunClock): Promise<boolean> {
  // Few users have a Redis, so nobody else waits until it is loaded.
  const { Redis } = await import('ioredis')
  const own = { retryStrategy: () => null, enableReadyCheck: false, lazyConnect: true }
  const redis = new Redis(port, '127.0.0.1', { ...own, connectTimeout: answerMs, commandTimeout: answerMs })
  redis.on('error', () => {})
  try {
    await expiredBy(redis, 0)
    const watcher = await redis.monitor()
    watcher.on('error', () => {})
    watcher.on('monitor', endWaits(redis, clock))
    clock.keep({
      moved: movesExpiries(redis),
      end() {
        watcher.disconnect()
        redis.disconnect()
      },
    })
    return true
  } catch {
    redis.disconnect()
    return false
  }
}

/** Moves expiries by what the time of the run has gained on the wall's since the last time. */
function movesExpiries(redis: Redis): (byMs: number) => Promise<void> {
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

async function expiredBy(redis: Redis, ms: number): Promise<number> {
  return Number(await redis.eval(script, 0, ms))
}

/** Ends each command that waits at most so long, when that time has passed in the run. Hears each command of a client, and whose it is. */
function endWaits(redis: Redis, clock: RunClock): (time: string, words: string[], client: string) => void {
  /** By client, the number of its last command. */
  const last = new Map<string, number>()
  let count = 0
  return (_, words, client) => {
    // What a script does is told after the command that runs it.
    if (client === 'lua') return
    const own = ++count
    last.set(client, own)
    const waitMs = longestWaitMs(words)
    if (waitMs === undefined) return
    void clock.sleep(waitMs).then(() => {
      if (last.get(client) !== own) return
      return clock.work(() => endWait(redis, client)).catch(() => {})
    })
  }
}

async function endWait(redis: Redis, client: string): Promise<void> {
  const clients = String(await redis.client('LIST')).split('\n')
  const line = clients.find(one => one.includes(` addr=${client} `) && / flags=[a-zA-Z]*b/.test(one))
  const [, id] = /^id=(\d+) /.exec(line ?? '') ?? []
  if (id !== undefined) await redis.client('UNBLOCK', id, 'TIMEOUT')
}

/** The commands that wait, and which of their words says how many seconds at most. */
const lastWord = ['BLPOP', 'BRPOP', 'BZPOPMIN', 'BZPOPMAX', 'BRPOPLPUSH', 'BLMOVE']
const firstWord = ['BLMPOP', 'BZMPOP']
/** Those that say milliseconds after `BLOCK`. */
const afterBlock = ['XREAD', 'XREADGROUP']

/** How long a command waits at most, ms; undefined when it does not wait, and when it waits for ever. */
export function longestWaitMs(words: readonly string[]): number | undefined {
  const name = words[0]?.toUpperCase() ?? ''
  const block = words.findIndex(word => word.toUpperCase() === 'BLOCK')
  const ms = lastWord.includes(name)
    ? 1000 * Number(words.at(-1))
    : firstWord.includes(name)
      ? 1000 * Number(words[1])
      : afterBlock.includes(name) && block > 0
        ? Number(words[block + 1])
        : 0
  return ms > 0 ? ms : undefined
}
