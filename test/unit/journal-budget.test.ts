import { expect, it } from 'vitest'
import { createJournal } from '../../src/emulator/worlds/journal.ts'
import { createJournalBudget } from '../../src/emulator/worlds/journal-budget.ts'
import { entryWith } from '../support/bare-entry.ts'

const large = () => entryWith({ requestBody: 'x'.repeat(1024) })

it('a busy world never takes the share of a quiet one', () => {
  const budget = createJournalBudget(100_000)
  const [quiet, busy, other] = [createJournal(budget), createJournal(budget), createJournal(budget)]
  for (let i = 0; i < 10; i++) quiet.add(large())
  for (let i = 0; i < 500; i++) busy.add(large())
  for (let i = 0; i < 10; i++) other.add(large())
  for (let i = 0; i < 500; i++) busy.add(large())
  expect(budget.bytes).toBeLessThanOrEqual(100_000)
  expect([quiet.size, other.size]).toEqual([10, 10])
  expect([quiet.dropped, other.dropped]).toEqual([undefined, undefined])
  expect(busy.size).toBeGreaterThan(30)
  expect(busy.entries().at(-1)?.id).toBe(1000)
  expect(busy.dropped).toEqual({ lastId: 1000 - busy.size, at: 0 })
})

it('a world may use the free part of another world’s share until that world needs it', () => {
  const budget = createJournalBudget(100_000)
  const [first, second] = [createJournal(budget), createJournal(budget)]
  for (let i = 0; i < 100; i++) first.add(large())
  const alone = first.size
  for (let i = 0; i < 100; i++) second.add(large())
  expect(alone).toBeGreaterThan(50)
  expect(Math.abs(first.size - second.size)).toBeLessThanOrEqual(1)
  expect(budget.bytes).toBeLessThanOrEqual(100_000)
})

it('the work for each entry does not grow with the number of worlds', () => {
  const budget = createJournalBudget(100_000)
  let looks = 0
  const journals = Array.from({ length: 300 }, () => {
    let bytes = 0
    return {
      add() {
        bytes += 1000
        budget.weigh(1000)
        budget.keep(this)
      },
      dropOldest() {
        bytes -= 1000
        budget.weigh(-1000)
      },
      get bytes() {
        looks++
        return bytes
      },
      isEmpty: () => bytes === 0,
    }
  })
  for (let turn = 0; turn < 20; turn++) for (const journal of journals) journal.add()
  expect(budget.bytes).toBeLessThanOrEqual(100_000)
  expect(looks / (20 * journals.length)).toBeLessThan(10)
})

it('entries that are cleared, cut back or dropped free all their memory', () => {
  const budget = createJournalBudget(1_000_000)
  const journals = [createJournal(budget), createJournal(budget)]
  for (const journal of journals) for (let i = 0; i < 50; i++) journal.add(large())
  journals[0]?.forgetAfter(10)
  expect(journals[0]?.size).toBe(10)
  for (const journal of journals) journal.clear()
  expect(budget.bytes).toBe(0)
})

it('journals of dropped worlds are removed, however many there were', () => {
  const budget = createJournalBudget(1_000_000)
  const first = createJournal(budget)
  for (const journal of [first, createJournal(budget), createJournal(budget)]) {
    journal.add(large())
    journal.clear()
  }
  expect(budget.journals).toBe(0)
  first.add(large())
  expect([budget.journals, first.size]).toEqual([1, 1])
})

it('long headers count as memory', () => {
  const budget = createJournalBudget(10_000_000)
  const journal = createJournal(budget)
  journal.add(entryWith({ requestHeaders: ['X-Long', 'y'.repeat(10_000)] }))
  expect(budget.bytes).toBeGreaterThan(10_000)
})
