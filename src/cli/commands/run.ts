import { constants } from 'node:os'
import spawn from 'cross-spawn'
import { readFlags, readOptions, UsageError } from '../../emulator/options.ts'
import { assembleEmulator, listen } from '../../emulator/server.ts'
import { createStandIn, proxyLines } from '../../explore/as.ts'
import { environmentOf, inheritedFrom } from '../../explore/explore.ts'
import { runRows as flagRows, readAsFlags, readTemplate, serveArguments } from './explore-flags.ts'

import { onStop } from './output.ts'

export { flagRows }

/**
 * Runs the user's program with the emulator in the place of named hosts, in the world `default`. Ends with the exit code of the program; 128
 * and the number of the signal when a signal ended it.
 */
export async function run(given: string[]): Promise<number> {
  const at = given.indexOf('--')
  const { flags, words } = readFlags(at < 0 ? given : given.slice(0, at), flagRows)
  if (words.length > 0) throw new UsageError(`Unknown argument ${words[0]}: the command comes after --`)
  const [program, ...args] = at < 0 ? [] : given.slice(at + 1)
  if (!program) throw new UsageError('No command: write gateway-emulator run --as HOST -- COMMAND [ARG…]')
  const { hosts, models } = readAsFlags(flags)
  if (hosts.emulated.length === 0)
    throw new UsageError(
      'run needs --as HOST: the host that your program calls, such as --as api.example.com',
    )
  const env = flags.env.map(readTemplate)
  if (env.some(({ template }) => template.includes('{state}')))
    throw new UsageError('--env: {state} is the folder of a case of explore; run has none')
  const { options } = readOptions(serveArguments(flags), { clock: { mode: 'auto', rate: 1 } })
  const listening = await listen(
    await assembleEmulator({
      ...options,
      port: 0,
      log: 'silent',
      models: { ...options.models, ...models },
    }),
  )
  const inherited = inheritedFrom(process.env)
  const standIn = await createStandIn({ hosts, dispatch: listening.emulator.dispatch, inherited })
  try {
    const world = { id: 'default', baseUrl: listening.url, apiKey: 'sk-emulator' }
    const opened = await standIn.open(world.apiKey)
    const surroundings = { ...inherited, ...opened.environment(inherited) }
    const code = await ended(
      program,
      args,
      environmentOf({ env, inherited: surroundings }, world, { name: 'run' }),
    )
    await opened.close()
    for (const line of proxyLines(standIn.heard))
      process.stderr.write(`gateway-emulator: ${standIn.secrets.masked(line)}\n`)
    return code
  } finally {
    standIn.close()
    await listening.close()
  }
}

/** Signals go to the program, which has the same terminal; this process waits for it. */
function ended(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: 'inherit' })
    const noLonger = onStop(() => child.kill('SIGTERM'))
    child.once('error', (error: NodeJS.ErrnoException) => {
      noLonger()
      const why = error.code === 'ENOENT' ? 'the program does not exist' : error.message
      reject(new UsageError(`Cannot start ${program}: ${why}`))
    })
    child.once('exit', (code, signal) => {
      noLonger()
      resolve(signal === null ? (code ?? 0) : 128 + (constants.signals[signal] ?? 0))
    })
  })
}
