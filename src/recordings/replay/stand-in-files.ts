import { readFileSync } from 'node:fs'
import { loadSharp } from '../../media/pixels.ts'
import { fixturePath } from '../../package/files.ts'
import type { MediaDescription } from '../describe-media.ts'

const samples: Readonly<Record<string, string>> = {
  'image/bmp': 'landscape.bmp',
  'image/heic': 'landscape.heic',
  'video/mp4': 'clip-720p-5s.mp4',
  'video/quicktime': 'clip-2s.mov',
  'video/webm': 'clip-2s.webm',
  'audio/mpeg': 'voice-8s.mp3',
  'audio/wav': 'voice-8s.wav',
  'audio/aac': 'voice-8s.aac',
  'audio/mp4': 'voice-8s.m4a',
}
const drawn = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const
const mostSide = 16_000
/** The gateway may have refused a file for its size. Above this size, the stand-in is as large as the file was. */
const largeBytes = 5_000_000
const mostPadding = 80_000_000

/** The text that replaces a file in a request: a data URI or base64 of a file with the same type and size in pixels. */
export async function standInFile(media: MediaDescription): Promise<string> {
  const bytes = padded(await bytesFor(media), media.bytes)
  const text = bytes.toString('base64')
  return media.form === 'base64' ? text : `data:${media.type};base64,${text}`
}

async function bytesFor(media: MediaDescription): Promise<Buffer> {
  const format = drawn.find(name => media.type === `image/${name}`)
  // A picture without measures was broken.
  if (format && media.width === undefined)
    return Buffer.alloc(Math.min(Math.max(1, media.bytes), mostPadding), 1)
  if (format && (media.width ?? 1) <= mostSide && (media.height ?? 1) <= mostSide) return draw(media, format)
  const sample = samples[media.type]
  return sample === undefined
    ? Buffer.alloc(Math.min(Math.max(1, media.bytes), mostPadding), 1)
    : readFileSync(fixturePath(`media/samples/${sample}`))
}

async function draw(
  { width = 1280, height = 720, transparent }: MediaDescription,
  format: (typeof drawn)[number],
) {
  const sharp = await loadSharp()
  const background = { r: 120, g: 140, b: 160, alpha: transparent ? 0.5 : 1 }
  const picture = sharp({ create: { width, height, channels: transparent ? 4 : 3, background } })
  return picture.toFormat(format).toBuffer()
}

function padded(bytes: Buffer, wanted: number): Buffer {
  if (wanted < largeBytes || bytes.length >= wanted || wanted > mostPadding) return bytes
  return Buffer.concat([bytes, Buffer.alloc(wanted - bytes.length)])
}
