import type { ScenarioDocument } from '../scenarios/scenario.ts'
import { type Observed, observe, storiesIn } from './observe.ts'
import type { Run } from './run.ts'
import type { Exploration } from './settings.ts'

/** One run in a world of its own: same seed, same moment, so that the same files are rendered once for all runs. */
export async function runOnce(
  { emulator, subject, settings }: Exploration,
  { name, scenarios }: { name: string; scenarios?: readonly (ScenarioDocument | string)[] },
): Promise<{ run: Run; observed: Observed; stories: string[] }> {
  const { seed, now, clock, limitMs, signal } = settings
  const world = await emulator.openWorld({ seed, now, clock, ...(scenarios && { scenarios }) })
  try {
    const run = await subject.run(world, { name, limitMs, signal })
    const observed = await observe(world)
    return { run, observed, stories: await storiesIn(world, observed.tasks) }
  } finally {
    await world.drop()
  }
}
