import type { RequestListener, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkLabel } from '../../src/emulator/families/input-media.ts'
import type { MediaFacts, MediaKind } from '../../src/emulator/worlds/media-facts.ts'
import { createGate, createInputPlaces } from '../../src/media/files/gate.ts'
import { digestOf } from '../../src/media/files/kept-files.ts'
import { InputError } from '../../src/media/inputs/errors.ts'
import { createInputs, type InputContext, resolveInput } from '../../src/media/inputs/inputs.ts'
import { createPrepare } from '../../src/media/inputs/prepare-input.ts'
import { findFfmpeg } from '../../src/media/render/tools.ts'
import { pngClaiming, refusalOf, sample } from '../support/input-samples.ts'
import { type InputServer, startInputServer } from '../support/input-server.ts'
import { pictureStore } from '../support/picture-store.ts'

const kept = new Map<string, Buffer>()

function context(changes: Partial<InputContext> = {}): InputContext {
  return {
    policy: 'loopback',
    maxBytes: 30_000_000,
    asset: () => undefined,
    own: () => undefined,
    prepare: createPrepare(pictureStore(kept)),
    places: createInputPlaces(),
    world: 'default',
    keep: async bytes => {
      kept.set(digestOf(bytes), bytes)
      return digestOf(bytes)
    },
    resolve: async host => {
      throw Object.assign(new Error(`no lookup of ${host} was expected`), { code: 'EUNEXPECTED' })
    },
    ...changes,
  }
}

const read = (reference: string, want: MediaKind = 'image', changes: Partial<InputContext> = {}) =>
  resolveInput(reference, want, context(changes))

async function reasonOf(...input: Parameters<typeof read>): Promise<string> {
  return (await refusalOf(read(...input))).reason
}

function dataUri(name: string, label = 'image/png'): string {
  return `data:${label};base64,${sample(name).toString('base64')}`
}

function posterOf(facts: MediaFacts): Buffer {
  const bytes = kept.get(facts.poster ?? '')
  if (!bytes) throw new Error('no poster was kept')
  return bytes
}

const prepare = createPrepare(pictureStore(kept, (await findFfmpeg()).path))

beforeEach(() => {
  kept.clear()
})

it.each([
  ['image/pjpeg', 'image/jpeg', true],
  ['image/tif', 'image/tiff', true],
  ['image/x-ms-bmp', 'image/bmp', true],
  ['image/heif', 'image/heic', true],
  ['image/heic', 'image/heif', true],
  ['audio/mpeg', 'audio/mp3', true],
  ['audio/x-wav', 'audio/wav', true],
  ['audio/vnd.wave', 'audio/wav', true],
  ['audio/x-m4a', 'audio/mp4', true],
  ['audio/mp4', 'audio/m4a', true],
  ['audio/opus', 'audio/ogg', true],
  ['application/ogg', 'audio/ogg', true],
  ['video/quicktime', 'video/mov', true],
  ['application/octet-stream', 'video/mov', true],
  ['video/mp4', 'video/mov', false],
  ['video/mp4', 'audio/mp4', false],
  ['audio/wav', 'audio/mp3', false],
  ['image/webp', 'image/png', false],
  ['text/plain', 'image/png', false],
  ['image/picture', 'image/png', false],
])('the label %s is true of %s: %s (A-labels)', (label, held, isTrue) => {
  const [kind, format = ''] = held.split('/') as [MediaKind, string]
  const check = () => checkLabel('url', `data:${label};base64,AAAA`, { kind, format })
  if (isTrue) check()
  else expect(check).toThrow(`the data URI says ${label} and holds ${format}, must be ${held}`)
})

