// Durable creates at 100,000 stored records, as ratios to the memory database in the same run:
// `node --import tsx build/bench/durable.ts [records]`. Absolute figures depend on the machine; the ratios hardly do.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { type Database, openDirectory, openMemory } from '../../src/emulator/worlds/database.ts'
import { put } from '../../test/support/database-records.ts'

const RECORDS = Number(process.argv[2] ?? 100_000)
const CREATES = 20_000
const RECORD_BYTES = 1500
let next = 0

/** A task about as long as a real one; every string in it is new, as after parsing a request. */
function task(number: number) {
  const head = {
    id: `cgt-${number}`,
    model: 'a-model',
    createdAt: number,
    plan: { startsAt: number, endsAt: number + 1 },
  }
  return { ...head, prompt: `${number} `.padEnd(RECORD_BYTES - JSON.stringify(head).length, 'lorem ipsum ') }
}

function create(database: Database): Promise<void> | undefined {
  next += 1
  put(database, 'default', 'tasks', `cgt-${next}`, task(next))
  return database.commit()
}

async function fill(database: Database): Promise<void> {
  for (let number = 0; number < RECORDS; number += 1) {
    const written = create(database)
    if (number % 1000 === 0) await written
  }
  await database.commit()
}

/** Creates per second by this many clients, each of which waits for its reply. */
async function rate(database: Database, clients: number): Promise<number> {
  const client = async () => {
    for (let number = 0; number < CREATES / clients; number += 1) await create(database)
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: clients }, client))
  return CREATES / ((performance.now() - startedAt) / 1000)
}

type Rates = { one: number; many: number }

async function measure(name: string, database: Database, memory?: Rates): Promise<Rates> {
  const empty = await rate(database, 64)
  await fill(database)
  const rates = { one: await rate(database, 1), many: await rate(database, 64) }
  await database.close()
  console.log(
    `${name}: ${Math.round(rates.one)} creates/s with 1 client, ${Math.round(rates.many)} with 64 (${ratio(rates.many, empty)} of an empty store)`,
  )
  if (memory)
    console.log(
      `  of memory: ${ratio(rates.one, memory.one)} with 1, ${ratio(rates.many, memory.many)} with 64`,
    )
  return rates
}

function ratio(part: number, whole: number): string {
  return (part / whole).toFixed(3)
}

/** How long the event loop is blocked while everything is compacted under 16 clients. */
async function measureCompaction(dir: string): Promise<void> {
  const startedAt = performance.now()
  const database = await openDirectory({ dir, compactBytes: 1 })
  const loadedAt = performance.now()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  while (!(await readdir(dir)).some(name => /^snapshot.*ndjson$/.test(name))) await rate(database, 16)
  delay.disable()
  const [p99, max] = [delay.percentile(99), delay.max].map(ns => (ns / 1e6).toFixed(1))
  console.log(`load: ${Math.round(loadedAt - startedAt)} ms`)
  console.log(
    `compaction under 16 clients: event loop p99 ${p99} ms, longest ${max} ms, snapshot in ${Math.round(performance.now() - loadedAt)} ms`,
  )
  await database.close()
}

const dir = await mkdtemp(join(tmpdir(), 'durable-'))
try {
  const memory = await measure('memory', openMemory())
  await measure(
    'write only',
    await openDirectory({ dir: join(dir, 'plain'), compactBytes: Number.POSITIVE_INFINITY }),
    memory,
  )
  await measure('fsync', await openDirectory({ dir: join(dir, 'fsync'), fsync: true }), memory)
  await measureCompaction(join(dir, 'plain'))
} finally {
  await rm(dir, { recursive: true, force: true })
}
