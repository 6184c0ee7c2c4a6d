import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assembleEmulator } from '../../src/emulator/server/emulator.ts'
import { DataDirectoryError, openDirectory } from '../../src/emulator/worlds/database.ts'
import { put, remove, stateOf } from '../../test/support/database-records.ts'
import { seeded } from '../../test/support/seeded.ts'

/** The result for a data directory in which one bit was flipped. */
export type Outcome =
  | { kind: 'refused'; message: string }
  /** It was opened with another state, and the log said what was cut. */
  | { kind: 'told'; message: string }
  /** It was opened with every record unchanged. */
  | { kind: 'whole' }
  /** It was opened with other records and no message, or something else went wrong. */
  | { kind: 'fault'; message: string }

/** The outcome of each kind of flip, and the sentences about faults. */
export interface FlipReport {
  counts: Record<Outcome['kind'], number>
  faults: string[]
}

/**
 * Two worlds with accounts and many small records, some deleted: a snapshot file, a log after it, and a group of two at its end.
 */
export async function makeDataDirectory(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'flips-'))
  const emulator = await assembleEmulator({ data: dir })
  const { worlds } = emulator.services
  for (const id of ['default', 'other']) {
    worlds.account(worlds.open(id), 'default')
    worlds.account(worlds.open(id), 'poor')
  }
  await emulator.close()
  const compacting = await openDirectory({ dir, compactBytes: 2000 })
  for (let number = 0; number < 40; number++) {
    put(compacting, 'default', 'downloads', `task-${number % 25}/video`, number)
    if (number % 7 === 0) remove(compacting, 'default', 'downloads', `task-${number}/video`)
    await compacting.commit()
  }
  put(compacting, 'other', 'downloads', 'last/video', 1)
  put(compacting, 'other', 'downloads', 'last/last_frame', 2)
  await compacting.close()
  return dir
}

/** Flips single bits, each in a fresh copy of the directory. The seed selects the places. */
export async function flipBits(dir: string, times: number, seed: number): Promise<FlipReport> {
  const wanted = await stateIn(dir)
  const random = seeded(seed)
  const files = dataFiles(dir)
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const report: FlipReport = { counts: { refused: 0, told: 0, whole: 0, fault: 0 }, faults: [] }
  for (let flip = 0; flip < times; flip++) {
    const place = placeOf(files, random.integer(0, total - 1))
    const bit = random.integer(0, 7)
    const outcome = await tryFlip(dir, { ...place, bit }, wanted)
    report.counts[outcome.kind]++
    if (outcome.kind === 'fault')
      report.faults.push(`${place.name}, byte ${place.at}, bit ${bit}: ${outcome.message}`)
  }
  return report
}

interface File {
  name: string
  bytes: number
}

function dataFiles(dir: string): File[] {
  const names = readdirSync(dir).filter(name => name.endsWith('.ndjson'))
  return names.sort().map(name => ({ name, bytes: statSync(join(dir, name)).size }))
}

function placeOf(files: readonly File[], offset: number): { name: string; at: number } {
  let at = offset
  for (const { name, bytes } of files) {
    if (at < bytes) return { name, at }
    at -= bytes
  }
  throw new Error('The offset lies behind the last file')
}

async function tryFlip(
  dir: string,
  { name, at, bit }: { name: string; at: number; bit: number },
  wanted: string,
): Promise<Outcome> {
  const copy = mkdtempSync(join(tmpdir(), 'flip-'))
  try {
    cpSync(dir, copy, { recursive: true })
    const bytes = readFileSync(join(copy, name))
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
    writeFileSync(join(copy, name), bytes)
    return await outcomeOf(copy, name, wanted)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

async function outcomeOf(dir: string, name: string, wanted: string): Promise<Outcome> {
  const warnings: string[] = []
  try {
    const state = await stateIn(dir, message => warnings.push(message))
    await presentAll(dir)
    const message = warnings.join('; ')
    if (state === wanted) return { kind: 'whole' }
    return message === ''
      ? { kind: 'fault', message: 'silent: other records, and nothing was told' }
      : { kind: 'told', message }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const isGood =
      error instanceof DataDirectoryError &&
      message.includes(name) &&
      /line \d+|byte \d+|records/.test(message)
    return isGood ? { kind: 'refused', message } : { kind: 'fault', message: `a bad refusal: ${message}` }
  }
}

async function stateIn(dir: string, warn: (message: string) => void = () => {}): Promise<string> {
  const database = await openDirectory({ dir, warn })
  const state = stateOf(database)
  await database.close()
  return state
}

/** Opens the worlds as `serve` does and reads each: an opened directory must work. */
async function presentAll(dir: string): Promise<void> {
  const emulator = await assembleEmulator({ data: dir })
  const { worlds } = emulator.services
  for (const world of worlds.list()) {
    worlds.account(world, 'default')
    worlds.reset(world)
  }
  await emulator.close()
}
