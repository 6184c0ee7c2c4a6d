import type { ScenarioDocument } from '../scenarios/scenario.ts'
import { type Observed, observe } from './observe.ts'
import type { Run } from './run.ts'
import type { Exploration } from './settings.ts'
import { storiesOf } from './stories.ts'

/** The parameters of a run: its name for the program, its limit of wall time, and the scenarios of its world. */
export interface Order {
  name: string
  limitMs: number
  scenarios?: readonly (ScenarioDocument | string)[]
  /** Is called with the world still open. */
  afterwards?(done: Pick<Done, 'run' | 'observed' | 'wasRendering'>): Promise<void>
}

/** The result of one run. */
export interface Done {
  run: Run
  observed: Observed
  stories: string[]
  /** Whether the emulator was rendering any file, of any world, when the program had ended. */
  wasRendering: boolean
}

/** Makes one run in a world of its own. All worlds have the same seed and moment, so that their equal files are rendered once. */
export async function runOnce(
  { emulator, subject, settings }: Exploration,
  { name, limitMs, scenarios, afterwards }: Order,
): Promise<Done> {
  const { seed, now, clock, signal } = settings
  const world = await emulator.openWorld({ seed, now, clock, ...(scenarios && { scenarios }) })
  try {
    const run = await subject.run(world, { name, limitMs, signal })
    const wasRendering = (await emulator.health()).rendering > 0
    const observed = await observe(world)
    const stories = await storiesOf(world, observed.tasks)
    await afterwards?.({ run, observed, wasRendering })
    return { run, observed, stories: stories.map(({ text }) => text), wasRendering }
  } finally {
    await world.drop()
  }
}
