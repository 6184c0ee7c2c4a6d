// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { get as ask, type IncomingHttpHeaders } from 'node:http'
import { describe, expect, it } from 'vitest'
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

describe('a reply without bytes of the file', () => {
  /** A finished task with one rule for its downloads, and the journal's last entry. */
  async function ruled(name: string, then: object) {
    const world = worldOfA(gateway, name)
    const record = await world.finished(textBody({ resolution: '480p', duration: 4 }))
    const etag = (await fetch(record.content.video_url, { method: 'HEAD' })).headers.get('etag') ?? ''
    const rules = [{ when: { operation: 'media.download' }, then }]
    await world.control('POST', '/scenarios', { name: 'mine', rules })
    const last = async () => (await world.control('GET', '/requests')).body.items.at(-1)
    return { link: record.content.video_url as string, etag, last }
  }

  it('cannot have a fault of the file, and the journal names none', async () => {
    const { link, last } = await ruled('no-bytes-media', { media: 'corrupt' })
    for (const sent of [{ method: 'HEAD' }, { headers: { Range: 'bytes=99999999-' } }]) {
      await fetch(link, sent)
      const { rule, media, connection } = await last()
      expect([rule, media, connection]).toEqual(['mine/1', undefined, undefined])
    }
  })

  it.each([
    ['to HEAD', () => ({ method: 'HEAD' })],
    ['that is 304', (etag: string) => ({ headers: { 'If-None-Match': etag } })],
    ['that is 416', () => ({ headers: { Range: 'bytes=99999999-' } })],
  ])('%s is lost with its connection', async (_, sent) => {
    const { link, etag, last } = await ruled(`no-bytes-lost${_.slice(-3)}`, {
      connection: { reset: 'before_headers' },
    })
    await expect(fetch(link, sent(etag))).rejects.toThrow()
    expect((await last()).connection).toBe('broken off before the headers')
  })

  it.each([{ reset: 'mid_body' }, { reset: 'after_headers' }, { garble: true }, { throttle: '1B/s' }])(
    'comes whole when its body would be disturbed, %o, and the journal does not claim more',
    async disturbed => {
      const name = `no-bytes-${Object.values(disturbed).join('').replace(/\W/g, '')}`
      const { link, etag, last } = await ruled(name, { connection: disturbed })
      expect((await fetch(link, { method: 'HEAD' })).status).toBe(200)
      expect((await last()).connection).toBeUndefined()
      expect((await fetch(link, { headers: { 'If-None-Match': etag } })).status).toBe(304)
      expect((await last()).connection).toBeUndefined()
    },
  )
})

describe('a client that has a file already (A-downloads)', () => {
  const body = textBody({ resolution: '480p', duration: 4 })

  it('gets the whole file when it can only know one of an earlier run, and 304 when it can know this one', async () => {
    const world = worldOfA(gateway, 'kept-file')
    const first = await fetch((await world.finished(body)).content.video_url)
    const conditions = [
      { 'If-None-Match': first.headers.get('etag') ?? '' },
      { 'If-Modified-Since': first.headers.get('last-modified') ?? '' },
    ]
    for (const headers of conditions) {
      await world.control('POST', '/reset')
      const link = (await world.finished(body)).content.video_url
      const statuses: number[] = []
      for (let i = 0; i < 2; i++) statuses.push((await gateway.download(link, headers)).status)
      expect(statuses).toEqual([200, 304])
      await world.control('POST', '/reset')
      const again = (await world.finished(body)).content.video_url
      await fetch(again, { method: 'HEAD' })
      expect((await gateway.download(again, headers)).status, 'after HEAD').toBe(304)
    }
  })

  it('gets the broken file when a scenario breaks it', async () => {
    const world = worldOfA(gateway, 'kept-and-broken')
    const link = (await world.finished(body)).content.video_url
    const whole = await gateway.download(link)
    const headers = { 'If-None-Match': whole.headers.get('etag') ?? '' }
    expect((await gateway.download(link, headers)).status).toBe(304)
    await world.control('POST', '/inject', { operation: 'media.download', then: { media: 'corrupt' } })
    const { status, bytes } = await gateway.download(link, headers)
    expect([status, bytes.length, bytes.equals(whole.bytes)]).toEqual([200, whole.bytes.length, false])
    expect((await gateway.download(link, headers)).status).toBe(304)
  })
})
