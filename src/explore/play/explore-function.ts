import type { ControlClient } from '../../kits/client.ts'
import { shellText } from '../report/replay.ts'
import type { Report } from '../report/report.ts'
import { keptState } from '../run/kept-state.ts'
import { commandSubject, inheritedFrom } from '../run/run-command.ts'
import { type Explored, functionSubject } from '../run/run-function.ts'
import { emptyStates } from '../run/state-folder.ts'
import { explore } from './explore.ts'
import { type ExploreOptions, exploreSettings } from './options.ts'
import type { Exploration, Settings } from './settings.ts'

/** The exploration of a function or a command with an emulator. Its `states` are to be ended. */
export async function functionExploration(
  emulator: ControlClient,
  explored: Explored,
  options: ExploreOptions,
): Promise<Exploration> {
  const openedAt = (await emulator.world.clock.get()).now
  const settings = exploreSettings(options, openedAt)
  if (typeof explored === 'function') return { emulator, subject: functionSubject(explored), settings }
  const { command, env = {}, state } = explored
  const [program, ...args] = command
  const templates = Object.entries(env).map(([name, template]) => ({ name, template }))
  return {
    emulator,
    subject: commandSubject({ program, args, env: templates, inherited: inheritedFrom(process.env) }),
    states: state === undefined ? emptyStates : await keptState(state),
    settings: {
      ...withoutClock(settings),
      ...timeFor(options.clock),
      command: shellText(command),
      // All cases share the folder.
      ...(state !== undefined && { jobs: 1 }),
    },
  }
}

/** Explores a function or a command. Rejects with BaselineError when its undisturbed run fails, and with UsageError for wrong options. */
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
