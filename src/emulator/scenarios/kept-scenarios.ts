import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { asDirectoryError, codeOf, DataDirectoryError } from '../worlds/data/data-directory-error.ts'
import { moveFile } from '../worlds/data/file-system.ts'
import { checkScenario } from './load.ts'
import type { ScenarioDocument } from './scenario.ts'
import { ScenarioError } from './scenario-error.ts'

/**
 * The scenarios of files, kept in a data directory: its worlds go on with them when a later start does not give the files. Throws
 * DataDirectoryError when they cannot be used.
 */
export function readKeptScenarios(dir: string): ScenarioDocument[] {
  const file = keptFile(dir)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return []
    throw asDirectoryError(`The file "${file}" cannot be read`, error)
  }
  try {
    return (JSON.parse(text) as unknown[]).map(checkScenario)
  } catch (error) {
    const why = error instanceof ScenarioError ? `${error.path ?? ''} ${error.message}`.trim() : String(error)
    throw new DataDirectoryError(
      `The file "${file}" is damaged: ${why}. Nothing was changed; remove it, and start with the --scenario files that it had`,
      { cause: error },
    )
  }
}

/** Keeps scenarios in a data directory. The file is never half written. */
export async function keepScenarios(dir: string, documents: readonly ScenarioDocument[]): Promise<void> {
  const file = keptFile(dir)
  const unfinished = `${file}.tmp`
  try {
    const handle = await open(unfinished, 'w')
    try {
      await handle.writeFile(JSON.stringify(documents))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await moveFile(unfinished, file)
  } catch (error) {
    throw asDirectoryError(`The file "${file}" cannot be written`, error)
  }
}

function keptFile(dir: string): string {
  return join(dir, 'scenarios.json')
}
