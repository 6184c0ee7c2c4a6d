import { pathToFileURL } from 'node:url'
import { packagePath } from '../package/files.ts'

/** `NODE_OPTIONS` that ties the timers of Node programs to their world (explore, "Time"). */
export function virtualTimeEnvironment({ NODE_OPTIONS = '' }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const module = pathToFileURL(packagePath('dist/virtual-time.js')).href
  return { NODE_OPTIONS: `${NODE_OPTIONS} --import ${module}`.trim() }
}
