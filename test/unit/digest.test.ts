import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { digested, keptRequest, keptText } from '../../src/emulator/worlds/digest.ts'

const picture = Buffer.alloc(3000, 'picture').toString('base64')
const sum = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

describe('bodies as journal and tasks keep them: media digested, cut at 64 KiB', () => {
  it.each([
    ['a data URI', `data:image/png;base64,${picture}`, 'data:image/png;base64,'],
    [
      'a data URI of plain text',
      `data:image/svg+xml,<svg>${'"quoted" '.repeat(400)}</svg>`,
      'data:image/svg+xml,',
    ],
    ['base64 without a scheme', picture, ''],
  ])('%s is replaced by its length and checksum, in lists too', (_, media, head) => {
    const body = { model: 'm', content: [{ type: 'image_url', image_url: { url: media } }] }
    const told = `${head}…(${media.length} characters, sha256 ${sum(media)})`
    const wanted = { model: 'm', content: [{ type: 'image_url', image_url: { url: told } }] }
    expect(JSON.parse(keptText(JSON.stringify(body)) ?? '')).toEqual(wanted)
    expect(JSON.parse(keptRequest(body))).toEqual(wanted)
  })

  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['a long prompt without a space', { prompt: 'Lighthouse'.repeat(400) }],
    ['a long prompt', { prompt: 'a lighthouse, '.repeat(300) }],
    ['many links', { items: Array.from({ length: 60 }, (_, i) => ({ url: `http://127.0.0.1/files/${i}?Signature=${sum(String(i))}` })) }],
    ['numbers', { numbers: Array.from({ length: 2000 }, (_, i) => i) }],
  ],
  )('%s is kept unchanged', (_, body) => {
    expect(JSON.parse(keptText(JSON.stringify(body)) ?? '')).toEqual(body)
    expect(digested(body)).toEqual(body)
  })

  it('a text that is not JSON is kept unchanged, up to 64 KiB', () => {
    expect(keptText(`"data:${'x'.repeat(3000)}`)).toBe(`"data:${'x'.repeat(3000)}`)
    const long = keptText(`"data:${'x'.repeat(100_000)}`) ?? ''
    expect([long.length, long.at(-1)]).toEqual([64 * 1024 + 1, '…'])
  })

  it('a missing body is not replaced', () => {
    expect(keptText(undefined)).toBeUndefined()
  })
})
