import { readFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { InputError } from '../../src/media/inputs/errors.ts'

/** The bytes of one of the shipped samples. */
export function sample(name: string): Buffer {
  return readFileSync(new URL(`../../fixtures/media/samples/${name}`, import.meta.url))
}

/** A picture of one colour as a data URI; with alpha it is half transparent. */
export async function plainPicture(
  width: number,
  height: number,
  format: 'png' | 'jpeg' | 'webp' = 'png',
  hasAlpha = false,
): Promise<string> {
  const create = { width, height, channels: hasAlpha ? 4 : 3, background: '#27698980' } as const
  const bytes = await sharp({ create }).toFormat(format).toBuffer()
  return `data:image/${format};base64,${bytes.toString('base64')}`
}

/** A PNG of a few bytes that claims any size, with one row of pixels at most. */
export function pngClaiming(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(Math.min(width * 3 + 1, 1000)))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** The refusal with which the reading of an input ends; fails for an input that is accepted. */
export async function refusalOf(reading: Promise<unknown>): Promise<InputError> {
  const error = await reading.then(
    found => new Error(`accepted as ${JSON.stringify(found)}`),
    fault => fault,
  )
  if (!(error instanceof InputError)) throw error
  return error
}

/** A copy of a file with the four bytes at `offset` after the first `marker` replaced. */
export function patched(file: Buffer, marker: string, offset: number, value: number): Buffer {
  const copy = Buffer.from(file)
  const at = copy.indexOf(marker, 0, 'latin1')
  if (at < 0) throw new Error(`${marker} is not in the file`)
  copy.writeUInt32BE(value, at + marker.length + offset)
  return copy
}
