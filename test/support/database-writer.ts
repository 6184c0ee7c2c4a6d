// A process that writes until it is killed: `database-writer.ts <dir> <round> <fsync|plain>`.
// Each line on stdout names a write that was acknowledged before the line was written.
import { openDirectory } from '../../src/emulator/worlds/database.ts'
import { put, remove } from './database-records.ts'

const WRITERS = 16
const [dir = '', round = '', mode = ''] = process.argv.slice(2)
const database = await openDirectory({ dir, fsync: mode === 'fsync', compactBytes: 100_000 })
const padding = 'x'.repeat(1500)
let count = 0

/** Creates a task with its partner in the accounts, changes every other one, deletes every fourth. */
async function writeForever(): Promise<never> {
  for (;;) {
    count += 1
    const number = count
    const id = `${round}-${number}`
    put(database, 'default', 'tasks', id, { version: 1, padding })
    put(database, 'default', 'accounts', id, { version: 1 })
    await acknowledge(`created ${id}`)
    if (number % 2 === 0) {
      put(database, 'default', 'tasks', id, { version: 2, padding })
      put(database, 'default', 'accounts', id, { version: 2 })
      await acknowledge(`changed ${id}`)
    }
    if (number % 4 === 0) {
      remove(database, 'default', 'tasks', id)
      remove(database, 'default', 'accounts', id)
      await acknowledge(`deleted ${id}`)
    }
  }
}

// Continues only when the pipe has the line, because lines in this process are lost with it.
function say(line: string): Promise<void> {
  return new Promise(resolve => process.stdout.write(`${line}\n`, () => resolve()))
}

async function acknowledge(line: string): Promise<void> {
  await database.commit()
  await say(line)
}

await say(`opened ${process.pid}`)
await Promise.all(Array.from({ length: WRITERS }, writeForever))
