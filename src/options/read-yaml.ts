import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { yamlFault } from '../wording/yaml-fault.ts'
import { isTooDeepYaml } from '../worlds/yaml-depth.ts'
import { UsageError } from './usage-error.ts'

/** The content of a YAML or JSON file that the command line names. Throws UsageError, with the path, when it cannot be read. */
export function readYaml(path: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${error instanceof Error ? error.message : error}`)
  }
  if (isTooDeepYaml(text)) throw new UsageError(`${path}: it is nested too deeply`)
  const yaml: typeof import('yaml') = createRequire(import.meta.url)('yaml')
  try {
    return yaml.parse(text)
  } catch (error) {
    throw new UsageError(`${path}: ${yamlFault(error)}`)
  }
}
