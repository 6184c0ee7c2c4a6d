import { delimiter } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packagePath } from '../../package/files.ts'

/** A program that is killed at an open request meets no time-out before it, however late a busy machine kills it: wall seconds. */
const silenceBeforeDeathS = '10'

/** Variables by which the clocks and sleeps of a program use the clock of its world, beside those that it has. */
export function virtualTimeEnvironment(
  { NODE_OPTIONS = '', PYTHONPATH = '' }: NodeJS.ProcessEnv,
  { dies }: { dies: boolean },
): NodeJS.ProcessEnv {
  const module = pathToFileURL(packagePath('dist/virtual-time.js')).href
  return {
    GATEWAY_EMULATOR_TIME: 'virtual',
    ...(dies && { GATEWAY_EMULATOR_SILENCE_S: silenceBeforeDeathS }),
    NODE_OPTIONS: `${NODE_OPTIONS} --import ${module}`.trim(),
    PYTHONPATH: [packagePath('python/tie'), PYTHONPATH].filter(Boolean).join(delimiter),
  }
}
