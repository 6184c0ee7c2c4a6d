import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { EmulatorOptions } from '../src/emulator/options/config.ts'
import { latestMs, realTime } from '../src/emulator/worlds/clock.ts'
import { type DataGateway, openData } from './support/data-gateway.ts'
import { tasksPath, textBody } from './support/family-a.ts'
import { ownFolder } from './support/folders.ts'
import { openGateway } from './support/gateway.ts'

const realtime = { clock: { mode: 'realtime', rate: 1 } } as const
const hourMs = 3_600_000

/** Sets the machine's clock, in the eyes of this process, until the test ends. */
function setMachineClock(byMs: number): void {
  const at = Date.now() + byMs
  const spy = vi.spyOn(realTime, 'wallNow').mockReturnValue(at)
  onTestFinished(() => spy.mockRestore())
}

/** A data directory that is open until the test ends. */
async function opened(dir: string, options: EmulatorOptions = {}): Promise<DataGateway> {
  const gateway = await openData(dir, options)
  onTestFinished(() => gateway.close())
  return gateway
}

const momentOf = async ({ send }: Pick<DataGateway, 'send'>) =>
  (await send('GET', '/__emulator/clock')).body as unknown as { now_ms: number; now: string }
const made = async ({ send }: Pick<DataGateway, 'send'>, text: string) => {
  const body = textBody({ content: [{ type: 'text', text }] })
  return ((await send('POST', tasksPath, body)).body as unknown as { id: string }).id
}
const statusOf = async ({ send }: Pick<DataGateway, 'send'>, id: string) =>
  ((await send('GET', `${tasksPath}/${id}`)).body as unknown as { status: string }).status
const atOnce = '[[queue:0s]] [[run:0s]] a kite'

describe('a realtime clock (docs/worlds-and-clock.md, "The clock": forward only)', () => {
  it('goes on when the machine’s clock is set back by two hours, and no task goes back', async () => {
    const gateway = await opened(ownFolder(), realtime)
    const id = await made(gateway, atOnce)
    expect(await statusOf(gateway, id)).toBe('succeeded')
    const before = (await momentOf(gateway)).now_ms
    setMachineClock(-2 * hourMs)
    expect((await momentOf(gateway)).now_ms).toBeGreaterThanOrEqual(before)
    expect(await statusOf(gateway, id)).toBe('succeeded')
    expect((await gateway.send('GET', '/__emulator/findings')).text).not.toMatch(/\s-\d/)
  })

  it('does not jump when the machine’s clock is set forward while it runs', async () => {
    const gateway = await opened(ownFolder(), realtime)
    const before = (await momentOf(gateway)).now_ms
    setMachineClock(2 * hourMs)
    expect((await momentOf(gateway)).now_ms - before).toBeLessThan(hourMs)
  })

  it('goes on from the highest moment that a reply has shown, after a restart with an earlier clock', async () => {
    const dir = ownFolder()
    const first = await openData(dir, { clock: { mode: 'realtime', rate: 1000 } })
    const id = await made(first, '[[queue:0s]] [[run:2s]] a kite')
    await expect.poll(() => statusOf(first, id)).toBe('succeeded')
    const { now_ms: before } = await momentOf(first)
    await first.close()
    setMachineClock(-2 * hourMs)
    const second = await opened(dir)
    expect(await statusOf(second, id)).toBe('succeeded')
    const after = (await momentOf(second)).now_ms
    // At most a second of wall time may be skipped.
    expect([after >= before - 1000 * 1000, after < before + hourMs]).toEqual([true, true])
    await expect.poll(async () => (await momentOf(second)).now_ms).toBeGreaterThan(after)
  })

  it('counts the time of a pause, when the machine’s clock is later after it', async () => {
    const dir = ownFolder()
    const first = await openData(dir, realtime)
    const { now_ms: before } = await momentOf(first)
    await made(first, atOnce)
    await first.close()
    setMachineClock(hourMs)
    const second = await opened(dir)
    expect((await momentOf(second)).now_ms - before).toBeGreaterThanOrEqual(hourMs)
  })
})

describe('the end of virtual time, 9999-12-31T23:59:59Z', () => {
  it('stops a clock of the highest rate, and everything can still be read, stored and restarted', async () => {
    const dir = ownFolder()
    const first = await openData(dir, { clock: { mode: 'realtime', rate: 1_000_000 }, now: latestMs - 50 })
    await expect.poll(async () => (await momentOf(first)).now_ms).toBe(latestMs)
    const id = await made(first, '[[queue:5m]] a kite')
    expect(await statusOf(first, id)).toMatch(/queued|running|succeeded|expired/)
    for (const path of ['', '/story'])
      expect((await first.send('GET', `/__emulator/tasks/${id}${path}`)).text).not.toMatch(/\+0\d{5}-/)
    const document = (await first.send('GET', '/__emulator/state')).text
    await first.send('PUT', '/__emulator/worlds/copy/state', JSON.parse(document))
    await first.close()
    const second = await opened(dir)
    expect((await momentOf(second)).now_ms).toBe(latestMs)
  })

  it('is in the message when advance, PATCH or POST /worlds would pass it, and nothing moves', async () => {
    const gateway = await openGateway({ now: latestMs - 1000 })
    const refused = async (method: string, path: string, body: unknown) => {
      const reply = await gateway.control(method, path, body)
      expect(reply.status, reply.text).toBe(400)
      expect(reply.body.error.message).toMatch(/9999-12-31/)
      return reply.body.error
    }
    const by = await refused('POST', '/clock/advance', { by: '2s' })
    expect([by.path, by.message]).toEqual(['by', expect.stringContaining('"2s"')])
    for (const late of [latestMs + 1, '9999-12-31T23:59:59.5Z'])
      await refused('POST', '/clock/advance', { to: late })
    await refused('PATCH', '/clock', { now: latestMs + 1 })
    await refused('POST', '/worlds', { id: 'late', clock: { now: latestMs + 1 } })
    expect((await gateway.control('GET', '/clock')).body.now_ms).toBe(latestMs - 1000)
  })

  it.each([['next'], ['idle']])(
    'is where advance until %s ends, with tasks that would end later',
    async until => {
      const gateway = await openGateway({ now: latestMs - 1000 })
      const body = textBody({ content: [{ type: 'text', text: '[[queue:5m]] a kite' }] })
      expect((await gateway.post(tasksPath, body)).status).toBe(200)
      const reply = await gateway.control('POST', '/clock/advance', { until })
      expect([reply.status, reply.body.now_ms]).toEqual([200, latestMs])
      const document = (await gateway.control('GET', '/state')).body
      expect((await gateway.control('PUT', '/worlds/copy/state', document)).status).toBe(200)
    },
  )
})
