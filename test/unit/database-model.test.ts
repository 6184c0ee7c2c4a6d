import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COLLECTIONS } from '../../src/emulator/worlds/data/world-data.ts'
import type { Database } from '../../src/emulator/worlds/database.ts'
import { copyAtOnce } from '../support/copy-at-once.ts'
import { drop, put, remove, stateOf } from '../support/database-records.ts'
import { ownFolder } from '../support/folders.ts'
import { controlledDisk } from '../support/full-disk.ts'
import { openForTest } from '../support/open-for-test.ts'

const world = fc.constantFrom('default', '__proto__')
const collection = fc.constantFrom(...COLLECTIONS.slice(1, 4))
const id = fc.constantFrom('a', 'b', 'c', 'd', '')
const commit = fc.record({ kind: fc.constantFrom('commit', 'commit', 'refused', 'crash', 'reopen', 'start') })
const set = fc.record({ kind: fc.constant('set'), world, collection, id, value: fc.jsonValue() })
const deletion = fc.record({ kind: fc.constant('delete'), world, collection, id })
const step = fc.oneof(
  { arbitrary: set, weight: 10 },
  { arbitrary: deletion, weight: 5 },
  { arbitrary: fc.record({ kind: fc.constant('drop'), world }), weight: 1 },
  { arbitrary: commit, weight: 6 },
)

// Interface, section 9: after any operations in any order, the disk has the content of the Maps at the last commit.
test('any mix of sets, deletions, commits, full disks and crashes ends in the state of the Maps', async () => {
  const disk = await controlledDisk()
  const warnings: string[] = []
  const open = (dir: string) => openForTest({ dir, compactBytes: 300, warn: text => warnings.push(text) })
  let crashesWhileCompacting = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async steps => {
      const root = ownFolder()
      let dir = join(root, '0')
      let database = await open(dir)
      const commits: (Promise<void> | undefined)[] = []
      for (const [index, action] of steps.entries()) {
        if ('value' in action) openWorld(database, action.world)
        if ('value' in action) put(database, action.world, action.collection, action.id, action.value)
        else if ('id' in action) remove(database, action.world, action.collection, action.id)
        else if ('world' in action) drop(database, action.world)
        else if (action.kind === 'start') {
          commits.push(database.commit())
          for (let tick = 0; tick < 5; tick += 1) await Promise.resolve() // The write is running now, and the following changes are made during it.
        } else if (action.kind === 'refused') {
          await database.commit()
          openWorld(database, 'default')
          put(database, 'default', 'tasks', 'a', index)
          disk.refuse('writes')
          await expect(database.commit()).rejects.toThrow('no space is left')
          disk.refuse('nothing')
        } else await database.commit()
        const before = stateOf(database)
        if (action.kind === 'crash') {
          // A killed process leaves the present content of the directory, during a compaction or not.
          const copy = join(root, String(index + 1))
          copyAtOnce(dir, copy)
          if (readdirSync(copy).length > 2) crashesWhileCompacting += 1
          await database.close()
          dir = copy
        }
        if (action.kind === 'reopen') await database.close()
        if (action.kind === 'crash' || action.kind === 'reopen') {
          database = await open(dir)
          expect(stateOf(database)).toBe(before)
        }
      }
      await database.close()
      const last = await open(dir)
      expect(stateOf(last)).toBe(stateOf(database))
      await last.close()
      await Promise.all(commits)
    }),
    { numRuns: 150, seed: 5 },
  )
  expect(crashesWhileCompacting).toBeGreaterThan(10)
  expect(warnings.every(text => text.includes('no space is left'))).toBe(true)
})

/** A world begins with its head, which stays as long as the world does. */
function openWorld(database: Database, id: string): void {
  if (!database.data.worlds.has(id)) put(database, id, 'head', '', {})
}
