import { GivenUp, InputError } from '../errors.ts'
import { largestPictureInPixels, openPicture } from '../pixels.ts'
import { ToolMissingError } from '../tools.ts'

interface Picture {
  widthPx: number
  heightPx: number
  hasAlpha: boolean
  isTransparent?: boolean
  /** Set only for HEIC pictures with HEVC inside, which are not decoded. */
  videoCodec?: 'hevc'
}

/**
 * Size and alpha of a picture, as it is shown (EXIF rotation applied). The size in the header is checked before decoding.
 * Throws InputError `undecodable` or `too_many_pixels`.
 */
export async function measureImage(bytes: Buffer, format: string): Promise<Picture> {
  const head = await sizeInHead(bytes)
  if (head) refuseBomb(head.width, head.height)
  if (format === 'bmp') return measureBmp(bytes, head)
  try {
    return await decode(bytes)
  } catch (error) {
    throw asFault(error, format)
  }
}

interface Size {
  width: number
  height: number
}

/** image-size reads only headers, so it is safe for any file; when it fails, the decoder decides. */
async function sizeInHead(bytes: Buffer): Promise<Size | undefined> {
  const { imageSize } = await import('image-size')
  try {
    return imageSize(bytes)
  } catch {
    return undefined
  }
}

function refuseBomb(width: number, height: number): void {
  if (width * height <= largestPictureInPixels) return
  const message = `the picture has ${width}x${height} = ${width * height} pixels; at most ${largestPictureInPixels} are allowed`
  throw new InputError('too_many_pixels', message)
}

/** What libvips says when the machine has no memory or no thread for it. */
const isShort = /out of memory|cannot allocate memory|unable to (?:create thread|allocate)/i

function asFault(error: unknown, format: string): Error {
  if (error instanceof InputError || error instanceof ToolMissingError) return error
  const text = error instanceof Error ? error.message : String(error)
  if (isShort.test(text)) return new GivenUp(`a picture could not be decoded here: ${text.trim()}`)
  if (/exceeds pixel limit/i.test(text)) {
    const message = `the picture has more pixels than the ${largestPictureInPixels} that are allowed`
    return new InputError('too_many_pixels', message)
  }
  const firstLine = text.split('\n')[0]?.trim() ?? ''
  return new InputError('undecodable', `the ${format} picture cannot be decoded: ${firstLine}`)
}

async function decode(bytes: Buffer): Promise<Picture> {
  const open = await openPicture(bytes)
  const metadata = await open().metadata()
  refuseBomb(metadata.width, metadata.height)
  const isTurned = (metadata.orientation ?? 1) >= 5
  const size = {
    widthPx: isTurned ? metadata.height : metadata.width,
    heightPx: isTurned ? metadata.width : metadata.height,
  }
  // This libvips has no HEVC decoder, so a HEIC picture is accepted when its boxes are complete.
  const isHevc = metadata.format === 'heif' && metadata.compression === 'hevc'
  if (isHevc) return { ...size, hasAlpha: metadata.hasAlpha, videoCodec: 'hevc' }
  if (metadata.hasAlpha) {
    const alpha = await open().extractChannel('alpha').raw({ depth: 'uchar' }).toBuffer()
    return { ...size, hasAlpha: true, isTransparent: alpha.some(value => value < 255) }
  }
  await open().resize(32, 32, { fit: 'fill' }).raw().toBuffer()
  return { ...size, hasAlpha: false }
}

/** sharp cannot read BMP: the header is read and the pixel rows are counted instead. */
function measureBmp(bytes: Buffer, head: Size | undefined): Picture {
  if (!head || bytes.length < 34 || head.width < 1 || head.height < 1) {
    throw new InputError('undecodable', 'the bmp picture has no readable head')
  }
  const bits = bytes.readUInt16LE(28)
  const isPlain = [0, 3].includes(bytes.readUInt32LE(30))
  const rowBytes = Math.ceil((head.width * bits) / 32) * 4
  const needed = bytes.readUInt32LE(10) + (isPlain ? rowBytes * head.height : 1)
  if (needed > bytes.length) {
    throw new InputError('undecodable', `the bmp picture is cut short: ${bytes.length} of ${needed} bytes`)
  }
  return { widthPx: head.width, heightPx: head.height, hasAlpha: false }
}
