/**
 * A server with a data directory under mixed load is killed with -9 again and again, at seeded moments, and must lose nothing that
 * it acknowledged. Run with: node --import tsx build/torture/durability.ts [--rounds 50] [--seed 1]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seeded } from '../../test/support/seeded.ts'
import { DurableLife } from './durable-life.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
})
const rounds = Number(values.rounds)
const seed = Number(values.seed)

const dir = mkdtempSync(join(tmpdir(), 'torture-durability-'))
const life = new DurableLife(dir, seed)
const random = seeded(seed + 1)
for (let round = 1; round <= rounds; round++) {
  await life.round(random.integer(1, 600))
  console.log(`kill ${round}: ${life.acknowledged} answers so far, ${life.losses.length} losses`)
}
await life.finalCheck()
rmSync(dir, { recursive: true })
for (const loss of life.losses.slice(0, 50)) console.log(loss)
console.log(`${rounds} kills, ${life.acknowledged} acknowledged answers, ${life.losses.length} losses`)
process.exit(life.losses.length === 0 ? 0 : 1)
