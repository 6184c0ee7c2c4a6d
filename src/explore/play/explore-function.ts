import { hint, UsageError } from '../../emulator/options.ts'
import { shown } from '../../emulator/words.ts'
import type { ControlClient } from '../../kits/client.ts'
import { type Report, shellText } from '../report/report.ts'
import { commandSubject, type ExploredCommand, inheritedFrom } from '../run/run-command.ts'
import { type ExploredFunction, functionSubject } from '../run/run-function.ts'
import { emptyStates, keptState } from '../run/state-folder.ts'
import { explore } from './explore.ts'
import { type ExploredSystem, readExploredSystem, systemExploration } from './explore-system.ts'
import { type ExploreOptions, exploreSettings } from './options.ts'
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
  const { clock: _, ...withoutClock } = given
  const settings = {
    ...withoutClock,
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

/** A clock that moves by itself is for a program that sleeps in real time. Without one, the time is virtual where that is possible. */
function timeFor(clock: ExploreOptions['clock']): Pick<Settings, 'time' | 'clock'> {
  if (clock === undefined) return { time: 'auto' }
  return { time: clock === 'manual' ? 'virtual' : 'real', clock }
}

/** What is explored: a function of this process, a command, or a system of services. */
export type Explored = ExploredFunction | ExploredCommand | ExploredSystem

const parts = ['command', 'system', 'env', 'state']
const forms = 'give a function, { command: ["node", "app.mjs"] } or { system: "system.yaml" }'
/** Options that say something about the services of a system. */
const ofSystems = ['kill', 'restartAfter', 'scale'] as const

/** Plain JavaScript may pass anything. Throws UsageError for what cannot be explored, and for options that say nothing about it. */
function checkExplored(explored: Explored, options: ExploreOptions): void {
  const given: object = Object(explored)
  const isSystem = typeof given !== 'function' && 'system' in given
  if (typeof given !== 'function') checkParts(given)
  const astray = ofSystems.find(name => options[name] !== undefined)
  if (astray !== undefined && !isSystem)
    throw new UsageError(`${astray}: only a system has services; give { system: "system.yaml" }`)
}

function checkParts(given: object & { command?: unknown; system?: unknown }): void {
  const unknown = Object.keys(given).find(name => !parts.includes(name))
  if (unknown !== undefined)
    throw new UsageError(`Nothing to explore has ${unknown}${hint(unknown, parts)}: ${forms}`)
  const { command, system } = given
  if (command === undefined && system === undefined)
    throw new UsageError(`Neither a function, a command nor a system is to be explored: ${forms}`)
  if (system === undefined) {
    if (!Array.isArray(command) || command.length === 0)
      throw new UsageError(`command: ${shown(command)} is not a list of words`)
    return
  }
  if (command !== undefined)
    throw new UsageError('command and system: the file of a system names its driver; give one of them')
  if (typeof system !== 'string') throw new UsageError(`system: ${shown(system)} is not the path of a file`)
  if ('state' in given)
    throw new UsageError(
      'state: is for a single command: a system has a folder {state} of each case, which its prepare fills',
    )
}

/** The flags of the command line by which a case plays as it does in code. */
function replayFlags(
  explored: ExploredCommand | ExploredSystem,
  options: ExploreOptions,
  { now, limitMs, restartAfterMs }: Pick<Settings, 'now' | 'limitMs' | 'restartAfterMs'>,
): string {
  const { kill, restartAfter, scale = {}, seed, clock, limit, withoutResult } = options
  const flag = (name: string, value: unknown, text = String(value)) =>
    value === undefined ? [] : [`--${name}`, text]
  // A text without a place to fill may be secret, and a shell can set it.
  const filled = Object.entries(explored.env ?? {}).filter(([, text]) => /\{[\w.-]+\}/.test(text))
  return shellText([
    ...('system' in explored ? flag('system', explored.system) : flag('state', explored.state)),
    ...Object.entries(scale).flatMap(([name, count]) => flag('scale', `${name}=${count}`)),
    ...flag('kill', kill),
    ...flag('restart-after', restartAfter, `${restartAfterMs}ms`),
    ...filled.flatMap(([name, text]) => flag('env', `${name}=${text}`)),
    ...flag('seed', seed),
    ...flag('now', options.now, now),
    ...flag('clock', clock),
    ...flag('limit', limit, `${limitMs}ms`),
    ...(withoutResult ? ['--without-result'] : []),
  ])
}