describe('inline files', () => {
  it('are identified by their bytes, not by their label', async () => {
    const facts = await read(dataUri('landscape.jpg', 'image/png'))
    expect(facts).toMatchObject({ format: 'jpeg', widthPx: 1280, origin: 'data', realFace: false })
  })

  it('of another kind than needed are refused', async () => {
    expect(await reasonOf(dataUri('clip-silent.mp4', 'image/png'))).toBe('wrong_kind')
    expect(await reasonOf(dataUri('landscape.jpg', 'audio/mp3'), 'audio')).toBe('wrong_kind')
  })

  it('may have line breaks in their base64', async () => {
    const lines = dataUri('square.png').replace(/(.{76})/g, '$1\r\n')
    const broken = `data:image/png;base64,${lines.slice(lines.indexOf(',') + 1)}`
    expect(await read(broken)).toMatchObject({ format: 'png' })
  })

  const malformed = [
    ...['data:image/PNG;base64,AAAA', 'data:image/png,AAAA', 'data:;base64,AAAA', 'data:image/png;base64,'],
    ...['data:image/png;base64,AA*A', 'data:image/png;base64,A===', 'data:image/png;base64,AAAA=AAA'],
  ]
  for (const uri of malformed) {
    it(`of the form ${uri} are refused as malformed`, async () => {
      expect(await reasonOf(uri)).toBe('malformed_reference')
    })
  }

  it('above the limit are refused before they are decoded', async () => {
    const size = sample('square.png').length
    const exactly = await read(dataUri('square.png'), 'image', { maxBytes: size })
    expect(exactly.bytes).toBe(size)
    const fault = await refusalOf(read(dataUri('square.png'), 'image', { maxBytes: size - 1 }))
    expect(fault).toMatchObject({ reason: 'too_large', message: expect.stringContaining(`${size} bytes`) })
  })

  it('without a scheme are base64 only where the caller allows it', async () => {
    const raw = sample('square.png').toString('base64')
    expect(await read(raw, 'image', { rawBase64: true })).toMatchObject({ format: 'png' })
    expect(await reasonOf(raw)).toBe('malformed_reference')
  })

  it('with too many pixels are refused with the reason too_many_pixels, and no file is kept', async () => {
    const bomb = `data:image/png;base64,${pngClaiming(60_000, 60_000).toString('base64')}`
    expect(await reasonOf(bomb)).toBe('too_many_pixels')
    expect(kept.size).toBe(0)
  })

  it('appear shortened in messages', async () => {
    const fault = await refusalOf(read(`data:image/png;base64,${'*'.repeat(9000)}`))
    expect(fault.message.length).toBeLessThan(250)
  })

  it('are read by createInputs too', async () => {
    const { maxBytes, asset, own, world, places: _places, ...surroundings } = context()
    const inputs = createInputs(surroundings)
    const facts = await inputs.resolve(dataUri('square.png'), 'image', { maxBytes, asset, own, world })
    expect(facts.format).toBe('png')
  })
})

describe('posters', () => {
  it('of small pictures are PNG, pixel for pixel', async () => {
    const facts = await read(dataUri('layered.png'))
    expect((await sharp(posterOf(facts)).metadata()).format).toBe('png')
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer()
    expect((await pixels(posterOf(facts))).equals(await pixels(sample('layered.png')))).toBe(true)
  })

  it('keep alpha, are upright and fit inside 1920 pixels a side', async () => {
    const alpha = await read(dataUri('transparent.png'))
    expect(await sharp(posterOf(alpha)).metadata()).toMatchObject({ format: 'png', hasAlpha: true })
    const picture = sharp(sample('landscape.jpg')).resize(4000, 2250).withMetadata({ orientation: 6 })
    const big = `data:image/jpeg;base64,${(await picture.jpeg().toBuffer()).toString('base64')}`
    const facts = await read(big)
    expect(facts).toMatchObject({ widthPx: 2250, heightPx: 4000 })
    const size = { width: 1080, height: 1920 }
    expect(await sharp(posterOf(facts)).metadata()).toMatchObject({ format: 'jpeg', ...size })
  })

  for (const name of ['clip-720p-5s.mp4', 'clip-2s.mov', 'clip-2s.webm', 'clip-768p-107f.mp4']) {
    it(`of ${name} are its first and its last frame`, async () => {
      const facts = await read(dataUri(name, 'video/mp4'), 'video', { prepare })
      const last = kept.get(facts.lastPoster ?? '')
      expect(facts.lastPoster).not.toBe(facts.poster)
      const size = { width: facts.widthPx, height: facts.heightPx }
      expect(await sharp(posterOf(facts)).metadata()).toMatchObject(size)
      expect(await sharp(last).metadata()).toMatchObject(size)
    })
  }

  it('of a BMP are made by ffmpeg; without ffmpeg there is none', async () => {
    const without = await read(dataUri('landscape.bmp'))
    expect(without.poster).toBeUndefined()
    const facts = await read(dataUri('landscape.bmp'), 'image', { prepare })
    expect(await sharp(posterOf(facts)).metadata()).toMatchObject({ width: 448, height: 300 })
  })

  it('of a HEIC picture do not exist, and it is accepted nevertheless', async () => {
    const facts = await read(dataUri('landscape.heic'), 'image', { prepare })
    expect(facts).toMatchObject({ format: 'heic', widthPx: 640 })
    expect(facts.poster).toBeUndefined()
  })

  it('are made again when the store has lost them', async () => {
    const first = await read(dataUri('square.png'))
    kept.clear()
    const second = await read(dataUri('square.png'))
    expect(second.poster).toBe(first.poster)
    expect(kept.has(first.poster ?? '')).toBe(true)
  })

  it('show that a video with correct boxes and broken pictures cannot be decoded', async () => {
    const clip = Buffer.from(sample('clip-720p-5s.mp4'))
    const from = clip.indexOf('mdat') + 4
    clip.fill(0, from)
    const uri = `data:video/mp4;base64,${clip.toString('base64')}`
    expect(await reasonOf(uri, 'video', { prepare })).toBe('undecodable')
  })
})

