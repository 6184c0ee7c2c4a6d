import { hint, UsageError } from '../../emulator/options.ts'
import { shown } from '../../emulator/words.ts'
import type { ExploredCommand } from '../run/run-command.ts'
import type { ExploredFunction } from '../run/run-function.ts'
import type { ExploredSystem } from './explore-system.ts'
import type { ExploreOptions } from './options.ts'

/** What is explored: a function of this process, a command, or a system of services. */
export type Explored = ExploredFunction | ExploredCommand | ExploredSystem

const parts = ['command', 'system', 'env', 'state']
const forms = 'give a function, { command: ["node", "app.mjs"] } or { system: "system.yaml" }'
/** Options that say something about the services of a system. */
const ofSystems = ['kill', 'restartAfter', 'scale'] as const

/** Plain JavaScript may pass anything. Throws UsageError for what cannot be explored, and for options that say nothing about it. */
export function checkExplored(explored: Explored, options: ExploreOptions): void {
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
