import type { Sample, Track } from '../video/mp4.ts'
import { aacDescription, type BitRates, pcmDescription } from '../video/mp4-codecs.ts'
import { type AacStream, pieceSamples } from './adts.ts'
import { sampleRate } from './samples.ts'

/** The form and length of a track. */
export interface TrackOrder {
  container: 'mp4' | 'mov'
  /** Length in samples at 48 kHz. */
  samples: number
}

/** A track of exactly the requested length: the sound, truncated or repeated. */
export function soundTrack(sound: AacStream, { container, samples: length }: TrackOrder): Track {
  const samples = lay(sound.pieces, length + pieceSamples)
  const { channels, config } = sound
  return {
    kind: 'audio',
    timescale: sampleRate,
    samples,
    description: aacDescription(container, { channels, rate: sampleRate, config, bits: bitRatesOf(samples) }),
    skip: pieceSamples,
    width: 0,
    height: 0,
  }
}

/** A track of uncompressed sound, for `mov`. The samples are interleaved 16-bit samples at 48 kHz. */
export function uncodedTrack(sound: Int16Array, channels: 1 | 2): Track {
  const momentBytes = 2 * channels
  const bytes = Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength)
  const samples: Sample[] = []
  for (let at = 0; at < bytes.length; at += sampleRate * momentBytes) {
    const part = bytes.subarray(at, at + sampleRate * momentBytes)
    samples.push({ bytes: part, duration: part.length / momentBytes, sync: true })
  }
  return {
    kind: 'audio',
    timescale: sampleRate,
    samples,
    momentBytes,
    description: pcmDescription({ channels, rate: sampleRate }),
    skip: 0,
    width: 0,
    height: 0,
  }
}

/** The encoder delay first, then the other frames, repeated. */
function lay(pieces: readonly Uint8Array[], samples: number): Sample[] {
  if (pieces.length < 2) throw new Error(`the AAC encoder gave ${pieces.length} pieces of sound`)
  const count = Math.ceil(samples / pieceSamples)
  return Array.from({ length: count }, (_, i) => {
    const bytes = pieces[i === 0 ? 0 : 1 + ((i - 1) % (pieces.length - 1))] as Uint8Array
    return { bytes, duration: Math.min(pieceSamples, samples - i * pieceSamples), sync: true }
  })
}

/** Measured over windows of a second, or over the whole track when that is shorter. */
function bitRatesOf(samples: readonly Sample[]): BitRates {
  const window = Math.min(samples.length, Math.round(sampleRate / pieceSamples))
  const bits = samples.map(({ bytes }) => bytes.length * 8)
  let inWindow = 0
  let most = 0
  bits.forEach((piece, i) => {
    inWindow += piece - (bits[i - window] ?? 0)
    most = Math.max(most, inWindow)
  })
  const total = bits.reduce((sum, piece) => sum + piece, 0)
  const aSecond = (sum: number, pieces: number) => Math.round((sum * sampleRate) / (pieceSamples * pieces))
  return { peak: aSecond(most, window), average: aSecond(total, bits.length) }
}
