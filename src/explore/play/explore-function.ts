import type { ControlClient } from '../../kits/client.ts'
import { shellText } from '../report/replay.ts'
import type { Report } from '../report/report.ts'
import { keptState } from '../run/kept-state.ts'
import { commandSubject, inheritedFrom } from '../run/run-command.ts'
import { functionSubject } from '../run/run-function.ts'
import { emptyStates } from '../run/state-folder.ts'
import { explore } from './explore.ts'
import { readExploredSystem, systemExploration } from './explore-system.ts'
import { checkExplored, type Explored } from './explored.ts'
import { type ExploreOptions, exploreSettings } from './options.ts'
import { replayFlags } from './replay-flags.ts'
import type { Exploration, Settings } from './settings.ts'

/** The exploration of a function, a command or a system with an emulator. Its `states` are to be ended. */
export async function functionExploration(
  emulator: ControlClient,
  explored: Explored,
  options: ExploreOptions,
): Promise<Exploration> {
  checkExplored(explored, options)
  const openedAt = (await emulator.world.clock.get()).now
  const given = exploreSettings(options, openedAt)
  if (typeof explored === 'function') return { emulator, subject: functionSubject(explored), settings: given }
  const settings = {
    ...withoutClock(given),
    ...timeFor(options.clock),
    replay: replayFlags(explored, options, given),
  }
  const inherited = inheritedFrom(process.env)
  if ('system' in explored)
    return systemExploration(readExploredSystem(explored, options), { emulator, settings, inherited })
  const { command, env = {}, state } = explored
  const [program, ...args] = command
  const templates = Object.entries(env).map(([name, template]) => ({ name, template }))
  return {
    emulator,
    subject: commandSubject({ program, args, env: templates, inherited }),
    states: state === undefined ? emptyStates : await keptState(state),
    settings: {
      ...settings,
      command: shellText(command),
      // All cases share the folder.
      ...(state !== undefined && { jobs: 1 }),
    },
  }
}

/** Explores a function, a command or a system. Rejects with BaselineError when its undisturbed run fails, and with UsageError for wrong options. */
export async function exploreFunction(
  emulator: ControlClient,
  explored: Explored,
  options: ExploreOptions = {},
): Promise<Report> {
  const exploration = await functionExploration(emulator, explored, options)
  try {
    return await explore(exploration)
  } finally {
    await exploration.states?.end?.()
  }
}

function withoutClock({ clock, ...settings }: Settings): Settings {
  return settings
}

/** A clock that moves by itself is for a program that sleeps in real time. Without one, the time is virtual where that is possible. */
function timeFor(clock: ExploreOptions['clock']): Pick<Settings, 'time' | 'clock'> {
  if (clock === undefined) return { time: 'auto' }
  return { time: clock === 'manual' ? 'virtual' : 'real', clock }
}
