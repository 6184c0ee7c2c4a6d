import { runFfmpeg } from './ffmpeg.ts'
import type { Sample, Track } from './mp4.ts'
import { aacDescription } from './mp4-codecs.ts'
import { sampleRate, tune } from './tone.ts'

/** Samples in one coded piece; also how much run-in the encoder puts before the sound. */
const pieceSamples = 1024
const loopPieces = 192

export interface SoundTrackOrder {
  ffmpeg: string
  container: 'mp4' | 'mov'
  channels: 1 | 2
  seed: number
  /** Length in samples at 48 kHz. */
  samples: number
  signal?: AbortSignal | undefined
}

/** A sound track of exactly the length asked for. At most four seconds are encoded; the rest repeats them. */
export async function soundTrack(order: SoundTrackOrder): Promise<Track> {
  const pieces = Math.min(loopPieces, Math.ceil(order.samples / pieceSamples))
  const coded = await encode(order, pieces)
  const samples = lay(coded.pieces, order.samples + pieceSamples, pieces)
  const description = aacDescription(order.container, {
    channels: order.channels,
    rate: sampleRate,
    config: coded.config,
  })
  return {
    kind: 'audio',
    timescale: sampleRate,
    samples,
    description,
    skip: pieceSamples,
    width: 0,
    height: 0,
  }
}

async function encode(order: SoundTrackOrder, pieces: number): Promise<AdtsStream> {
  const sound = tune(order.seed, order.channels, pieces * pieceSamples)
  const silence = new Uint8Array(4 * pieceSamples * order.channels * 2)
  const stream = await runFfmpeg({
    ffmpeg: order.ffmpeg,
    input: [new Uint8Array(sound.buffer), silence],
    inputOptions: ['-f', 's16le', '-ar', String(sampleRate), '-ac', String(order.channels)],
    outputOptions: ['-c:a', 'aac', '-b:a', order.channels === 1 ? '64k' : '96k', '-f', 'adts'],
    signal: order.signal,
  })
  return readAdts(stream)
}

/** The run-in first, then the loop again and again. Its ends are silent, so the pieces on both sides of the seam fit. */
function lay(pieces: readonly Uint8Array[], samples: number, loop: number): Sample[] {
  const count = Math.ceil(samples / pieceSamples)
  return Array.from({ length: count }, (_, i) => {
    const bytes = pieces[i === 0 ? 0 : 1 + ((i - 1) % loop)]
    if (!bytes)
      throw new Error(`the AAC encoder gave ${pieces.length} pieces of sound, ${loop + 1} are needed`)
    return { bytes, duration: Math.min(pieceSamples, samples - i * pieceSamples), sync: true }
  })
}

interface AdtsStream {
  config: Uint8Array
  pieces: Uint8Array[]
}

/** Takes the pieces of sound out of an ADTS stream. ISO/IEC 13818-7, 6.2. */
export function readAdts(stream: Uint8Array): AdtsStream {
  const pieces: Uint8Array[] = []
  const byte = (at: number): number => stream[at] ?? 0
  for (let at = 0; at + 7 <= stream.length; ) {
    if (byte(at) !== 0xff || (byte(at + 1) & 0xf6) !== 0xf0)
      throw new Error(`not an ADTS stream at byte ${at}`)
    const headerBytes = (byte(at + 1) & 1) === 1 ? 7 : 9
    const length = ((byte(at + 3) & 3) << 11) | (byte(at + 4) << 3) | (byte(at + 5) >> 5)
    pieces.push(stream.subarray(at + headerBytes, at + length))
    at += Math.max(length, headerBytes)
  }
  const rateIndex = (byte(2) >> 2) & 15
  const channels = ((byte(2) & 1) << 2) | (byte(3) >> 6)
  const type = (byte(2) >> 6) + 1
  return {
    config: Uint8Array.of((type << 3) | (rateIndex >> 1), ((rateIndex & 1) << 7) | (channels << 3)),
    pieces,
  }
}
