import { expect, it } from 'vitest'
import { notesOf } from '../../src/explore/report/report.ts'
import { callsOf, jsonOf, kite, type Run } from '../support/explored-calls.ts'
import { startForTest } from '../support/start-for-test.ts'

const emulator = await startForTest({ now: '2026-01-01T00:00:00Z' })

/** Makes a video and returns its link. */
async function linkOf({ world }: Run, body?: object): Promise<string> {
  const { create, get } = callsOf(world)
  const { id } = await jsonOf(create(body))
  for (;;) {
    const link = (await jsonOf(get(id))).content?.video_url
    if (link !== undefined) return link
  }
}

/** Makes a video and fetches it in quarters, each up to `attempts` times; a part that does not come is left out. */
const inParts =
  (attempts: number) =>
  async (run: Run): Promise<void> => {
    const link = await linkOf(run)
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
      [2, 'reply_lost'],
      [4, 'file_truncated'],
    ])
    const [row] = files.filter(({ id }) => id === 'file_truncated')
    expect(row?.verdict).toBe(verdict)
    expect(row?.requests?.join()).toContain('cut off half way')
  },
)

it('a request for the headers of a file alone cannot have a broken file, and that for the file has it', async () => {
  const careless = async (run: Run): Promise<void> => {
    const link = await linkOf(run)
    const head = await fetch(link, { method: 'HEAD' })
    if (!head.ok) throw new Error(`no file: ${head.status}`)
    await (await fetch(link)).arrayBuffer()
  }
  const { cases } = await emulator.explore(careless, { only: ['file_corrupt', 'media.download unavailable'] })
  expect(cases.map(({ nth, id, verdict }) => [nth, id, verdict])).toEqual([
    [1, 'unavailable', 'paid_for_nothing'],
    [2, 'unavailable', 'paid_for_nothing'],
    [2, 'file_corrupt', 'false_success'],
  ])
})

it('a program that keeps its file between runs gets each run its file, and with a fault the broken one', async () => {
  let etag = ''
  const caching = async (run: Run): Promise<void> => {
    const reply = await fetch(await linkOf(run), { headers: { 'If-None-Match': etag } })
    if (!reply.ok && reply.status !== 304) throw new Error(`no file: ${reply.status}`)
    await reply.arrayBuffer()
    etag = reply.headers.get('etag') ?? etag
  }
  const { cases } = await emulator.explore(caching, { only: ['file_wrong_type', 'slow_answer'] })
  const files = cases.filter(({ operation }) => operation === 'media.download')
  expect(files.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['slow_answer', 'recovered'],
    ['file_wrong_type', 'false_success'],
  ])
  for (const { requests } of files) expect(requests?.at(-1)).toMatch(/\(media\.download\) -> 200/)
})

it('a program that continues the file of an earlier run is told so, and no fault of a file that it does not receive counts', async () => {
  let size = 0
  const continuing = async (run: Run): Promise<void> => {
    const headers: Record<string, string> = size > 0 ? { Range: `bytes=${size}-` } : {}
    const reply = await fetch(await linkOf(run), { headers })
    if (reply.status === 416) return
    if (!reply.ok) throw new Error(`no file: ${reply.status}`)
    size = (await reply.arrayBuffer()).byteLength
  }
  const report = await emulator.explore(continuing, { only: ['file_empty', 'media.download unavailable'] })
  expect(report.cases.map(({ id }) => id)).toEqual(['unavailable'])
  expect(report.not_tried).toContainEqual({
    kind: 'case',
    what: 'media.download#1 file_empty',
    reason: 'media.download#1 was refused with 416 before the failure could come to it',
  })
  expect(report.differs).toMatch(/received bytes of a file 1 time and the later ones 0 times/)
  expect(report.undisturbed_refusals).toEqual([{ operation: 'media.download', status: 416, times: 1 }])
  expect(notesOf(report)).toContain('also undisturbed, media.download was refused with 416')
})

it('a link that may be used as often as one likes is not tried as exhausted (Spec, "Family A", link rules)', async () => {
  const fetching = (model: string) => async (run: Run) => {
    const reply = await fetch(await linkOf(run, { ...kite, model }))
    if (!reply.ok) throw new Error(`no file: ${reply.status}`)
    await reply.arrayBuffer()
  }
  const only = { only: ['media.download link_*'] }
  const triedWith = async (model: string) =>
    (await emulator.explore(fetching(model), only)).cases.map(({ id }) => id)
  expect(await triedWith('model_a_25')).toEqual(['link_expired', 'link_exhausted'])
  expect(await triedWith('model_a_20')).toEqual(['link_expired'])
})
