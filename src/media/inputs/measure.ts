import { digestOf } from '../digest-of.ts'
import type { MediaFacts } from '../media-facts.ts'
import { MediaFault } from '../media-fault.ts'
import { measureImage } from './measure-image.ts'
import { sniff } from './sniff.ts'
import { measureTracksApart } from './track-thread.ts'
import { checkWholeness } from './wholeness.ts'

/** What the bytes alone tell of a file. */
export type Measured = Omit<MediaFacts, 'poster' | 'lastPoster' | 'sound' | 'origin' | 'realFace' | 'note'>

/**
 * Measures a file from its bytes alone. Pictures are decoded once to be sure of them, except BMP and HEVC-coded HEIC,
 * whose frames are checked instead. Seconds are exact to a millisecond.
 * `digest` spares hashing a second time. Throws MediaFault `undecodable`, `unknown_format` or `too_many_pixels`.
 */
export async function measure(bytes: Buffer, digest = digestOf(bytes)): Promise<Measured> {
  if (bytes.length === 0) throw new MediaFault('undecodable', 'the file is empty')
  const found = sniff(bytes)
  if (!found)
    throw new MediaFault('unknown_format', `the file begins with ${start(bytes)}, which is no known format`)
  checkWholeness(bytes, found.format)
  const size = { bytes: bytes.length, digest }
  if (found.kind === 'image') return { ...found, ...size, ...(await measureImage(bytes, found.format)) }
  if (found.kind === 'document') return { ...found, ...size, ...countPages(bytes, found.format) }
  return { ...size, ...(await measureTracksApart(bytes, found.format)) }
}

function start(bytes: Buffer): string {
  return `bytes ${bytes.subarray(0, 8).toString('hex')}`
}

/** PDFs that pack their page tree into compressed streams do not tell; then the number is left out. */
function countPages(bytes: Buffer, format: string): { pages?: number } {
  if (format !== 'pdf') return {}
  const pages = bytes.toString('latin1').match(/\/Type\s*\/Page(?![a-zA-Z])/g)?.length
  return pages === undefined ? {} : { pages }
}
