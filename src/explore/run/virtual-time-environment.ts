import { delimiter } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packagePath } from '../../package/files.ts'

/** Variables by which the clocks and sleeps of a program use the clock of its world, beside those that it has. */
export function virtualTimeEnvironment({
  NODE_OPTIONS = '',
  PYTHONPATH = '',
}: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const module = pathToFileURL(packagePath('dist/virtual-time.js')).href
  return {
    GATEWAY_EMULATOR_TIME: 'virtual',
    NODE_OPTIONS: `${NODE_OPTIONS} --import ${module}`.trim(),
    PYTHONPATH: [packagePath('python/tie'), PYTHONPATH].filter(Boolean).join(delimiter),
  }
}