describe('links', () => {
  let server: InputServer
  const routes: Record<string, (response: ServerResponse, url: string) => void> = {
    '/photo.png': response => response.end(sample('landscape.jpg')),
    '/real-face.png': response => response.end(sample('square.png')),
    '/gone': response => void response.writeHead(404).end('<html>not here'),
    '/page.png': response => response.end('<!doctype html><p>log in'),
    '/silent': () => undefined,
    '/endless': response => {
      const block = Buffer.alloc(65_536, 1)
      const more = () => {
        while (response.write(block));
      }
      response.on('drain', more)
      more()
    },
    '/drip': response => {
      const timer = setInterval(() => response.write('x'), 10)
      response.on('close', () => clearInterval(timer))
    },
    '/announces': response =>
      void response.writeHead(200, { 'content-length': '99999999999' }).flushHeaders(),
    '/broken-off': response => {
      response.writeHead(200, { 'content-length': '5000' })
      response.write('abc', () => response.destroy())
    },
    '/gzip': response =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(sample('square.png'))),
    '/gzip-bomb': response =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000))),
    '/odd-encoding': response => void response.writeHead(200, { 'content-encoding': 'zstd' }).end('x'),
  }
  const answer: RequestListener = (request, response) => {
    const url = request.url ?? ''
    const to = new URL(url, 'http://x').searchParams.get('to')
    const hops = /^\/hops\/(\d+)/.exec(url)?.[1]
    if (hops !== undefined) {
      response.writeHead(302, { location: hops === '0' ? '/photo.png' : `/hops/${Number(hops) - 1}` }).end()
    } else if (to !== null) response.writeHead(307, { location: to }).end()
    else routes[url.split('?')[0] ?? '']?.(response, url)
  }
  const redirect = (to: string) => `${server.origin}/to?to=${encodeURIComponent(to)}`

  beforeAll(async () => {
    server = await startInputServer(answer)
  })
  afterAll(() => server.close())
  beforeEach(() => {
    server.asked.length = 0
  })

  it('that the policy allows are read and identified by their bytes, not by their names', async () => {
    const facts = await read(`${server.origin}/photo.png`)
    expect(facts).toMatchObject({ format: 'jpeg', widthPx: 1280, origin: 'http' })
    expect(facts.note).toBeUndefined()
  })

  it('to loopback are not fetched with the policy none', async () => {
    const facts = await read(`${server.origin}/photo.png`, 'image', { policy: 'none' })
    expect(facts).toMatchObject({ origin: 'stand_in', format: 'png' })
    expect(server.asked).toEqual([])
  })

  it('are read with any spelling of the loopback address', async () => {
    for (const host of ['2130706433', '0x7f000001', '127.1', '[::ffff:127.0.0.1]']) {
      const facts = await read(`http://${host}:${server.port}/photo.png`)
      expect(facts.origin, host).toBe('http')
    }
  })

  it('follow three redirects and not four', async () => {
    expect((await read(`${server.origin}/hops/2`)).origin).toBe('http')
    expect(await reasonOf(`${server.origin}/hops/3`)).toBe('unreachable')
  })

  it('that redirect to a host outside the policy get an assumed file, and no request is sent there', async () => {
    const facts = await read(redirect('https://example.com/x.png'))
    expect(facts).toMatchObject({ origin: 'stand_in' })
    expect(facts.note).toContain('example.com')
  })

  it('are refused when a name leads to a forbidden address, also beside an allowed one', async () => {
    for (const address of ['169.254.169.254', 'fe80::1', '::ffff:169.254.169.254', '0.0.0.0']) {
      const resolve = async () => [
        { address: '127.0.0.1', family: 4 },
        { address, family: address.includes(':') ? 6 : 4 },
      ]
      const link = `http://rebind.example:${server.port}/photo.png`
      const reason = await reasonOf(link, 'image', { policy: 'all', resolve })
      expect(reason, address).toBe('forbidden_address')
    }
    expect(server.asked).toEqual([])
  })

  it('with the policy loopback refuse a localhost name that leads elsewhere', async () => {
    const resolve = async () => [{ address: '8.8.8.8', family: 4 }]
    const link = `http://localhost:${server.port}/photo.png`
    expect(await reasonOf(link, 'image', { resolve })).toBe('forbidden_address')
  })

  it('are read up to the byte limit only, also endless and highly compressed ones', async () => {
    const maxBytes = 1_000_000
    for (const path of ['/endless', '/gzip-bomb', '/announces']) {
      expect(await reasonOf(`${server.origin}${path}`, 'image', { maxBytes }), path).toBe('too_large')
    }
    expect(await read(`${server.origin}/gzip`)).toMatchObject({ format: 'png' })
  })

  it('are read up to the time limit only, from a silent host and from a slow one', async () => {
    expect(await reasonOf(`${server.origin}/silent`, 'image', { timeLimitMs: 80 })).toBe('timeout')
    expect(await reasonOf(`${server.origin}/drip`, 'image', { timeLimitMs: 80 })).toBe('timeout')
  })

  it('that answer with an error, an incomplete file or an unknown encoding are refused', async () => {
    const gone = await refusalOf(read(`${server.origin}/gone`))
    expect(gone).toMatchObject({ reason: 'unreachable', message: expect.stringContaining('404') })
    expect(await reasonOf(`${server.origin}/broken-off`)).toBe('unreachable')
    expect(await reasonOf(`${server.origin}/odd-encoding`)).toBe('unreachable')
    expect(await reasonOf(`${server.origin}/page.png`)).toBe('wrong_kind')
  })

  it('to a loopback server that does not run are refused', async () => {
    const other = await startInputServer(answer)
    await other.close()
    expect(await reasonOf(`${other.origin}/photo.png`)).toBe('unreachable')
    expect(await reasonOf(`${other.origin}/photo.png`, 'image', { policy: 'all' })).toBe('unreachable')
  })

  it('to public hosts that cannot be reached get an assumed file with the policy all', async () => {
    const resolve = async (host: string) => {
      throw Object.assign(new Error(`${host} unknown`), { code: 'ENOTFOUND' })
    }
    const facts = await read('https://cdn.example/clip.mov', 'video', { policy: 'all', resolve })
    expect(facts).toMatchObject({ origin: 'stand_in', format: 'mov', kind: 'video', fps: expect.any(Number) })
    expect(facts.note).toContain('cannot be reached (ENOTFOUND)')
  })

  it('with real-face in them count as real faces, whether they are read or not', async () => {
    expect((await read(`${server.origin}/real-face.png`)).realFace).toBe(true)
    const assumed = await read('https://cdn.example/real-face.png')
    expect(assumed).toMatchObject({ origin: 'stand_in', realFace: true })
    const heard = await read('https://cdn.example/real-face.mp3', 'audio')
    expect(heard).toMatchObject({ kind: 'audio', realFace: false })
  })
})

