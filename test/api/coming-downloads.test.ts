// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { expect, it } from 'vitest'
import { textBody, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()

interface Coming {
  rule: string
  first: number
  last: number | null
  chance?: number
  headers?: string[]
}

const download = { operation: 'media.download' }

/** A finished task of a world of its own, and how its coming downloads are seen and made. */
async function finished(name: string) {
  const world = worldOfA(gateway, name)
  const record = await world.finished(textBody({ resolution: '480p', duration: 4 }))
  return {
    id: record.id as string,
    control: world.control,
    coming: async (): Promise<Coming[]> =>
      (await world.control('GET', `/tasks/${record.id}`)).body.coming_downloads ?? [],
    /** Downloads the file, and returns the rules that acted. */
    async downloaded(): Promise<string[]> {
      await fetch(record.content.video_url)
        .then(reply => reply.arrayBuffer())
        .catch(() => undefined)
      const { body } = await world.control('GET', '/requests?limit=1')
      expect(body.items[0].operation).toBe('media.download')
      return body.items[0].rule?.split(',') ?? []
    },
  }
}

const nextOf = (coming: readonly Coming[]) =>
  coming.filter(({ first }) => first === 1).map(({ rule }) => rule)

it('a task names the rules that act on its next download, before each of ten, and counts nothing by it', async () => {
  const { control, coming, downloaded, id } = await finished('coming-ten')
  await control('POST', '/inject', { operation: 'media.download', nth: 3, then: { media: 'empty' } })
  await control('POST', '/inject', { operation: 'a.*', then: { refuse: { fault: 'internal' } } })
  await control('POST', '/scenarios', {
    name: 'worn',
    rules: [
      { when: { ...download, call: '2..3', task: id }, then: { connection: { latency: '1ms' } } },
      { when: { ...download, call: 'every 4' }, then: { media: 'truncated' } },
      { when: { ...download, family: 'b' }, then: { media: 'corrupt' } },
      { when: { ...download, since: { operation: 'media.download', call: 5 } }, then: { media: 'corrupt' } },
      { when: { ...download, since: { operation: 'a.delete', call: 1 } }, then: { media: 'empty' } },
      { when: { operation: 'a.*' }, then: { media: 'wrong_type' } },
      { when: { ...download, call: 'from 7' }, then: { refuse: { fault: 'unavailable' } } },
    ],
  })
  const seen: string[][] = []
  for (let i = 0; i < 10; i++) {
    const foreseen = await coming()
    expect(await coming()).toEqual(foreseen)
    const acted = await downloaded()
    // Of two rules with one kind of effect, the first acts.
    expect(acted.filter(rule => !nextOf(foreseen).includes(rule))).toEqual([])
    expect(acted[0]).toBe(nextOf(foreseen)[0])
    seen.push(nextOf(foreseen))
  }
  expect(seen).toEqual([
    [],
    ['worn/1'],
    ['inject-1', 'worn/1'],
    ['worn/2'],
    ['worn/4'],
    ['worn/4'],
    ['worn/4', 'worn/7'],
    ['worn/2', 'worn/4', 'worn/7'],
    ['worn/4', 'worn/7'],
    ['worn/4', 'worn/7'],
  ])
})

it('a rule that depends on time, chance or a header says so, and one whose time is over is gone', async () => {
  const { control, coming } = await finished('coming-doubt')
  await control('POST', '/scenarios', {
    name: 'doubt',
    rules: [
      { when: { ...download, during: { from: '1m', to: '2m' } }, then: { media: 'empty' } },
      { when: { ...download, probability: 0.25 }, then: { media: { slow: '1kB/s' } } },
      { when: { ...download, header: { 'x-shop': 'a' } }, then: { media: { link: 'expired' } } },
    ],
  })
  const { now_ms: now } = (await control('GET', '/clock')).body
  const [timed, ...others] = await coming()
  const always = { first: 1, last: null }
  expect(timed).toEqual({
    rule: 'doubt/1',
    then: { media: 'empty' },
    media_fault: { kind: 'empty' },
    ...always,
    from_ms: now + 60_000,
    until_ms: now + 120_000,
  })
  expect(others).toEqual([
    {
      rule: 'doubt/2',
      then: { media: { slow: '1kB/s' } },
      media_fault: { kind: 'slow', value: 1000 },
      ...always,
      chance: 0.25,
    },
    {
      rule: 'doubt/3',
      then: { media: { link: 'expired' } },
      media_fault: { kind: 'link_expired' },
      ...always,
      headers: ['x-shop'],
    },
  ])
  await control('POST', '/clock/advance', { by: '2m' })
  expect(await coming()).toEqual(others)
})

it('a look as client has the fault that the next download is sure to have', async () => {
  const { control, downloaded, id } = await finished('coming-look')
  const look = () =>
    fetch(`${gateway.url}/__emulator/worlds/coming-look/tasks/${id}/media/video?as=client`).then(
      async reply => (await reply.arrayBuffer()).byteLength,
    )
  const whole = await look()
  expect(whole).toBeGreaterThan(1000)
  await control('POST', '/inject', { operation: 'media.download', nth: 2, then: { media: 'empty' } })
  expect(await look()).toBe(whole)
  await downloaded()
  expect(await look()).toBe(0)
  expect(await downloaded()).toEqual(['inject-1'])
  expect(await look()).toBe(whole)
})
