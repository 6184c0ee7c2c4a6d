import { expect, it } from 'vitest'
import { callsOf, jsonOf, type Run } from '../support/explored-calls.ts'
import { startForTest } from '../support/start-for-test.ts'

const emulator = await startForTest({ now: '2026-01-01T00:00:00Z' })

/** Makes a task, then asks for it and for the list; `overlap`: both at once. Returns which reply came first. */
function asking({ overlap }: { overlap: boolean }) {
  const firsts: string[] = []
  const program = async ({ world, signal }: Run): Promise<void> => {
    const { create, get, list } = callsOf(world, { signal })
    const { id } = await jsonOf(create())
    const replies: string[] = []
    const ask = async (name: string, call: Promise<Response>) => {
      await (await call).arrayBuffer()
      replies.push(name)
    }
    const first = ask('get', get(id))
    if (!overlap) await first
    await Promise.all([first, ask('list', list())])
    firsts.push(replies[0] ?? '')
  }
  return { program, firsts }
}

const options = {
  orders: true,
  only: ['a.get#1 answered_after'],
  clock: 'manual',
  withoutResult: true,
} as const

it('calls that overlap are played with their replies in the other order, and the row names both', async () => {
  const { program, firsts } = asking({ overlap: true })
  const { cases, not_tried } = await emulator.explore(program, options)
  expect(cases.map(({ operation, nth, id, first, level }) => [operation, nth, id, first, level])).toEqual([
    ['a.get', 1, 'answered_after', 'a.list#1', 'good'],
  ])
  expect(firsts.at(-1)).toBe('list')
  expect(not_tried).toEqual([])
})

it('a case whose later call waits for the first reply is not tried, with that reason', async () => {
  const { program, firsts } = asking({ overlap: false })
  const { cases, not_tried } = await emulator.explore(program, options)
  expect(cases).toEqual([])
  expect(not_tried).toEqual([
    {
      kind: 'case',
      what: 'a.get#1 answered_after a.list#1',
      reason: 'a.list#1 was not answered while the reply was held',
    },
  ])
  expect(new Set(firsts)).toEqual(new Set(['get']))
})