describe('stand-ins', () => {
  it('are the same for the same link and differ between links', async () => {
    const at = (path: string) => read(`https://cdn.example/${path}`)
    expect(await at('a.jpg')).toEqual(await at('a.jpg'))
    const many = await Promise.all(Array.from({ length: 20 }, (_, i) => at(`${i}.jpg`)))
    expect(new Set(many.map(each => each.digest)).size).toBe(20)
    expect(new Set(many.map(each => `${each.widthPx}x${each.heightPx}`)).size).toBeGreaterThan(1)
  })

  it('have a note with the link, the reason why it was not read, and the assumed properties', async () => {
    const facts = await read('https://cdn.example/a.webp?sig=1', 'image', { policy: 'none' })
    expect(facts.format).toBe('webp')
    expect(facts.note).toMatch(
      /^https:\/\/cdn\.example\/a\.webp\?sig=1 was not read: .*"none".*Assumed: image in webp/,
    )
  })

  it('have the needed kind when the link has no ending; an ending of another kind is refused', async () => {
    const video = await read('https://cdn.example/download?id=7', 'video')
    expect(video).toMatchObject({ kind: 'video', format: 'mp4', seconds: 5, hasAudio: true })
    const audio = await read('https://cdn.example/voice.WAV', 'audio')
    expect(audio).toMatchObject({ kind: 'audio', format: 'wav', seconds: 5 })
    expect(await reasonOf('https://cdn.example/clip.mp4')).toBe('wrong_kind')
  })

  for (const reference of ['mm_file://402113', 'oss://bucket/uploads/cat.png']) {
    it(`replace ${reference}, which only the vendor can open`, async () => {
      expect(await read(reference)).toMatchObject({ origin: 'stand_in', kind: 'image' })
    })
  }
})

