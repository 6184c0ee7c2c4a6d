import type { StandIn } from '../../as/stand-in.ts'
import type { Subject } from './run.ts'
import { type Command, commandSubject } from './run-command.ts'

/** A command whose calls of named hosts reach the world of its run. What it writes is kept without its keys. */
export function standInSubject(command: Command, standIn: StandIn): Subject {
  return {
    async run(world, options) {
      const opened = await standIn.open(world.apiKey)
      try {
        const inherited = { ...command.inherited, ...opened.environment(command.inherited) }
        const run = await commandSubject({ ...command, inherited }).run(world, options)
        const { masked } = standIn.secrets
        return { ...run, output: masked(run.output), errors: masked(run.errors) }
      } finally {
        await opened.close()
      }
    },
  }
}
