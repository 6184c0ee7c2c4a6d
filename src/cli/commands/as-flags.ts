import { modelNames, neutralModel } from '../../emulator/gateway.ts'
import { readFixture } from '../../emulator/ground.ts'
import { hint, readAt, UsageError } from '../../emulator/options.ts'
import { type Hosts, readAllowedHost, readEmulatedHost } from '../../explore/as.ts'

/** The forms of the flags that put the emulator in the place of hosts. */
export const asForms = { as: 'texts', allow: 'texts', 'model-alias': 'texts' } as const

/** The parsed flags. */
export interface AsFlags {
  hosts: Hosts
  /** Names of models of the program, and the models of the emulator that stand for them. `*`: for each unknown name. */
  models: Readonly<Record<string, string>>
}

/** Reads `--as`, `--allow` and `--model-alias`. Throws UsageError. */
export function readAsFlags(flags: Readonly<Record<keyof typeof asForms, readonly string[]>>): AsFlags {
  const emulated = flags.as.map(text => readAt('--as', text, readEmulatedHost))
  const allowed = flags.allow.map(text => readAt('--allow', text, readAllowedHost))
  if (emulated.length === 0 && allowed.length > 0)
    throw new UsageError('--allow is for programs behind --as HOST; without it all hosts can be reached')
  return { hosts: { emulated, allowed }, models: Object.fromEntries(flags['model-alias'].map(readAlias)) }
}

function readAlias(text: string): [string, string] {
  const at = text.lastIndexOf('=')
  const [name, model] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || model === '') throw new UsageError(`--model-alias: "${text}" is not of the form NAME=MODEL`)
  const id = neutralModel(model, {})
  if (id === undefined)
    throw new UsageError(
      `--model-alias: "${model}" is not one of ${Object.keys(readFixture('models.json')).join(', ')} or their published names${hint(model, modelNames())}`,
    )
  return [name, id]
}
