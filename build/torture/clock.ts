/**
 * Programs of two to five processes made at random, with sleeps, messages, limits, starts and kills, are played in real time by a simple
 * model and by the conductor, whose lines come late: each as it is, with long work at any moment that keeps a process from hearing anything, and
 * with processes that are stopped for a while. Every wait must end as in real time, and each mutant must be noticed.
 * Run with: node --import tsx build/torture/clock.ts [--programs 1000] [--seed 1]
 */
import { parseArgs } from 'node:util'
import { differing, mutants, weatherOf, weathers } from './run-model.ts'

const { values } = parseArgs({
  options: { programs: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
})
const first = Number(values.seed)
const count = Number(values.programs)

let faults = 0
for (const weather of weathers) {
  const found = differing({ first, count }, weather)
  faults += found.length
  console.log(`${count} programs, ${weather}: ${found.length} differ`, ...found.slice(0, 20))
}
const overlooked = mutants.filter(one => differing({ first, count: 40 }, weatherOf(one), one).length === 0)
for (const mutant of overlooked) console.log(`nobody noticed: ${mutant}`)
console.log(`${mutants.length - overlooked.length} of ${mutants.length} mutants noticed`)
process.exit(faults + overlooked.length === 0 ? 0 : 1)
