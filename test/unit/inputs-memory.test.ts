import { createCipheriv } from 'node:crypto'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { createInputPlaces } from '../../src/media/files/gate.ts'
import { digestOf } from '../../src/media/files/kept-files.ts'
import { type InputContext, resolveInput } from '../../src/media/inputs/inputs.ts'
import { createPrepare } from '../../src/media/inputs/prepare-input.ts'
import { startInputServer } from '../support/input-server.ts'
import { pictureStore } from '../support/picture-store.ts'

/** Noise that is the same each time, so that PNG cannot shrink it. */
function noise(bytes: number): Buffer {
  return createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), Buffer.alloc(16)).update(Buffer.alloc(bytes))
}

it('ten inputs of 30 MB at once stay under 1 GB of memory', async () => {
  const raw = { width: 3200, height: 3100, channels: 3 } as const
  const picture = await sharp(noise(raw.width * raw.height * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer()
  expect(picture.length).toBeGreaterThan(29_000_000)
  // A few bytes after the end make ten different files of one picture.
  const server = await startInputServer((request, response) => {
    response.write(picture)
    response.end(request.url)
  })
  const context: InputContext = {
    policy: 'loopback',
    maxBytes: 31_000_000,
    asset: () => undefined,
    own: () => undefined,
    places: createInputPlaces(),
    world: 'default',
    prepare: createPrepare(pictureStore(new Map())),
    keep: async bytes => digestOf(bytes),
  }
  const links = Array.from({ length: 10 }, (_, i) => `${server.origin}/${i}`)
  const found = await Promise.all(links.map(link => resolveInput(link, 'image', context)))
  await server.close()
  expect(new Set(found.map(each => each.digest)).size).toBe(10)
  expect(found.every(each => each.widthPx === raw.width && each.poster !== undefined)).toBe(true)
  expect(process.resourceUsage().maxRSS / 1024).toBeLessThan(1000)
})
