import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { once } from '../../src/media/files/gate.ts'
import { createLibrary } from '../../src/media/files/library.ts'
import { createDiskCache } from '../../src/media/files/library-folder.ts'
import { findFfmpeg } from '../../src/media/render/tools.ts'
import { createWorkerPool } from '../../src/media/workers/pool.ts'
import { startBuiltWorker } from '../support/built-worker.ts'
import { ownFolder } from '../support/folders.ts'
import { poolThat } from '../support/pool-jobs.ts'

const names = (count: number) => Array.from({ length: count }, (_, i) => `file-${String(i).padStart(2, '0')}`)

it('a cache above its size removes the files that were unused for longest; a look-up counts as use', async () => {
  const path = ownFolder('cache')
  const cache = createDiskCache(path, [], 20)
  for (const name of names(20)) {
    writeFileSync(join(path, name), 'x')
    await cache.add(name, 1)
  }
  expect(readdirSync(path)).toHaveLength(20)
  expect(await cache.has('file-00')).toBe(true)
  writeFileSync(join(path, 'large'), 'xxx')
  await cache.add('large', 3)
  const left = readdirSync(path)
  expect(left).toContain('file-00')
  expect(left).not.toContain('file-01')
  expect(left).not.toContain('file-03')
  expect(left).toContain('file-04')
  expect(await cache.has('file-01')).toBe(false)
})

it('the files of an earlier run count too, and the oldest are removed first', async () => {
  const path = ownFolder('cache')
  const files = names(30).map(name => ({ name, bytes: 1 }))
  for (const { name } of files) writeFileSync(join(path, name), 'x')
  const cache = createDiskCache(path, files, 20)
  writeFileSync(join(path, 'new'), 'x')
  await cache.add('new', 1)
  expect(readdirSync(path).sort()).toEqual([...names(30).slice(11), 'new'].sort())
})

it('a file that was just used stays, however large it is, because a request may be about to open it', async () => {
  const path = ownFolder('cache')
  const cache = createDiskCache(path, [], 0)
  for (const name of names(40)) {
    writeFileSync(join(path, name), 'x')
    await cache.add(name, 1)
  }
  expect(readdirSync(path).sort()).toEqual(names(40).slice(-16))
})

it('inputs of requests have a limit too: the ones that were unused for longest are removed', async () => {
  const library = createLibrary({
    dir: ownFolder('cache'),
    maxBytes: 5000,
    pool: createWorkerPool({ start: startBuiltWorker }),
    findFfmpeg,
  })
  const digests = []
  for (let i = 0; i < 60; i++) digests.push(await library.keep(Buffer.alloc(100, `input ${i}`)))
  const there = await Promise.all(digests.map(digest => library.hasKept(digest)))
  expect(there.indexOf(true)).toBe(10)
  expect(there.slice(10).every(Boolean)).toBe(true)
  expect(await library.kept(digests[0] ?? '')).toBeUndefined()
  expect((await library.kept(digests[59] ?? ''))?.length).toBe(100)
  await library.close()
})

it('a failed load is repeated, a successful one is not', async () => {
  let loads = 0
  const load = once(async () => {
    loads++
    if (loads === 1) throw new Error('the disk is full')
    return loads
  })
  await expect(load()).rejects.toThrow('the disk is full')
  expect(await Promise.all([load(), load(), load()])).toEqual([2, 2, 2])
})

it('a full disk: rendered files make room, all but the latest, and the work is done once more', async () => {
  const dir = ownFolder('cache')
  const rendered = join(dir, 'media/rendered')
  mkdirSync(rendered, { recursive: true })
  for (const [at, name] of names(9).entries()) {
    writeFileSync(join(rendered, name), 'x')
    utimesSync(join(rendered, name), at, at)
  }
  const left: number[] = []
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const pool = poolThat(async (job): Promise<never> => {
    left.push(readdirSync(rendered).length)
    if (left.length === 1) throw full
    if (job.kind === 'render') writeFileSync(job.file, 'made')
    return null as never
  })
  const library = createLibrary({ dir, maxBytes: 1e9, pool, findFfmpeg: () => findFfmpeg() })
  const recipe = { kind: 'sound', format: 'wav', seconds: 1, seed: 5 } as const
  expect(readFileSync(await library.file(recipe), 'utf8')).toBe('made')
  expect(left).toEqual([9, 4])
  expect(readdirSync(rendered)).toEqual(expect.arrayContaining(names(9).slice(-4)))
  await library.close()
})
