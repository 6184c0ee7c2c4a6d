/**
 * Programs of two to five processes made at random, with sleeps, messages, limits, starts and kills, are played in real time by a simple
 * model and by the conductor, whose lines come late. Every wait must end at the same moment, and each mutant must be noticed.
 * Run with: node --import tsx build/torture/clock.ts [--programs 300] [--seed 1]
 */
import { parseArgs } from 'node:util'
import { seeded } from '../../test/support/seeded.ts'
import { conducted, inRealTime, type Mutant, programOf } from './run-model.ts'

const { values } = parseArgs({
  options: { programs: { type: 'string', default: '300' }, seed: { type: 'string', default: '1' } },
})
const first = Number(values.seed)
const programs = Number(values.programs)

/** The seeds of the programs whose waits end at other moments. */
async function differing(count: number, mutant?: Mutant): Promise<number[]> {
  const found: number[] = []
  for (let seed = first; seed < first + count; seed++) {
    const program = programOf(seeded(seed))
    const log = await conducted(program, seeded(seed + 1_000_000), mutant)
    if (log.join('\n') !== inRealTime(program).join('\n')) found.push(seed)
  }
  return found
}

// The conductor's own timers keep no process alive.
setInterval(() => {}, 1000)
const faults = await differing(programs)
const mutants: Mutant[] = [
  'no second look',
  'no word of a birth',
  'not the least moment',
  'no sight of a kill',
]
const overlooked: Mutant[] = []
for (const mutant of mutants) if ((await differing(40, mutant)).length === 0) overlooked.push(mutant)
for (const seed of faults.slice(0, 20)) console.log(`seed ${seed}: a wait ends at another moment`)
for (const mutant of overlooked) console.log(`nobody noticed: ${mutant}`)
console.log(
  `${programs} programs: ${faults.length} differ; ${mutants.length - overlooked.length} of ${mutants.length} mutants noticed`,
)
process.exit(faults.length + overlooked.length === 0 ? 0 : 1)
