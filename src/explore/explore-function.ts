import type { EmulatorClient } from '../client/client.ts'
import { explore } from './explore.ts'
import { type ExploreOptions, exploreSettings } from './options.ts'
import type { Report } from './report.ts'
import { type Explored, functionSubject } from './run-function.ts'
import type { Exploration } from './settings.ts'

/** The exploration of a function with an emulator. */
export async function functionExploration(
  emulator: EmulatorClient,
  explored: Explored,
  options: ExploreOptions,
): Promise<Exploration> {
  const openedAt = (await emulator.world.clock.get()).now
  return { emulator, subject: functionSubject(explored), settings: exploreSettings(options, openedAt) }
}

/** Explores a function. Rejects with BaselineError when its undisturbed run fails, and with UsageError for wrong options. */
export async function exploreFunction(
  emulator: EmulatorClient,
  explored: Explored,
  options: ExploreOptions = {},
): Promise<Report> {
  return explore(await functionExploration(emulator, explored, options))
}
