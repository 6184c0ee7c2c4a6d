import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/media/inputs/errors.ts'
import { measure } from '../../src/media/inputs/measure.ts'
import { measureTracksApart } from '../../src/media/inputs/track-thread.ts'
import { patched, pngClaiming, refusalOf, sample, uint32 } from '../support/input-samples.ts'
import { seeded } from '../support/seeded.ts'

const faultOf = (bytes: Buffer) => refusalOf(measure(bytes))

const clip = { kind: 'video', fps: 24, hasAudio: true, videoCodec: 'h264', audioCodec: 'aac' }
const mp4 = { ...clip, format: 'mp4' }
const expected: Record<string, object> = {
  'landscape.jpg': { kind: 'image', format: 'jpeg', widthPx: 1280, heightPx: 720, hasAlpha: false },
  'portrait.jpg': { kind: 'image', format: 'jpeg', widthPx: 720, heightPx: 1280, hasAlpha: false },
  'square.png': { kind: 'image', format: 'png', widthPx: 1024, heightPx: 1024, hasAlpha: false },
  'transparent.png': { kind: 'image', format: 'png', widthPx: 1024, hasAlpha: true, isTransparent: true },
  'layered.png': { kind: 'image', format: 'png', widthPx: 1024, heightPx: 1024, hasAlpha: false },
  'landscape.webp': { kind: 'image', format: 'webp', widthPx: 640, heightPx: 360 },
  'landscape.avif': { kind: 'image', format: 'avif', widthPx: 640, heightPx: 360 },
  'landscape.tiff': { kind: 'image', format: 'tiff', widthPx: 640, heightPx: 360 },
  'landscape.bmp': { kind: 'image', format: 'bmp', widthPx: 448, heightPx: 300, hasAlpha: false },
  'landscape.heic': { kind: 'image', format: 'heic', widthPx: 640, heightPx: 360, videoCodec: 'hevc' },
  'balloon.gif': { kind: 'image', format: 'gif', widthPx: 544, heightPx: 306, isTransparent: false },
  'clip-720p-5s.mp4': { ...mp4, widthPx: 1280, heightPx: 720, seconds: 5, frames: 120 },
  'clip-768p-107f.mp4': { ...mp4, widthPx: 1344, heightPx: 768, seconds: 4.458, frames: 107 },
  'clip-silent.mp4': { kind: 'video', format: 'mp4', seconds: 3, frames: 72, hasAudio: false },
  'clip-2s.mov': { ...clip, format: 'mov', widthPx: 640, heightPx: 360, seconds: 2, frames: 48 },
  'clip-2s.webm': {
    ...clip,
    format: 'webm',
    seconds: 2,
    frames: 48,
    videoCodec: 'vp9',
    audioCodec: 'opus',
  },
  'voice-8s.mp3': { kind: 'audio', format: 'mp3', audioCodec: 'mp3' },
  'voice-8s.wav': { kind: 'audio', format: 'wav', seconds: 8, audioCodec: 'pcm-s16' },
  'voice-8s.m4a': { kind: 'audio', format: 'm4a', seconds: 8, audioCodec: 'aac' },
  'voice-8s.aac': { kind: 'audio', format: 'aac', audioCodec: 'aac' },
}

