import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from './support/free-port.ts'
import { hasRedis, pathWithStandIn } from './support/redis.ts'

const servers = [['the stand-in', await pathWithStandIn()]]
if (hasRedis()) servers.push(['redis-server', process.env.PATH ?? ''])

describe.each(servers)('what the example systems need of Redis, from %s', (_, path) => {
  let folder: string
  let server: ChildProcess
  let redis: Redis

  async function start(port: number): Promise<void> {
    const args = ['--port', `${port}`, '--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always']
    server = spawn('redis-server', args, { env: { PATH: path }, stdio: 'ignore' })
    redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null })
    redis.on('error', () => {})
    await redis.ping()
  }

  async function stop(): Promise<void> {
    redis.disconnect()
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-redis-'))
    await start(await freePort())
  })
  afterEach(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('has hashes, lists and sorted sets', async () => {
    expect(await redis.hset('job', { status: 'queued', prompt: 'ein Kätzchen' })).toBe(2)
    expect(await redis.hset('job', { status: 'done' })).toBe(0)
    expect(await redis.hgetall('job')).toEqual({ status: 'done', prompt: 'ein Kätzchen' })
    expect([await redis.exists('job'), await redis.exists('none')]).toEqual([1, 0])
    expect(await redis.lpush('list', 'a', 'b', 'c')).toBe(3)
    expect(await redis.lrange('list', 0, -1)).toEqual(['c', 'b', 'a'])
    expect(await redis.lmove('list', 'other', 'RIGHT', 'LEFT')).toBe('a')
    expect(await redis.lmove('none', 'other', 'RIGHT', 'LEFT')).toBeNull()
    expect([await redis.lindex('other', -1), await redis.lindex('none', -1)]).toEqual(['a', null])
    expect([await redis.lpos('list', 'b'), await redis.lpos('list', 'a')]).toEqual([1, null])
    expect([await redis.lrem('list', 1, 'b'), await redis.lrem('list', 1, 'b')]).toEqual([1, 0])
    await redis.zadd('workers', 5, 'old')
    await redis.zadd('workers', 9, 'young')
    expect(await redis.zrangebyscore('workers', '-inf', 8)).toEqual(['old'])
    expect(await redis.zremrangebyscore('workers', '-inf', 8)).toBe(1)
    expect(await redis.zrangebyscore('workers', '-inf', '+inf')).toEqual(['young'])
  })

  it('carries out a transaction wholly, or not when a watched key has changed', async () => {
    await redis.watch('job')
    expect(await redis.multi().hset('job', { status: 'queued' }).lpush('list', 'a').exec()).toEqual([
      [null, 1],
      [null, 1],
    ])
    await redis.watch('job')
    await redis.hset('job', { status: 'done' })
    expect(await redis.multi().lpush('list', 'b').exec()).toBeNull()
    expect(await redis.lrange('list', 0, -1)).toEqual(['a'])
  })

  it('lets one who waits for a list have the next item', async () => {
    const waits = redis.duplicate()
    const item = waits.brpop('list', 0)
    await redis.lpush('list', 'a')
    expect(await item).toEqual(['list', 'a'])
    expect(await redis.exists('list')).toBe(0)
    waits.disconnect()
  })

  it('has after a kill what it had answered', async () => {
    await redis.hset('job', { status: 'queued' })
    await redis.multi().lpush('list', 'a').lpush('list', 'b').exec()
    await redis.lmove('list', 'other', 'RIGHT', 'LEFT')
    await stop()
    await start(await freePort())
    expect(await redis.hgetall('job')).toEqual({ status: 'queued' })
    expect(await redis.lrange('list', 0, -1)).toEqual(['b'])
    expect(await redis.lrange('other', 0, -1)).toEqual(['a'])
  })

  it('refuses a command that does not exist', async () => {
    await expect(redis.call('NO_SUCH_COMMAND')).rejects.toThrow(/unknown command/)
  })
})
