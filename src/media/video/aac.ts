import { runFfmpeg } from '../ffmpeg.ts'
import type { Sample, Track } from './mp4.ts'
import { aacDescription, type BitRates } from './mp4-codecs.ts'
import { sampleRate, tune } from './tone.ts'

/** Samples in one coded piece; also how much run-in the encoder puts before the sound. */
const pieceSamples = 1024
const loopPieces = 96

export interface SoundTrackOrder {
  ffmpeg: string
  container: 'mp4' | 'mov'
  channels: 1 | 2
  seed: number
  /** Length in samples at 48 kHz. */
  samples: number
  signal?: AbortSignal | undefined
}

/** A sound track of exactly the length asked for: two seconds of a tune again and again. */
export async function soundTrack(order: SoundTrackOrder): Promise<Track> {
  const coded = await codedTune(order)
  const samples = lay(coded.pieces, order.samples + pieceSamples)
  const sound = {
    channels: order.channels,
    rate: sampleRate,
    config: coded.config,
    bits: bitRatesOf(samples),
  }
  const description = aacDescription(order.container, sound)
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

/** Few enough to be kept, so that a tune is encoded once in the life of the process. */
const tunes = 4
const kept = new Map<string, AdtsStream>()

async function codedTune(order: SoundTrackOrder): Promise<AdtsStream> {
  const number = Math.abs(Math.trunc(order.seed)) % tunes
  const key = `${order.ffmpeg} ${order.channels} ${number}`
  const coded = kept.get(key) ?? (await encode(order, number))
  kept.set(key, coded)
  return coded
}

async function encode({ ffmpeg, channels, signal }: SoundTrackOrder, number: number): Promise<AdtsStream> {
  const sound = tune(number, channels, loopPieces * pieceSamples)
  const silence = new Uint8Array(4 * pieceSamples * channels * 2)
  const stream = await runFfmpeg({
    ffmpeg,
    input: [new Uint8Array(sound.buffer), silence],
    inputOptions: ['-f', 's16le', '-ar', String(sampleRate), '-ac', String(channels)],
    outputOptions: [
      '-c:a',
      'aac',
      '-aac_coder',
      'fast',
      '-b:a',
      channels === 1 ? '64k' : '96k',
      '-f',
      'adts',
    ],
    signal,
  })
  return readAdts(stream)
}

/** The run-in first, then the loop again and again. Its ends are silent, so the pieces on both sides of the seam fit. */
function lay(pieces: readonly Uint8Array[], samples: number): Sample[] {
  const count = Math.ceil(samples / pieceSamples)
  return Array.from({ length: count }, (_, i) => {
    const bytes = pieces[i === 0 ? 0 : 1 + ((i - 1) % loopPieces)]
    if (!bytes)
      throw new Error(`the AAC encoder gave ${pieces.length} pieces of sound, ${loopPieces + 1} are needed`)
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