describe('measure', () => {
  for (const [name, facts] of Object.entries(expected)) {
    it(`reads kind, format and properties of ${name} from its bytes`, async () => {
      const bytes = sample(name)
      const measured = await measure(bytes)
      expect(measured).toMatchObject({ ...facts, bytes: bytes.length })
      expect(measured.digest).toMatch(/^[0-9a-f]{64}$/)
    })
  }

  for (const name of ['voice-8s.mp3', 'voice-8s.aac']) {
    it(`measures the length of ${name} to a tenth of a second`, async () => {
      expect((await measure(sample(name))).seconds).toBeCloseTo(8, 0.8)
    })
  }

  const headless = new Set(['voice-8s.mp3', 'voice-8s.aac'])
  for (const name of Object.keys(expected).filter(each => !headless.has(each))) {
    it(`refuses ${name} when it is cut short`, async () => {
      const bytes = sample(name)
      for (const share of [0.01, 0.3, 0.6, 0.95]) {
        const fault = await faultOf(bytes.subarray(0, Math.floor(bytes.length * share)))
        expect(fault.reason, `${share}`).toBe('undecodable')
      }
    })
  }

  it('measures a picture in the orientation in which it is shown (EXIF)', async () => {
    const turned = await sharp(sample('landscape.jpg')).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect(await measure(turned)).toMatchObject({ widthPx: 720, heightPx: 1280 })
  })

  it('distinguishes an alpha channel from pixels that are transparent, also at 16 bits', async () => {
    const opaque = await sharp(sample('landscape.jpg')).ensureAlpha().png().toBuffer()
    expect(await measure(opaque)).toMatchObject({ hasAlpha: true, isTransparent: false })
    const deep = await sharp(sample('transparent.png')).toColourspace('rgb16').png().toBuffer()
    expect(await measure(deep)).toMatchObject({ hasAlpha: true, isTransparent: true })
    const deepOpaque = await sharp(opaque).toColourspace('rgb16').png().toBuffer()
    expect(await measure(deepOpaque)).toMatchObject({ hasAlpha: true, isTransparent: false })
  })

  it('refuses a small PNG that claims huge sides before decoding it, with a reason of its own', async () => {
    const fault = await faultOf(pngClaiming(50_000, 50_000))
    expect(fault.reason).toBe('too_many_pixels')
    expect(fault.message).toContain('50000x50000')
    expect(fault.message).toContain('36000000')
  })

  it('refuses huge sides in the headers of GIF and BMP', async () => {
    const gif = Buffer.from(sample('balloon.gif'))
    gif.writeUInt16LE(65_535, 6)
    gif.writeUInt16LE(65_535, 8)
    expect((await faultOf(gif)).reason).toBe('too_many_pixels')
    const bmp = Buffer.from(sample('landscape.bmp'))
    bmp.writeInt32LE(1_000_000, 18)
    expect((await faultOf(bmp)).reason).toBe('too_many_pixels')
  })

  it('refuses a PNG with fewer pixels than its sides say', async () => {
    expect((await faultOf(pngClaiming(2000, 2000))).reason).toBe('undecodable')
  })

  it('accepts exactly 36,000,000 pixels', async () => {
    const quickly = { compressionLevel: 1 }
    const plain = sharp({ create: { width: 6000, height: 6000, channels: 3, background: '#446688' } })
    expect(await measure(await plain.png(quickly).toBuffer())).toMatchObject({
      widthPx: 6000,
      heightPx: 6000,
    })
  })

  it('refuses sample tables with impossible counts without reading them', async () => {
    const mp4 = sample('clip-720p-5s.mp4')
    expect((await faultOf(patched(mp4, 'stsz', 8, 0xffffffff))).message).toContain(
      'claims 4294967295 samples',
    )
    expect((await faultOf(patched(mp4, 'stts', 8, 0xfffffff0))).reason).toBe('undecodable')
    const run = Buffer.concat([uint32(20), Buffer.from('trun'), uint32(0), uint32(0xf0000000), uint32(0)])
    const fragment = Buffer.concat([uint32(36), Buffer.from('moof'), uint32(28), Buffer.from('traf'), run])
    expect((await faultOf(Buffer.concat([mp4, fragment]))).reason).toBe('undecodable')
  })

  it('refuses an empty file, random bytes, and headers without data', async () => {
    expect((await faultOf(Buffer.alloc(0))).reason).toBe('undecodable')
    expect((await faultOf(Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))).reason).toBe('unknown_format')
    const heads = [
      'ffd8ffe000104a46',
      '89504e470d0a1a0a',
      '1a45dfa3',
      '49443303',
      'fffb9064',
      '52494646000000005741564566',
    ]
    for (const head of heads)
      expect((await faultOf(Buffer.from(head, 'hex'))).reason, head).toBe('undecodable')
    expect((await faultOf(Buffer.from('\0\0\0\x10ftypisom\0\0\0\0', 'latin1'))).reason).toBe('undecodable')
  })

  it('recognises documents: PDF with pages, plain text, a web page', async () => {
    const pdf =
      '%PDF-1.4\n1 0 obj<</Type /Pages /Count 2>>\n2 0 obj<</Type /Page>>\n3 0 obj<</Type/Page/Parent 1 0 R>>'
    expect(await measure(Buffer.from(pdf))).toMatchObject({ kind: 'document', format: 'pdf', pages: 2 })
    expect(await measure(Buffer.from('Once upon a time…\n'))).toMatchObject({
      kind: 'document',
      format: 'txt',
    })
    expect(await measure(Buffer.from('<!DOCTYPE html><p>404'))).toMatchObject({ format: 'html' })
  })

  it('does not accept a vector drawing as a picture, because it may refer to other files', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="/etc/passwd"/></svg>'
    expect(await measure(Buffer.from(svg))).toMatchObject({ kind: 'document', format: 'txt' })
  })

  it('refuses a file whose parts refer to each other in a circle, and reads the next file', async () => {
    const circle = Buffer.from(sample('clip-2s.webm'))
    circle[29_114] = 128
    const given = measureTracksApart(circle, 'webm', 700)
    await expect(given).rejects.toMatchObject({
      reason: 'undecodable',
      message: expect.stringContaining('makes its reader loop'),
    })
    expect((await measure(sample('clip-2s.webm'))).frames).toBe(48)
  })

  it('leaves no handle open that keeps the process running', async () => {
    const entry = JSON.stringify(new URL('../../src/media/inputs/measure.ts', import.meta.url).href)
    const file = JSON.stringify(
      fileURLToPath(new URL('../../fixtures/media/samples/clip-2s.mov', import.meta.url)),
    )
    const program = `import { measure } from ${entry}; import { readFileSync } from 'node:fs'
      console.log((await measure(readFileSync(${file}))).frames)`
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
    const ended = await promisify(execFile)(process.execPath, args, { timeout: 20_000 })
    expect(ended.stdout.trim()).toBe('48')
  })

  it('measures a file with flipped bytes or refuses it with an InputError', async () => {
    const random = seeded(20260701)
    const draw = (below: number) => random.integer(0, below - 1)
    let checked = 0
    for (const name of Object.keys(expected)) {
      for (let round = 0; round < 12; round += 1) {
        const bytes = Buffer.from(sample(name))
        for (let i = 0; i < 8; i += 1) bytes[draw(round % 2 ? bytes.length : 600)] = draw(256)
        await measure(bytes).catch(error => expect(error).toBeInstanceOf(InputError))
        checked += 1
      }
    }
    expect(checked).toBe(Object.keys(expected).length * 12)
  })
})
