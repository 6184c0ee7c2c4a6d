import { expect, it } from 'vitest'
import { callsOf, jsonOf, type Run } from '../support/explored-calls.ts'
import { startForTest } from '../support/start-for-test.ts'

const emulator = await startForTest({ now: '2026-01-01T00:00:00Z' })

/** Makes a video and fetches it in quarters, each up to `attempts` times; a part that does not come is left out. */
const inParts =
  (attempts: number) =>
  async ({ world }: Run): Promise<void> => {
    const { create, get } = callsOf(world)
    const { id } = await jsonOf(create())
    let link: string | undefined
    while (link === undefined) link = (await jsonOf(get(id))).content?.video_url
    const found = await fetch(link, { method: 'HEAD' })
    const size = Number(found.headers.get('content-length'))
    const length = Math.floor(size / 4)
    for (let at = 0; at < size; at += length)
      for (let left = attempts; left > 0; left--) {
        const part = await fetch(link, { headers: { Range: `bytes=${at}-${at + length - 1}` } })
        const isWhole = await part.arrayBuffer().then(
          () => true,
          () => false,
        )
        if (isWhole) break
      }
  }

it.each([
  ['again', 2, 'recovered'],
  ['once', 1, 'paid_for_nothing'],
])(
  'a file that breaks off half way breaks off in the part that has its middle: fetched %s',
  async (_, attempts, verdict) => {
    const { cases } = await emulator.explore(inParts(attempts), { only: ['file_truncated', 'reply_lost'] })
    const files = cases.filter(({ operation }) => operation === 'media.download')
    expect(files.map(({ nth, id }) => [nth, id])).toEqual([
      [1, 'reply_lost'],
      [4, 'file_truncated'],
    ])
    const [row] = files.filter(({ id }) => id === 'file_truncated')
    expect(row?.verdict).toBe(verdict)
    expect(row?.requests?.join()).toContain('cut off half way')
  },
)