describe('assets and files of self links', () => {
  it('of a wrong form or above the limit are refused', async () => {
    const read = async () => sample('real-face.jpg')
    const asset = () => ({ kind: 'image' as const, name: 'portrait.jpg', certifiedPerson: false, read })
    expect(await reasonOf('asset://../x', 'image', { asset })).toBe('malformed_reference')
    expect(await reasonOf('asset://a', 'image', { asset, maxBytes: 10 })).toBe('too_large')
  })

  it('that this emulator made are inputs without HTTP, with every policy', async () => {
    const own = (url: URL) =>
      url.pathname === '/files/w/t/video.mp4'
        ? { name: 'video.mp4', read: async () => sample('clip-768p-107f.mp4') }
        : undefined
    const link = 'http://10.9.8.7:1/files/w/t/video.mp4?Expires=1'
    const facts = await read(link, 'video', { own, policy: 'none' })
    expect(facts).toMatchObject({ origin: 'own', frames: 107, fps: 24, hasAudio: true })
  })

  it('whose link has expired are refused with that reason', async () => {
    const read = async () => {
      throw new InputError('unreachable', 'the link has expired')
    }
    expect(await reasonOf('http://h/x', 'image', { own: () => ({ name: 'x', read }) })).toBe('unreachable')
  })
})

describe('the limit of inputs at a time', () => {
  it('reads up to its limit at once and the others in order, also after failures', async () => {
    const gate = createGate(4)
    const order: number[] = []
    let running = 0
    let most = 0
    const job = (i: number) => async () => {
      running += 1
      most = Math.max(most, running)
      order.push(i)
      await new Promise(resolve => setImmediate(resolve))
      running -= 1
      if (i % 5 === 0) throw new Error('on purpose')
    }
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => gate.run(job(i))))
    expect(most).toBe(4)
    expect(order).toEqual(Array.from({ length: 20 }, (_, i) => i))
    expect(results.filter(each => each.status === 'rejected').length).toBe(4)
  })

  it('keeps at most four inputs in memory at once', async () => {
    let inMemory = 0
    let most = 0
    const read = async () => {
      inMemory += 1
      most = Math.max(most, inMemory)
      await new Promise(resolve => setImmediate(resolve))
      inMemory -= 1
      return sample('square.png')
    }
    const own = () => ({ name: 'x.png', read })
    const one = context({ own })
    const links = Array.from({ length: 10 }, (_, i) => resolveInput(`http://h/${i}`, 'image', one))
    expect((await Promise.all(links)).length).toBe(10)
    expect(most).toBe(4)
  })
})
