import type { Sample, Track } from '../video/mp4.ts'
import { aacDescription, type BitRates } from '../video/mp4-codecs.ts'
import { type AacStream, pieceSamples } from './adts.ts'
import { sampleRate } from './samples.ts'

/** Which sound, and how much of it. */
export interface TrackOrder {
  container: 'mp4' | 'mov'
  /** Length in samples at 48 kHz. */
  samples: number
}

/** A track of exactly the length asked for: the sound, cut off or begun again as often as needed. */
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

/** The run-in first, then the others again and again. */
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
