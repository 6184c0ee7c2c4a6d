/**
 * Single bits are flipped in the files of a data directory, one at a time. Each flip must be found at the
 * start; none may be overlooked, end the process, or appear only in a later request. Run with: node --import tsx build/torture/flips.ts [--flips 1000] [--seed 1]
 */
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { flipBits, makeDataDirectory } from './flip-run.ts'

const { values } = parseArgs({
  options: { flips: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
})
const dir = await makeDataDirectory()
const { counts, faults } = await flipBits(dir, Number(values.flips), Number(values.seed))
rmSync(dir, { recursive: true })
for (const fault of faults.slice(0, 50)) console.log(fault)
console.log(
  `${values.flips} flipped bits: ${counts.refused} refused with file and place, ${counts.told} cut and told, ${counts.whole} without effect, ${counts.fault} faults`,
)
process.exit(faults.length === 0 ? 0 : 1)
