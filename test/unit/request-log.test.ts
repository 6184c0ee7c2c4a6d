import { describe, expect, it } from 'vitest'
import { RequestLog, requestLine } from '../../src/emulator/server/request-log.ts'
import type { NewEntry } from '../../src/emulator/worlds/journal.ts'
import { entryWith } from '../support/bare-entry.ts'

const plain = entryWith({ at: 1_795_000_000_000, url: '/api/v3/contents/generations/tasks/cgt-1' })

const entries: [string, Partial<NewEntry>][] = [
  ['nothing special', {}],
  [
    'every member',
    { keyLabel: 'ci', service: 'web', taskIds: ['cgt-1'], rule: 's/r', fault: 'rate_limited' },
  ],
  ['quotes, backslashes and control characters', { url: '/"\\\u0000\u001f\u007f\n', rule: '"\\' }],
  ['letters of other scripts and half of a pair', { url: '/größe/图/🐈', keyLabel: 'ü', rule: '\ud83d' }],
  ['a key in its path', { url: '/x?api_key=sk-abcdefgh123&page=1', method: 'POST' }],
  ['a trace', { requestHeaders: ['TraceParent', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`] }],
]

/** A log whose bytes an outlet takes, at most so many at once, and what it has taken. */
function logged({ atOnce = Number.POSITIVE_INFINITY } = {}) {
  const taken: Buffer[] = []
  const log = new RequestLog('json', bytes => {
    const part = bytes.subarray(0, atOnce)
    taken.push(Buffer.from(part))
    return part.length
  })
  return { log, taken, text: () => Buffer.concat(taken).toString() }
}

describe('the request log', () => {
  it.each(entries)('writes the line that a caller gets, as JSON: %s', (_, part) => {
    const { log, text } = logged()
    const entry = { ...plain, ...part }
    log.add('default', entry)
    log.close()
    const [line = '', ...more] = text().split('\n')
    const { event, wall_at, ...known } = JSON.parse(line)
    const expected = requestLine({ world: 'default', entry, wallMs: Date.parse(wall_at) })
    expect(more).toEqual([''])
    expect({ event, wall_at, ...known }).toEqual({ event: 'request', ...expected })
    expect(line).toBe(JSON.stringify({ event: 'request', ...expected }))
  })

  it('masks the own key of each caller in its line, and each line has its own trace', () => {
    const { log, text } = logged()
    const callers = ['vendor-key-of-one', 'vendor-key-of-two', undefined, 'vendor-key-of-one']
    for (const [index, key] of callers.entries()) {
      const trace = ['traceparent', `00-${String(index + 1).repeat(32)}-${'b'.repeat(16)}-01`]
      const requestHeaders = key === undefined ? trace : ['AUTHORIZATION', `Bearer ${key}`, ...trace]
      log.add('default', { ...plain, url: '/vendor-key-of-one/vendor-key-of-two', requestHeaders })
    }
    log.close()
    const lines = text().trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line).path)).toEqual([
      '/vendor-…/vendor-key-of-two',
      '/vendor-key-of-one/vendor-…',
      '/vendor-key-of-one/vendor-key-of-two',
      '/vendor-…/vendor-key-of-two',
    ])
    expect(lines.map(line => JSON.parse(line).trace_id[0])).toEqual(['1', '2', '3', '4'])
  })

  it.each([50, 1000, 70_000])('loses no line to a reader that takes %s bytes at once', atOnce => {
    const { log, taken, text } = logged({ atOnce })
    const urls = Array.from(
      { length: 700 },
      (_, index) => `/${index}${index === 400 ? 'x'.repeat(70_000) : ''}`,
    )
    for (const url of urls) log.add('default', { ...plain, url })
    // An outlet is given bytes for as long as some are left.
    for (let before = -1; before < taken.length; log.close()) before = taken.length
    const lines = text().trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line).path)).toEqual(urls)
  })
})
