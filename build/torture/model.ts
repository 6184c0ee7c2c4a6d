/**
 * Random operations over several worlds, each with a twin of the same seed, beside a simple model. The data
 * directory is copied as `kill -9` would leave it, and the next run continues from the copy. The replies to
 * clients, the events of listeners and the content of the disk must agree with the model, and twins must be
 * equal byte for byte.
 * Run with: node --import tsx build/torture/model.ts [--operations 200000] [--seed 1] [--worlds 6]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { assembleEmulator, type Listening, listen } from '../../src/emulator/server/emulator.ts'
import { copyAtOnce } from '../../test/support/copy-at-once.ts'
import { seeded } from '../../test/support/seeded.ts'
import { TwinLife } from './twin-life.ts'

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    worlds: { type: 'string', default: '6' },
  },
})
const wanted = Number(values.operations)
const random = seeded(Number(values.seed))
const openedAt = Date.parse('2026-03-01T08:00:00Z')
const faults: string[] = []
let dir = mkdtempSync(join(tmpdir(), 'torture-model-'))
let gateway = await start()
const lives = Array.from(
  { length: Number(values.worlds) },
  (_, number) => new TwinLife(`pair-${number}`, seeded(Number(values.seed) * 1000 + number), openedAt),
)
for (const life of lives) life.connect(gateway)
let kills = 0
while (count() < wanted && faults.length < 20) {
  const turns = random.integer(20, 400)
  await Promise.all(lives.map(life => life.run(turns)))
  await kill()
  for (const life of lives) faults.push(...life.takeFaults())
  if (kills % 20 === 0) console.log(`${count()} operations, ${kills} kills, ${faults.length} faults`)
}
await gateway.close()
rmSync(dir, { recursive: true, force: true })
for (const fault of faults.slice(0, 20)) console.log(fault)
const sum = (of: (life: TwinLife) => number) => lives.reduce((total, life) => total + of(life), 0)
console.log(
  `${count()} operations in ${lives.length} worlds and their twins, ${kills} kills, ${sum(life => life.heard)} changes heard, ${sum(life => life.comparisons)} comparisons of whole worlds: ${faults.length} faults`,
)
process.exit(faults.length === 0 ? 0 : 1)

function count(): number {
  return lives.reduce((total, life) => total + life.operations, 0)
}

async function start(): Promise<Listening> {
  const options = { port: 0, data: dir, seed: 7, now: openedAt, clock: { mode: 'manual' as const, rate: 1 } }
  return await listen(await assembleEmulator({ ...options, inputs: 'none' }))
}

/** Acknowledged changes must exist in the next run; the old one cannot write anything more. */
async function kill(): Promise<void> {
  kills++
  const copy = mkdtempSync(join(tmpdir(), 'torture-model-'))
  copyAtOnce(dir, copy)
  for (const life of lives) life.disconnect()
  await gateway.close()
  rmSync(dir, { recursive: true, force: true })
  dir = copy
  gateway = await start()
  for (const life of lives) {
    life.connect(gateway)
    await life.compare('after a kill')
  }
}
