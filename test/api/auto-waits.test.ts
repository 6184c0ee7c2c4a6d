// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { realTime } from '../../src/emulator/worlds/clock.ts'
import { clientOf } from '../support/any-family.ts'
import { rowNamed } from '../support/contract.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()

/** A client in auto mode whose next create is refused with `Retry-After: 30`; its steady clock is ours. */
async function throttledClient() {
  const client = await clientOf(rowNamed('a.create'), gateway)
  await client.control('PATCH', '/clock', { mode: 'auto' })
  await client.control('POST', '/inject', {
    operation: '*.create',
    then: { refuse: { fault: 'rate_limited', retry_after: '30s' } },
  })
  const startedAt = Math.ceil(performance.now())
  const now = vi.spyOn(realTime, 'elapsedMs').mockReturnValue(startedAt)
  const sleep = (ms: number) => now.mockReturnValue(startedAt + ms)
  const virtualNow = async () => (await client.control('GET', '/clock')).body.now
  return { client, sleep, virtualNow }
}

afterEach(() => vi.restoreAllMocks())

describe('a wait that a reply asked for, in auto mode', () => {
  it('moves the clock by that time before the next call of the account', async () => {
    const { client, sleep, virtualNow } = await throttledClient()
    const refused = await client.create()
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '30'])
    sleep(30_000)
    expect(await virtualNow()).toBe('2026-03-01T08:00:00.000Z')
    expect((await client.create()).status).toBe(200)
    expect(await virtualNow()).toBe('2026-03-01T08:00:30.000Z')
  })

  it('is not over when the machine’s clock is set forward (A-steady)', async () => {
    const { client, virtualNow } = await throttledClient()
    await client.create()
    vi.spyOn(realTime, 'wallNow').mockReturnValue(Date.now() + 3_600_000)
    await client.create()
    expect(await virtualNow()).toBe('2026-03-01T08:00:00.000Z')
  })

  it('moves the clock by what is left of it, and only once', async () => {
    const { client, sleep, virtualNow } = await throttledClient()
    await client.create()
    sleep(29_999)
    await client.create()
    expect(await virtualNow()).toBe('2026-03-01T08:00:00.000Z')
    sleep(30_001)
    await client.create()
    await client.create()
    expect(await virtualNow()).toBe('2026-03-01T08:00:30.000Z')
  })

  it('moves the clock only for calls of that account', async () => {
    const { client, sleep, virtualNow } = await throttledClient()
    await client.create()
    sleep(60_000)
    await gateway.get('/api/v3/contents/generations/tasks', `${client.key}.other`)
    expect(await virtualNow()).toBe('2026-03-01T08:00:00.000Z')
  })

  it('does not move a manual clock', async () => {
    const { client, sleep, virtualNow } = await throttledClient()
    await client.control('PATCH', '/clock', { mode: 'manual' })
    await client.create()
    sleep(60_000)
    await client.create()
    expect(await virtualNow()).toBe('2026-03-01T08:00:00.000Z')
  })
})
