import type { MediaFacts } from '../../worlds/media-facts.ts'
import { InputError } from '../errors.ts'
import { digestOf } from '../kept-files.ts'
import { sniff } from './formats.ts'
import { measureImage } from './measure-image.ts'
import { measureTracksApart } from './track-thread.ts'
import { checkWholeness } from './wholeness.ts'

/** The properties of a file that follow from its bytes. */
export type Measured = Omit<MediaFacts, 'poster' | 'lastPoster' | 'sound' | 'origin' | 'realFace' | 'note'>

/**
 * Measures a file by its bytes. Pictures are decoded once as a check, except BMP and HEVC-coded HEIC, whose
 * structure is checked instead. Seconds are exact to a millisecond. With `digest` the bytes are not hashed
 * again. Throws InputError `undecodable`, `unknown_format` or `too_many_pixels`.
 */
export async function measure(bytes: Buffer, digest = digestOf(bytes)): Promise<Measured> {
  if (bytes.length === 0) throw new InputError('undecodable', 'the file is empty')
  const found = sniff(bytes)
  if (!found)
    throw new InputError(
      'unknown_format',
      `the file begins with ${start(bytes)}, which is not a known format`,
    )
  checkWholeness(bytes, found.format)
  const size = { bytes: bytes.length, digest }
  if (found.kind === 'image') return { ...found, ...size, ...(await measureImage(bytes, found.format)) }
  if (found.kind === 'document') return { ...found, ...size, ...countPages(bytes, found.format) }
  return { ...size, ...(await measureTracksApart(bytes, found.format)) }
}

function start(bytes: Buffer): string {
  return `bytes ${bytes.subarray(0, 8).toString('hex')}`
}

/** The number of pages; left out for a PDF whose page tree is in compressed streams. */
function countPages(bytes: Buffer, format: string): { pages?: number } {
  if (format !== 'pdf') return {}
  const pages = bytes.toString('latin1').match(/\/Type\s*\/Page(?![a-zA-Z])/g)?.length
  return pages === undefined ? {} : { pages }
}
