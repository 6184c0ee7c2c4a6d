import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { planTransfer, whenClosed } from '../../src/emulator/http/transfer.ts'

const source = {
  file: '/files/x.mp4',
  size: 1000,
  etag: '"abc"',
  headers: { 'Last-Modified': 'Sun, 01 Mar 2026 08:00:00 GMT' },
  mayBeKnown: true,
}
const plan = (headers: Record<string, string> = {}, method = 'GET', size = 1000) =>
  planTransfer({ method, headers } as unknown as IncomingMessage, { ...source, size })

describe('planTransfer (RFC 9110, 13 and 14; A-downloads)', () => {
  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['nothing', {}, 200, 0, 999, true],
    ['the first byte', { range: 'bytes=0-0' }, 206, 0, 0, true],
    ['a part', { range: 'bytes=10-19' }, 206, 10, 19, false],
    ['the rest', { range: 'bytes=990-' }, 206, 990, 999, false],
    ['the end', { range: 'bytes=-10' }, 206, 990, 999, false],
    ['more than there is', { range: 'bytes=0-5000' }, 206, 0, 999, true],
    ['more of the end than there is', { range: 'bytes=-5000' }, 206, 0, 999, true],
    ['neighbours that join', { range: 'bytes=0-9,10-19' }, 206, 0, 19, true],
    ['several parts', { range: 'bytes=0-1,50-60' }, 200, 0, 999, true],
    ['a part the wrong way round', { range: 'bytes=9-5' }, 200, 0, 999, true],
    ['another unit', { range: 'pages=1-2' }, 200, 0, 999, true],
    ['nonsense', { range: 'bytes' }, 200, 0, 999, true],
    ['a part, if the tag is right', { range: 'bytes=10-19', 'if-range': '"abc"' }, 206, 10, 19, false],
    ['a part, if the date is right', { range: 'bytes=10-19', 'if-range': 'Sun, 01 Mar 2026 08:00:00 GMT' }, 206, 10, 19, false],
    ['a part of another version', { range: 'bytes=10-19', 'if-range': '"old"' }, 200, 0, 999, true],
    ['another version', { 'if-none-match': '"old"' }, 200, 0, 999, true],
  ] as [string, Record<string, string>, number, number, number, boolean][],
  )('of %s', (_, headers, status, start, end, counts) => {
    const transfer = plan(headers)
    expect(transfer).toMatchObject({ status, start, end, startsAtFirstByte: counts })
    expect(transfer.headers['Content-Length']).toBe(end - start + 1)
    expect(transfer.headers['Content-Range']).toBe(status === 206 ? `bytes ${start}-${end}/1000` : undefined)
    expect(transfer.headers).toMatchObject({
      ETag: '"abc"',
      'Accept-Ranges': 'bytes',
      'Last-Modified': expect.any(String),
    })
  })

  it.each(['bytes=1000-', 'bytes=5000-6000', 'bytes=-0'])('of %s is 416 with the size', range => {
    const transfer = plan({ range })
    expect(transfer).toMatchObject({ status: 416, startsAtFirstByte: false })
    expect(transfer.end).toBeLessThan(transfer.start)
    expect(transfer.headers['Content-Range']).toBe('bytes */1000')
  })

  it.each(['"abc"', 'W/"abc"', '"x", "abc"', '*'])('with If-None-Match %s is 304 and does not count', tag => {
    expect(plan({ 'if-none-match': tag, range: 'bytes=0-5' })).toMatchObject({
      status: 304,
      startsAtFirstByte: false,
    })
  })

  const same = 'Sun, 01 Mar 2026 08:00:00 GMT'
  const earlier = 'Sun, 01 Mar 2026 07:59:59 GMT'
  it.each([
    ['the date of the file, since', { 'if-modified-since': same }, 304],
    ['an earlier date, since', { 'if-modified-since': earlier }, 200],
    ['a wrong date, since', { 'if-modified-since': 'yesterday' }, 200],
    ['another tag beside a date', { 'if-none-match': '"old"', 'if-modified-since': same }, 200],
    ['the tag to match', { 'if-match': '"abc"' }, 200],
    ['any tag to match', { 'if-match': '*' }, 200],
    ['another tag to match', { 'if-match': '"old"', range: 'bytes=0-5' }, 412],
    ['a weak tag to match', { 'if-match': 'W/"abc"' }, 412],
    ['the date of the file, unmodified', { 'if-unmodified-since': same }, 200],
    ['an earlier date, unmodified', { 'if-unmodified-since': earlier }, 412],
    ['the tag to match beside an earlier date', { 'if-match': '"abc"', 'if-unmodified-since': earlier }, 200],
  ] as [string, Record<string, string>, number][])('with %s is %s', (_, headers, status) => {
    expect(plan(headers)).toMatchObject({ status, startsAtFirstByte: status === 200 })
    expect(plan(headers, 'HEAD')).toMatchObject({ status, startsAtFirstByte: false })
  })

  it('of HEAD has the headers of GET and no byte', () => {
    for (const headers of [{}, { range: 'bytes=0-9' }]) {
      const [head, get] = [plan(headers, 'HEAD'), plan(headers)]
      expect(head.headers).toEqual(get.headers)
      expect(head).toMatchObject({ status: get.status, startsAtFirstByte: false })
      expect(head.end).toBeLessThan(head.start)
    }
  })

  it('of an empty file has no bytes', () => {
    const transfer = plan({}, 'GET', 0)
    expect(transfer).toMatchObject({ status: 200 })
    expect(transfer.headers['Content-Length']).toBe(0)
    expect(plan({ range: 'bytes=0-' }, 'GET', 0).status).toBe(416)
  })
})

describe('whenClosed', () => {
  it('adds one listener to a connection, and at its end calls what was not taken back', () => {
    const socket = new Socket()
    const before = socket.listenerCount('close')
    const called: number[] = []
    const takeBack = Array.from({ length: 20 }, (_, index) => whenClosed(socket, () => called.push(index)))
    expect(socket.listenerCount('close')).toBe(before + 1)
    for (const index of takeBack.keys()) if (index !== 7) takeBack[index]?.()
    socket.emit('close')
    expect(called).toEqual([7])
  })
})
