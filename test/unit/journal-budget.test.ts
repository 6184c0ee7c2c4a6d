import { expect, it } from 'vitest'
import { createJournal, type NewEntry } from '../../src/worlds/journal.ts'
import { createJournalBudget } from '../../src/worlds/journal-budget.ts'

const exchange = (text: string, headers: string[] = ['Host', 'localhost']): NewEntry => ({
  at: 0,
  account: 'default',
  operation: 'a.create',
  method: 'POST',
  url: '/tasks',
  status: 200,
  requestId: 'r',
  durationMs: 1,
  startedMs: 0,
  requestHeaders: headers,
  requestBody: text,
  responseHeaders: {},
  responseBody: '{}',
})
const kilobyte = 'x'.repeat(1024)

it('journals of one budget together hold no more than it says, the world unused for longest losing its oldest first', () => {
  const budget = createJournalBudget(100_000)
  const [quiet, busy, other] = [createJournal(budget), createJournal(budget), createJournal(budget)]
  for (let i = 0; i < 20; i++) quiet.add(exchange(kilobyte))
  for (let i = 0; i < 20; i++) other.add(exchange(kilobyte))
  expect([quiet.size, other.size]).toEqual([20, 20])
  for (let i = 0; i < 25; i++) busy.add(exchange(kilobyte))
  expect(budget.bytes).toBeLessThanOrEqual(100_000)
  expect(quiet.size).toBeLessThan(20)
  expect(quiet.entries()[0]?.id).toBe(20 - quiet.size + 1)
  expect([other.size, busy.size]).toEqual([20, 25])
})

it('a journal that was emptied for others is filled again when its world is used again', () => {
  const budget = createJournalBudget(20_000)
  const [first, second] = [createJournal(budget), createJournal(budget)]
  first.add(exchange(kilobyte))
  for (let i = 0; i < 30; i++) second.add(exchange(kilobyte))
  expect(first.size).toBe(0)
  for (let i = 0; i < 5; i++) first.add(exchange(kilobyte))
  expect(first.entries().map(({ id }) => id)).toEqual([2, 3, 4, 5, 6])
  expect(budget.bytes).toBeLessThanOrEqual(20_000)
})

it('what is cleared, cut back or dropped is given back in full', () => {
  const budget = createJournalBudget(1_000_000)
  const journals = [createJournal(budget), createJournal(budget)]
  for (const journal of journals) for (let i = 0; i < 50; i++) journal.add(exchange(kilobyte))
  journals[0]?.forgetAfter(10)
  expect(journals[0]?.size).toBe(10)
  for (const journal of journals) journal.clear()
  expect(budget.bytes).toBe(0)
})

it('journals of worlds that are gone are not remembered, however many there were', () => {
  const budget = createJournalBudget(1_000_000)
  const first = createJournal(budget)
  for (const journal of [first, createJournal(budget), createJournal(budget)]) {
    journal.add(exchange(kilobyte))
    journal.clear()
  }
  expect(budget.journals).toBe(0)
  first.add(exchange(kilobyte))
  expect([budget.journals, first.size]).toEqual([1, 1])
})

it('long headers count, and equal short ones are held once', () => {
  const budget = createJournalBudget(10_000_000)
  const journal = createJournal(budget)
  journal.add(exchange('', ['X-Long', 'y'.repeat(10_000)]))
  expect(budget.bytes).toBeGreaterThan(10_000)
  const [one, other] = [
    exchange('', ['A', ['ab', 'cd'].join('')]),
    exchange('', ['B', ['ab', 'cd'].join('')]),
  ]
  journal.add(one)
  journal.add(other)
  expect(journal.entries()).toHaveLength(3)
})
