import { expect } from 'vitest'
import type { Answer, Gateway } from './gateway.ts'

/** What clients of every family share: a world with its own name, so that tests cannot see each other. */
export function ownWorld(gateway: Gateway, name: string) {
  const control = gateway.controlOf(name)
  const advance: Gateway['advance'] = by =>
    control('POST', '/clock/advance', typeof by === 'string' ? { by } : by)
  /** The number of tasks, the sums of all charges, and the newest charge. */
  const traces = async () => {
    // This request opens the world when it is the first one.
    const [ledger, view] = [await control('GET', '/ledger?limit=1'), await control('GET', '')]
    expect([ledger.status, view.status]).toEqual([200, 200])
    return { tasks: view.body.tasks, totals: ledger.body.totals, newest: ledger.body.items }
  }
  return {
    key: `sk-test-${name}`,
    control,
    advance,
    /** The reply to a refused request. Spec, "What the service does" 7: "Rejected requests are not charged"; nothing is stored either. */
    async untraced(ask: () => Promise<Answer>): Promise<Answer> {
      const before = await traces()
      const reply = await ask()
      expect(await traces()).toEqual(before)
      return reply
    },
  }
}

/** The lines of a world's ledger, in order, such as `reserved 6.534`. */
export async function chargesOf({ control }: Pick<Gateway, 'control'>): Promise<string[]> {
  const { items } = (await control('GET', '/ledger')).body
  return items.map(({ kind, amount }: { kind: string; amount: number }) => `${kind} ${amount}`)
}

type Reply = Pick<Answer, 'status' | 'body'> & { text?: string }

/** The body of a reply with 200; fails the test for any other. */
export function accepted({ status, text, body }: Reply): Answer['body'] {
  expect(status, text?.slice(0, 500)).toBe(200)
  return body
}

/** What an error of a family must contain. Texts are searched for, patterns are matched. */
export interface Refusal {
  status?: number
  code?: string
  type?: string
  param?: string
  message?: string | RegExp
}

/** Fails unless a reply is `{ error }` with just these keys, in order, and with the expected content. */
export function expectErrorOf(
  keys: string,
  reply: Answer,
  { status = 400, message, ...wanted }: Refusal,
): void {
  expect(reply.status, reply.text).toBe(status)
  expect(Object.keys(reply.body)).toEqual(['error'])
  expect(Object.keys(reply.body.error).sort().join(' ')).toBe(keys)
  expect(reply.body.error, reply.text).toMatchObject(wanted)
  expectMessage(reply.body.error.message, message)
}

/** The error of a reply with this status; fails the test for any other. */
export function refusal({ status, text, body }: Reply, wanted = 400): Answer['body'] {
  expect(status, text?.slice(0, 500)).toBe(wanted)
  return body.error
}

/** Fails unless a message has the wanted text, or matches the wanted pattern. */
export function expectMessage(message: string, wanted: string | RegExp = ''): void {
  if (typeof wanted === 'string') expect(message).toContain(wanted)
  else expect(message).toMatch(wanted)
}
