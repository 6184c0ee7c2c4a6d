import { describe, expect, it } from 'vitest'
import { openGateway } from '../support/gateway.ts'
import { refusal } from '../support/own-world.ts'

const gateway = await openGateway()

/** The control API of a new world in which so many tasks were made, a second apart. */
async function withTasks(count: number, account = 'default') {
  const world = gateway.freshWorld()
  const ask = (method: string, below: string, body?: unknown) =>
    gateway.control(method, `/worlds/${world}${below}`, body)
  for (let i = 0; i < count; i++) {
    await ask('POST', '/tasks', { family: 'a', kind: 'a', account })
    await ask('POST', '/clock/advance', { by: '1s' })
  }
  return ask
}

describe('GET /ledger with a limit', () => {
  it('gives the newest lines, oldest first, and the totals of all lines', async () => {
    const ask = await withTasks(4)
    const whole = (await ask('GET', '/ledger')).body
    const { body } = await ask('GET', '/ledger?limit=3')
    expect(body.items).toEqual(whole.items.slice(-3))
    expect(body.totals).toEqual(whole.totals)
  })

  it('gives every line once over all its pages, also when a task ends between two pages', async () => {
    const ask = await withTasks(5)
    const whole = (await ask('GET', '/ledger')).body
    const lines: unknown[] = []
    for (let cursor = ''; ; ) {
      const { body } = await ask('GET', `/ledger?limit=2${cursor && `&cursor=${cursor}`}`)
      expect(body.items.length).toBeLessThanOrEqual(2)
      lines.unshift(...body.items)
      cursor = body.next_cursor ?? ''
      if (!cursor) break
      await ask('POST', '/clock/advance', { until: 'next' })
    }
    expect(lines).toEqual(whole.items)
  })

  it('has no cursor when no line is older', async () => {
    const ask = await withTasks(2)
    for (const query of ['', '?limit=2', '?limit=3', '?limit=100000'])
      expect((await ask('GET', `/ledger${query}`)).body).not.toHaveProperty('next_cursor')
    const { next_cursor: cursor } = (await ask('GET', '/ledger?limit=1')).body
    const { body } = await ask('GET', `/ledger?cursor=${cursor}`)
    expect(body.items).toHaveLength(1)
    expect(body).not.toHaveProperty('next_cursor')
  })

  it('counts the lines of one account when it is given', async () => {
    const ask = await withTasks(2)
    await ask('POST', '/tasks', { family: 'b', kind: 'b', account: 'bob' })
    const { body } = await ask('GET', '/ledger?account=default&limit=1')
    expect(body.items).toHaveLength(1)
    expect(body.items[0].account).toBe('default')
    refusal(await ask('GET', `/ledger?account=bob&cursor=${body.next_cursor ?? ''}`))
  })

  it.each(['0', '-1', '1.5', 'many', '1e3'])('refuses limit=%s and says what is allowed', async limit => {
    const { status, body } = await gateway.control('GET', `/ledger?limit=${limit}`)
    expect([status, body.error.path]).toEqual([400, 'limit'])
    expect(body.error.message).toContain(limit)
  })

  it.each(['nothing', 'reserved:', 'reserved:cgt-1'])('refuses the unknown cursor %s', async cursor => {
    const { status, body } = await gateway.control('GET', `/ledger?cursor=${cursor}`)
    expect([status, body.error.path]).toEqual([400, 'cursor'])
    expect(body.error.message).toContain(JSON.stringify(cursor))
  })

  it('refuses a cursor from before a reset', async () => {
    const ask = await withTasks(2)
    const { next_cursor: cursor } = (await ask('GET', '/ledger?limit=1')).body
    await ask('POST', '/reset')
    const { status, body } = await ask('GET', `/ledger?limit=1&cursor=${cursor}`)
    expect([status, body.error.path]).toEqual([400, 'cursor'])
    expect(body.error.hint).toContain('without a cursor')
  })
})
