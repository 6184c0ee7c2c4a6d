import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openLibraryFolder } from '../../src/media/files/library-folder.ts'
import { ownFolder } from '../support/folders.ts'

const home = ownFolder('library-folder')
beforeEach(() => {
  mkdirSync(home, { recursive: true })
  vi.stubEnv('TMPDIR', home)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true })
})

const ended = spawnSync(process.execPath, ['-e', '']).pid
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

/** The machine, as in names of folders. */
const here = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

/** A temporary folder of an earlier process. */
function left(pid: number, days: number, machine = here): string {
  const folder = join(home, `gateway-emulator-${machine}-${pid}-abcdef`)
  for (const part of ['inputs', 'rendered']) mkdirSync(join(folder, part), { recursive: true })
  for (const part of ['inputs', 'rendered', '.']) utimesSync(join(folder, part), daysAgo(days), daysAgo(days))
  return folder
}

describe('temporary folders of processes that were killed', () => {
  it.each([
    ['of this machine are removed at the next start', () => left(ended, 0)],
    [
      'of another machine are removed when nothing was written to them for a day',
      () => left(process.pid, 2, 'abcdef01'),
    ],
  ])('%s', async (_, made) => {
    const folder = made()
    const { path } = await openLibraryFolder(undefined, 1000)
    expect(existsSync(folder)).toBe(false)
    expect(readdirSync(home)).toEqual([path.slice(home.length + 1)])
  })

  it.each([
    ['of a running process', () => left(process.ppid, 2)],
    ['of another machine, changed today', () => left(ended, 0, 'abcdef01')],
    [
      'of another program',
      () => {
        const folder = join(home, 'gateway-emulator-notes')
        mkdirSync(folder)
        utimesSync(folder, daysAgo(9), daysAgo(9))
        return folder
      },
    ],
  ])('stay: %s', async (_, made) => {
    const folder = made()
    await openLibraryFolder(undefined, 1000)
    expect(existsSync(folder)).toBe(true)
  })
})

it('unfinished files of a killed process are removed when a data directory is opened, and the rest stays', async () => {
  const media = join(home, 'data', 'media')
  for (const part of ['inputs', 'rendered']) {
    mkdirSync(join(media, part), { recursive: true })
    writeFileSync(join(media, part, 'whole'), '12')
    writeFileSync(join(media, part, 'whole.1.2.part'), '1')
  }
  const { inputs, rendered } = await openLibraryFolder(join(home, 'data'), 1000)
  for (const cache of [inputs, rendered]) {
    expect(await cache.has('whole')).toBe(true)
    expect(await cache.has('whole.1.2.part')).toBe(false)
  }
  expect(readdirSync(join(media, 'inputs'))).toEqual(['whole'])
  expect(readdirSync(join(media, 'rendered'))).toEqual(['whole'])
})
