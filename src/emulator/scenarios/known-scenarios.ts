import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { packagePath } from '../package/files.ts'
import { didYouMean } from '../wording/shown.ts'
import { asDirectoryError, codeOf, DataDirectoryError, moveFile } from '../worlds/data/file-system.ts'
import type { StoredScenario } from '../worlds/head.ts'
import type { World } from '../worlds/world.ts'
import { compile, type Scenario } from './compile.ts'
import { checkScenario, parseScenario, parseTrusted, readScenarioFile } from './load.ts'
import { formOf, type ScenarioDocument } from './scenario.ts'
import { ScenarioError } from './scenario-error.ts'

/** The scenarios in the package; each file has the name of its scenario. */
export const shippedNames = [
  'happy-path',
  'slow-queue',
  'late-failure',
  'moderation-refusal',
  'rate-limited',
  'flaky-upstream',
  'expiry',
  'links-expire',
  'broken-media',
  'success-without-url',
  'unknown-task',
  'special-delete-501',
  'outage',
  'chaos',
  'late-validation',
  'task-type-mismatch',
  'model-not-found',
  'model-unavailable',
] as const

/** A scenario in a list. */
export interface ScenarioListing {
  name: string
  description: string
  /** `world` = posted to this world, `file` = given with `--scenario`, `shipped` = part of the package. */
  source: 'world' | 'file' | 'shipped'
}

type Database = World['database']

/** The scenarios of the package, parsed once. Saves about 1 ms for each use of one; the files do not change. */
const shipped = new Map<string, ScenarioDocument>()
/** Scenarios from files, by database: they belong to one emulator, and all its worlds share its database. */
const offered = new WeakMap<Database, Map<string, ScenarioDocument>>()

/** A scenario by name in a world: documents posted to it win over files, and those over shipped ones. */
export function scenarioNamed(world: World, name: string): Scenario | undefined {
  const document = documentNamed(world, name)
  return document && compile(document)
}

/** The document of a scenario that a world knows. */
export function documentNamed(world: World, name: string): ScenarioDocument | undefined {
  return postedDocument(world, name) ?? offeredDocument(world.database, name)
}

/** A document that was posted to this world. Its shape was checked before the world stored it. */
function postedDocument(world: World, name: string): ScenarioDocument | undefined {
  return world.state.scenarios.get(name) as ScenarioDocument | undefined
}

/** The text of a scenario as its author wrote it, where it is known: comments and order are kept. */
export function textNamed(world: World, name: string): string | undefined {
  const posted = world.state.scenarios.get(name)
  if (posted || fileDocument(world.database, name)) return (posted ?? documentNamed(world, name))?.$text
  return shippedDocument(name) && readFileSync(shippedFile(name), 'utf8')
}

/** The document of a scenario that every world of an emulator knows: from a file, or shipped. */
export function offeredDocument(database: Database, name: string): ScenarioDocument | undefined {
  return fileDocument(database, name) ?? shippedDocument(name)
}

/** The document of a scenario that only this emulator knows, from a file. */
export function fileDocument(database: Database, name: string): ScenarioDocument | undefined {
  return offered.get(database)?.get(name)
}

/** All scenarios that a world knows. */
export function listScenarios(world: Pick<World, 'database' | 'state'>): ScenarioListing[] {
  return listed(world.database, world.state.scenarios)
}

/** One scenario that a world knows. The files of the other shipped ones are not read. */
export function listingNamed(world: World, name: string): ScenarioListing | undefined {
  const document = documentNamed(world, name)
  return document && { name, description: document.description ?? '', source: sourceOf(world, name) }
}

function sourceOf({ database, state }: World, name: string): ScenarioListing['source'] {
  if (state.scenarios.has(name)) return 'world'
  return fileDocument(database, name) ? 'file' : 'shipped'
}

function listed(database: Database, posted: ReadonlyMap<string, StoredScenario>): ScenarioListing[] {
  const list = new Map<string, ScenarioListing>()
  const add = (source: ScenarioListing['source'], documents: Iterable<StoredScenario>) => {
    for (const { name, description = '' } of documents) list.set(name, { name, description, source })
  }
  add('shipped', shippedDocuments())
  add('file', offered.get(database)?.values() ?? [])
  add('world', posted.values())
  return [...list.values()]
}

/** The message for the name of an unknown scenario. */
export function unknownScenario(world: World, name: string): string {
  return `no scenario is named "${name}", ${nearestScenario(world.database, name, world.state.scenarios)}`
}

/** The hint for an unknown name. */
export function nearestScenario(
  database: Database,
  name: string,
  posted: ReadonlyMap<string, StoredScenario> = new Map(),
): string {
  if (formOf(name) !== 'name')
    return 'only names stand here: POST /__emulator/scenarios takes a document, or the text of a file'
  const known = listed(database, posted).map(scenario => scenario.name)
  return didYouMean(name, known) ?? 'see GET /__emulator/scenarios'
}

/** The documents of all shipped scenarios. */
export function shippedDocuments(): ScenarioDocument[] {
  return shippedNames.flatMap(name => shippedDocument(name) ?? [])
}

/**
 * The scenarios of `--scenario NAME|FILE`: the documents of files and texts, and the shipped ones by name. Throws ScenarioError for
 * one that cannot be used and for an unknown name.
 */
export function readScenarios(
  namesAndFiles: readonly (string | ScenarioDocument)[],
): (string | ScenarioDocument)[] {
  return namesAndFiles.map(entry =>
    typeof entry === 'string' && !isShipped(entry) ? readUnshipped(entry) : entry,
  )
}

/** Whether a scenario is part of the package. */
export function isShipped(name: string): boolean {
  return shippedNames.some(shippedName => shippedName === name)
}

/** Makes scenarios known to an emulator's worlds, and returns their names in order. Throws ScenarioError as `readScenarios` does. */
export function offerScenarios(
  database: Database,
  namesAndFiles: readonly (string | ScenarioDocument)[],
): string[] {
  return readScenarios(namesAndFiles).map(document => {
    if (typeof document === 'string') return document
    const documents = offered.get(database) ?? new Map<string, ScenarioDocument>()
    offered.set(database, documents.set(document.name, document))
    return document.name
  })
}

function readUnshipped(entry: string): ScenarioDocument {
  const form = formOf(entry)
  if (form !== 'name') return form === 'file' ? readScenarioFile(entry) : parseScenario(entry)
  const hint = didYouMean(entry, shippedNames)
  throw new ScenarioError(`no scenario is named "${entry}"`, { steps: [], hint })
}

/** Read at first use, once per process, since these files do not change. */
function shippedDocument(name: string): ScenarioDocument | undefined {
  const known = shipped.get(name)
  if (known || !isShipped(name)) return known
  const document = parseTrusted(readFileSync(shippedFile(name), 'utf8'))
  shipped.set(name, document)
  return document
}

function shippedFile(name: string): string {
  return packagePath(`scenarios/${name}.yaml`)
}

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
