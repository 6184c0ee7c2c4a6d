import { UsageError } from '../../emulator/options.ts'
import type { ControlClient } from '../../kits/client.ts'
import type { StandIn } from '../as/proxy.ts'
import { filesOfCommand, joined, type Loaded, recorderOf } from '../run/loaded-files.ts'
import { endedByItself, type Subject } from '../run/run.ts'
import { standInSubject } from '../run/run-command.ts'
import { type SystemFolders, systemFolders } from '../system/prepared-states.ts'
import { readScale, readSystemFile } from '../system/read-system.ts'
import { callersOf, type System, withVariables } from '../system/system.ts'
import { prepareSystem, systemSubject } from '../system/system-subject.ts'
import { BaselineError } from './baseline.ts'
import type { ExploreOptions } from './options.ts'
import type { Exploration, Settings } from './settings.ts'

/** A system of services, a driver and what prepares and checks them, as `gateway-emulator explore --system` starts it. */
export interface ExploredSystem {
  /** The path of its file. */
  system: string
  /** Variables for all its parts that do not set them; `{url}`, `{key}`, `{world}`, `{state}` and `{port.NAME}` in them are replaced. */
  env?: Readonly<Record<string, string>>
}

/** The system of a file. Throws UsageError with line, key and the nearest name. */
export function readExploredSystem(
  { system, env = {} }: ExploredSystem,
  { scale = {} }: ExploreOptions,
): System {
  const counts = readScale(Object.entries(scale).map(([name, count]) => `${name}=${count}`))
  return withVariables(readSystemFile(system, counts), env)
}

/** The emulator, and what the services of a system inherit. */
interface Surroundings {
  emulator: ControlClient
  settings: Settings
  inherited: NodeJS.ProcessEnv
  /** The emulator in the place of hosts. */
  standIn?: StandIn | undefined
}

/**
 * The exploration of a system: it is prepared once, and each case begins with what that left. Its `states` are to be ended. Rejects with
 * UsageError for a service that is to be killed and that it does not have, and with BaselineError when it cannot be prepared.
 */
export async function systemExploration(
  system: System,
  { emulator, settings, inherited, standIn }: Surroundings,
): Promise<Exploration> {
  const { kill } = settings
  const names = [...new Set(system.services.flatMap(({ name, of }) => [of, name]))]
  if (kill !== undefined && !names.includes(kill))
    throw new UsageError(`kill: ${kill} is no service; they are ${names.join(', ')}`)
  const folders = await systemFolders()
  const { states, cleaned } = folders
  let loaded: Loaded | undefined
  try {
    loaded = await prepared(system, { emulator, settings, inherited, folders })
    if (settings.recorded !== undefined) loaded = joined(loaded, filesBeside(system))
  } catch (error) {
    await states.end?.()
    throw error
  }
  return {
    emulator,
    subject: standIn
      ? standInSubject(environment => systemSubject(system, environment), { inherited, standIn })
      : systemSubject(system, inherited),
    states,
    system,
    callers: callersOf(system),
    ...(loaded && { prepared: loaded }),
    cleaned,
    settings: { ...settings, folder: system.folder },
  }
}

/** The parts beside are no code of the user's: their programs and the files that their commands name stand for their versions. */
function filesBeside({ services, folder }: System): Loaded {
  const beside = services.filter(({ isBeside }) => isBeside)
  return beside.map(({ command }) => filesOfCommand(command, folder)).reduce(joined, { files: {} })
}

async function prepared(
  system: System,
  { emulator, settings, inherited, folders }: Surroundings & { folders: SystemFolders },
): Promise<Loaded | undefined> {
  const { prepare } = system
  if (!prepare) return undefined
  const world = await emulator.openWorld({ seed: settings.seed, now: settings.now })
  try {
    const { limitMs, signal } = settings
    const options = {
      name: 'prepare',
      limitMs: 3 * limitMs,
      signal,
      time: 'real',
      state: folders.prepared,
    } as const
    const plain: Subject = {
      run: (world, options) => prepareSystem(system, prepare, { world, inherited, options }),
    }
    const { subject, loadedBy } = recorderOf(plain, system.folder, false)
    const run = await (settings.recorded === undefined ? plain : subject).run(world, options)
    const left = run.system?.notReady
    if (left)
      throw new BaselineError(`Nothing was prepared: the service ${left.name} ${left.why}`, {
        output: left.output,
      })
    if (!endedByItself(run.exit) || (run.exit.kind === 'ended' && run.exit.code !== 0))
      throw new BaselineError(`What prepares the system ${endOf(run.exit)}`, { output: run.output })
    return settings.recorded === undefined ? undefined : loadedBy(options.name)
  } finally {
    await world.drop()
  }
}

function endOf(exit: Parameters<typeof endedByItself>[0]): string {
  switch (exit.kind) {
    case 'ended':
      return `ended with ${exit.code}`
    case 'signal':
      return `was ended by ${exit.signal}`
    default:
      return 'did not end in time'
  }
}
