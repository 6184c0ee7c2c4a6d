import { describe, expect, it } from 'vitest'
import { createJournal } from '../../src/emulator/worlds/journal.ts'
import { entryWith } from '../support/bare-entry.ts'

describe('the journal is bounded', () => {
  it('keeps the latest 10,000 entries, oldest dropped first', () => {
    const journal = createJournal()
    for (let i = 0; i < 25_000; i++) journal.add(entryWith())
    const kept = journal.entries()
    expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([10_000, 15_001, 25_000])
    expect(journal.size).toBe(10_000)
  })

  it('keeps at most 24 MiB of bodies, the latest among them', () => {
    const journal = createJournal()
    const mebibyte = 'x'.repeat(1024 * 1024)
    for (let i = 0; i < 100; i++) journal.add(entryWith({ requestBody: mebibyte }))
    expect(journal.bytes).toBeLessThanOrEqual(24 * 1024 * 1024)
    expect(journal.entries().length).toBeGreaterThan(20)
    expect(journal.entries().at(-1)?.id).toBe(100)
  })

  it('counts 0 bytes when it was emptied', () => {
    const journal = createJournal()
    for (let i = 0; i < 12_000; i++) journal.add(entryWith({ responseBody: 'x'.repeat(i % 50) }))
    const perEntry = journal.entries().map(({ responseBody = '' }) => responseBody.length)
    const overhead = (journal.bytes - perEntry.reduce((sum, length) => sum + length, 0)) / 10_000
    expect(Number.isInteger(overhead)).toBe(true)
    journal.clear()
    expect([journal.bytes, journal.size, journal.entries().length]).toEqual([0, 0, 0])
  })
})

it('keeps number and moment of the last dropped entry until the journal is emptied', () => {
  const journal = createJournal()
  for (let i = 0; i < 10_000; i++) journal.add(entryWith({ at: i }))
  expect(journal.dropped).toBeUndefined()
  journal.add(entryWith())
  journal.add(entryWith())
  expect(journal.dropped).toEqual({ lastId: 2, at: 1 })
  journal.clear()
  expect(journal.dropped).toBeUndefined()
})

it('numbers entries from 1 and uses each number once', () => {
  const journal = createJournal()
  journal.add(entryWith())
  journal.clear()
  journal.add(entryWith())
  expect(journal.entries().map(({ id }) => id)).toEqual([2])
})

it('counts exchanges by operation and status, dropped ones included', () => {
  const journal = createJournal()
  for (let i = 0; i < 10_500; i++) journal.add(entryWith())
  journal.add(entryWith({ status: 404 }))
  journal.clear()
  expect(journal.counts.get('a.get 200')).toBe(10_500)
  expect(journal.counts.get('a.get 404')).toBe(1)
})
