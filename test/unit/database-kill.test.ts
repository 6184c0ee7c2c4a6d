import { readdir } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Database } from '../../src/emulator/worlds/database.ts'
import { idsOf } from '../support/database-records.ts'
import { ownFolder } from '../support/folders.ts'
import { openForTest } from '../support/open-for-test.ts'
import { startWriter } from '../support/writer-process.ts'

// Each round is killed after a number of acknowledged writes. The moment is random, the numbers are fixed.
const ROUNDS = fc.sample(fc.integer({ min: 1, max: 4000 }), { numRuns: 8, seed: 20 })

type Acknowledged = Map<string, string>

// Interface, section 9: "Acknowledged writes survive kill -9 with `--data`".
test('kill -9 at any moment loses no acknowledged write and shows no half of a group', {
  timeout: 120_000,
}, async () => {
  const dir = ownFolder()
  const acknowledged: Acknowledged = new Map()
  for (const [round, count] of ROUNDS.entries()) {
    const writer = await startWriter(dir, String(round), round % 2 === 0 ? 'plain' : 'fsync')
    await writer.saidAtLeast(count)
    await writer.kill()
    for (const line of writer.lines.slice(1)) note(acknowledged, line)
    const database = await openForTest({ dir })
    expect(lost(database, acknowledged), `round ${round}`).toEqual([])
    checkPairs(database)
    checkOrder(database)
    await database.close()
  }
  expect(acknowledged.size).toBeGreaterThan(1000)
  expect((await readdir(dir)).filter(name => name.startsWith('snapshot-'))).toHaveLength(1)
})

function note(acknowledged: Acknowledged, line: string): void {
  const [verb = '', id = ''] = line.split(' ')
  acknowledged.set(id, verb)
}

function lost(database: Database, acknowledged: Acknowledged): string[] {
  return [...acknowledged].filter(([id, verb]) => !isKept(database, id, verb)).map(pair => pair.join(' '))
}

function isKept(database: Database, id: string, verb: string): boolean {
  const version = versionOf(database, 'tasks', id)
  if (verb === 'deleted') return version === undefined
  // A later change may be there without having been acknowledged; that of every fourth may be its deletion.
  if (version === undefined) return verb === 'changed' && Number(id.split('-')[1]) % 4 === 0
  return verb === 'changed' ? version === 2 : true
}

function versionOf(database: Database, collection: 'tasks' | 'accounts', id: string): number | undefined {
  const value = database.data.worlds.get('default')?.[collection].get(id)
  return typeof value === 'object' && value && 'version' in value ? Number(value.version) : undefined
}

/** The two records of a group are written together or not at all. */
function checkPairs(database: Database): void {
  const ids = idsOf(database, 'default', 'tasks')
  expect(idsOf(database, 'default', 'accounts')).toEqual(ids)
  const torn = ids.filter(id => versionOf(database, 'tasks', id) !== versionOf(database, 'accounts', id))
  expect(torn).toEqual([])
}

function checkOrder(database: Database): void {
  const ids = idsOf(database, 'default', 'tasks')
  expect(ids).toEqual([...ids].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })))
}
