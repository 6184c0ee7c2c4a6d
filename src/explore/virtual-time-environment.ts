import { pathToFileURL } from 'node:url'
import { packagePath } from '../package/files.ts'

/** `NODE_OPTIONS` by which the timers of Node programs use the clock of their world (explore, "Time"). */
export function virtualTimeEnvironment({ NODE_OPTIONS = '' }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const module = pathToFileURL(packagePath('dist/virtual-time.js')).href
  return { NODE_OPTIONS: `${NODE_OPTIONS} --import ${module}`.trim() }
}
