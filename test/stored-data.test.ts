import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileScenario } from '../build/data-fixture/lived-data.ts'
import {
  copyOf,
  fixtureOf,
  newestFixture,
  readableVersions,
  recipesIn,
  storedShapes,
} from '../build/data-fixture/stored-data.ts'
import { families } from '../src/emulator/families/index.ts'
import { type DataGateway, openData, publicUrl } from './support/data-gateway.ts'
import { shortVideos } from './support/job-answers.ts'

shortVideos()

const advice = `Stored data has changed. When version ${newestFixture.version} is in no release yet, run npm run data-fixture; else add a migration first (CONTRIBUTING, "Stored data")`

interface File {
  name: string
  url: string | null
}
interface Item {
  id: string
  kind: string
  account: string
  media: File[]
  media_fault?: unknown
}

describe.each(readableVersions)('a data directory of version %d', version => {
  const { data, recipes } = fixtureOf(version)
  const { copy, remove } = existsSync(data) ? copyOf(data) : { copy: '', remove: () => undefined }
  let gateway: DataGateway
  afterAll(async () => {
    await gateway?.close()
    remove()
  })
  beforeAll(async () => {
    gateway = await openData(copy, { scenarios: [fileScenario] })
  })

  const listOf = async <T>(path: string, key?: string) =>
    ((await gateway.send('GET', path, undefined, key)).body as { items: T[] }).items
  const below = (world: string, path: string) => `/__emulator/worlds/${world}${path}`
  const worlds = async () => (await listOf<{ id: string }>('/__emulator/worlds')).map(({ id }) => id)

  it('holds a task of every kind, and every other kind of record', async () => {
    const kinds = (await listOf<Item>('/__emulator/tasks?limit=1000')).map(({ kind }) => kind)
    const known = families.flatMap(({ makers }) => Object.keys(makers))
    // A kind that a later version made cannot be in the data of an earlier one.
    if (version === newestFixture.version) expect(new Set(kinds)).toEqual(new Set(known))
    for (const path of ['/accounts', '/assets', '/snapshots', '/ledger', '/inject'])
      expect((await listOf(`/__emulator${path}`)).length, path).toBeGreaterThan(0)
    expect((await worlds()).length).toBe(3)
  })

  it('is presented by every call that reads, now and when every task has ended', async () => {
    for (const world of await worlds()) {
      for (const moment of ['as stored', 'ended']) {
        await presentAll(world)
        if (moment === 'as stored')
          await gateway.send('POST', below(world, '/clock/advance'), { until: 'idle' })
      }
    }
  })

  const presentAll = async (world: string) => {
    const paths = ['', '/clock', '/accounts', '/assets', '/ledger', '/snapshots', '/scenarios', '/findings']
    for (const path of paths) await gateway.send('GET', below(world, path))
    for (const { id } of await listOf<Item>(below(world, '/tasks?limit=1000'))) {
      await gateway.send('GET', below(world, `/tasks/${id}`))
      await gateway.send('GET', below(world, `/tasks/${id}/story`))
    }
    const lists = families
      .flatMap(({ endpoints }) => endpoints)
      .filter(({ method, paths: [path] }) => method === 'GET' && !path.includes(':'))
    for (const { paths, operation } of lists) {
      if (operation === 'k.tasks.get') continue
      const key = world === 'default' ? 'sk-emulator' : `sk-test-${world}`
      await gateway.send('GET', paths[0], undefined, key)
    }
  }

  it('gives every file of every task, and those behind links to them', async () => {
    const made: string[] = []
    for (const world of await worlds()) {
      const tasks = await listOf<Item>(below(world, '/tasks?limit=1000'))
      const { body: clock } = await gateway.send('GET', below(world, '/clock'))
      const now = Date.parse((clock as { now: string }).now)
      for (const { id } of tasks) {
        const task = (await gateway.send('GET', below(world, `/tasks/${id}`))).body as unknown as Item
        for (const { name, url } of task.media) {
          const file = await fetch(`${gateway.url}${below(world, `/tasks/${id}/media/${name}`)}`)
          expect([file.status, sortOf(Buffer.from(await file.arrayBuffer()))], `${id} ${name}`).toEqual([
            200,
            sortOfType(file.headers.get('content-type') ?? ''),
          ])
          made.push(`${world} ${id} ${name}`)
          if (url === null || task.media_fault) continue
          const linked = await fetch(url.replace(publicUrl, gateway.url))
          await linked.arrayBuffer()
          const ends = Number(new URL(url).searchParams.get('Expires')) * 1000
          expect(linked.status, `${id} ${name}`).toBe(ends > now ? 200 : 403)
        }
      }
    }
    const promised = Object.keys(JSON.parse(readFileSync(recipes, 'utf8')))
    const unfinished = await unfinishedTasks()
    expect(made.sort()).toEqual(promised.filter(name => !unfinished.has(name.split(' ')[1] ?? '')).sort())
  })

  /** Ids of tasks that failed, were cancelled, never end, or wait: they have recipes, and no files. */
  const unfinishedTasks = async () => {
    const ids = new Set<string>()
    for (const world of await worlds())
      for (const { id } of await listOf<Item>(below(world, '/tasks?limit=1000'))) {
        const { media } = (await gateway.send('GET', below(world, `/tasks/${id}`))).body as unknown as Item
        if (media.length === 0) ids.add(id)
      }
    return ids
  }

  it('moves to another world as a document, and its snapshot can be restored', async () => {
    const { text } = await gateway.send('GET', '/__emulator/state')
    await gateway.send('PUT', below('moved', '/state'), JSON.parse(text))
    await gateway.send('POST', below('moved', '/snapshots/early/restore'))
    await presentAll('moved')
  })

  it('is opened again by the same version, with the same state', async () => {
    const before = (await gateway.send('GET', '/__emulator/state')).text
    await gateway.close()
    gateway = await openData(copy, { scenarios: [fileScenario] })
    expect(JSON.parse((await gateway.send('GET', '/__emulator/state')).text)).toEqual(JSON.parse(before))
  })
})

describe('the version of stored data', () => {
  it('has a fixture, and so has every version that can be read', () => {
    expect(
      readableVersions.filter(version => !existsSync(fixtureOf(version).data)),
      advice,
    ).toEqual([])
  })

  it('changes when the shape of a record changes', () => {
    const shapes = JSON.parse(readFileSync(newestFixture.shapes, 'utf8'))
    expect(JSON.parse(JSON.stringify(storedShapes())), advice).toEqual(shapes)
  })

  it('changes when the recipe of a file changes', async () => {
    const recipes = JSON.parse(readFileSync(newestFixture.recipes, 'utf8'))
    expect(JSON.parse(JSON.stringify(await recipesIn(newestFixture.data))), advice).toEqual(recipes)
  })
})

/** What the first bytes of a file say it is. */
function sortOf(bytes: Buffer): string {
  if (bytes.subarray(4, 8).toString() === 'ftyp') return 'video'
  if (bytes.subarray(1, 4).toString() === 'PNG') return 'image/png'
  if (bytes.readUInt16BE(0) === 0xffd8) return 'image/jpeg'
  if (bytes.subarray(0, 4).toString() === 'RIFF') return 'audio/wav'
  return `unknown (${bytes.length} bytes)`
}

function sortOfType(type: string): string {
  return type.startsWith('video/') ? 'video' : type
}
