import { get as ask, type IncomingHttpHeaders } from 'node:http'
import { expect, it } from 'vitest'
import { text, textBody, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()

interface Arrived {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  /** The connection ended before the announced length had arrived. */
  isCut: boolean
}

/** Fetches a link and keeps the received bytes, also when the connection breaks. */
function arrived(link: string, range?: string): Promise<Arrived> {
  return new Promise((resolve, reject) => {
    const sent = ask(link, { agent: false, headers: range === undefined ? {} : { range } }, answer => {
      const chunks: Buffer[] = []
      const settle = () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          bytes: Buffer.concat(chunks),
          isCut: !answer.complete,
        })
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', () => undefined).on('close', settle)
    })
    sent.on('error', reject)
  })
}

/** A video with a media fault: its link, the same without a download, and its bytes as they were made. */
async function broken(fault: string) {
  const world = worldOfA(gateway, `broken-${fault}`)
  const content = [text(`a lake [[media:${fault}]]`)]
  const record = await world.finished(textBody({ resolution: '480p', duration: 4, content }))
  const file = `${gateway.url}/__emulator/worlds/broken-${fault}/tasks/${record.id}/media/video`
  const whole = Buffer.from(await (await fetch(file)).arrayBuffer())
  return { link: record.content.video_url as string, look: `${file}?as=client`, whole }
}

it('[[media:truncated]] cuts the file at one place, for every range, also for a look as client', async () => {
  const { link, look, whole } = await broken('truncated')
  const cut = Math.floor(whole.length / 2)
  const starts = [0, 1000, Math.floor(cut / 2), cut - 1, cut, cut + 1000, whole.length - 10]
  for (const start of starts) {
    const { bytes, isCut, headers } = await arrived(link, `bytes=${start}-`)
    expect(headers['content-range']).toBe(`bytes ${start}-${whole.length - 1}/${whole.length}`)
    expect(bytes.equals(whole.subarray(start, Math.max(start, cut))), `from ${start}`).toBe(true)
    expect(isCut).toBe(true)
  }
  expect((await arrived(link)).bytes.equals(whole.subarray(0, cut))).toBe(true)
  expect((await arrived(look, 'bytes=1000-')).bytes.equals(whole.subarray(1000, cut))).toBe(true)
  // The part before the cut arrives completely.
  const head = await arrived(link, 'bytes=0-99')
  expect(head.bytes.equals(whole.subarray(0, 100))).toBe(true)
  const { body } = await gateway.control('GET', '/worlds/broken-truncated/requests')
  const { response, media } = body.items.at(-1)
  expect([response.headers['Content-Range'], media]).toEqual([`bytes 0-99/${whole.length}`, undefined])
})

it('[[media:corrupt]] changes bytes by their place in the file: ranges and the whole file agree under one ETag', async () => {
  const { link, whole } = await broken('corrupt')
  const all = await arrived(link)
  expect(all.bytes.length).toBe(whole.length)
  expect(all.bytes.equals(whole)).toBe(false)
  const ranges = [
    [0, 99],
    [1, 99],
    [12, 30],
    [13, 26],
    [1000, 70_000],
    [whole.length - 5, whole.length - 1],
  ]
  for (const [start = 0, end = 0] of ranges) {
    const part = await arrived(link, `bytes=${start}-${end}`)
    expect(part.status).toBe(206)
    expect(part.headers.etag).toBe(all.headers.etag)
    expect(part.bytes.equals(all.bytes.subarray(start, end + 1)), `${start}-${end}`).toBe(true)
  }
  expect((await arrived(link)).bytes.equals(all.bytes)).toBe(true)
})
