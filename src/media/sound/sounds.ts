import { runFfmpeg } from '../render/ffmpeg.ts'
import type { SoundRecipe, VideoRecipe } from '../render/recipe.ts'
import { findFfmpeg, ToolMissingError } from '../render/tools.ts'
import type { Sources } from '../video/video-script.ts'
import {
  addBlips,
  type Excerpt,
  loopSamples,
  type Mix,
  type MoodName,
  moodOf,
  moods,
  music,
  oscillator,
  sampleRate,
  sequence,
  toInt16,
} from './music.ts'

/** Vowels as the frequencies of their three formants, Hz. */
const vowels = [
  [730, 1090, 2440],
  [270, 2290, 3010],
  [300, 870, 2240],
  [530, 1840, 2480],
  [570, 840, 2410],
] as const

/** Syllables have no overtones above this frequency, as on a telephone, Hz. */
const highestHertz = 3_400

/**
 * The sound of a person who hums syllables without words, of so many seconds and samples a second. Pitch and syllables follow from the seed.
 * @returns mono 16-bit samples; the first 80 ms and the end are silent, so that it can be repeated
 */
export function babble(seed: number, { seconds, rate }: { seconds: number; rate: number }): Int16Array {
  const pick = sequence(seed)
  const pitch = 105 + pick(120)
  const mix: Mix = new Float64Array(Math.round(seconds * rate))
  let at = 0.08
  for (let number = 1; at < seconds - 0.3; number++) {
    const length = 0.13 + pick(9) / 100
    const vowel = vowels[pick(vowels.length)] ?? vowels[0]
    const melody = pitch * (1.12 - 0.2 * (at / seconds)) * (0.94 + pick(13) / 100)
    addSyllable(mix, rate, { at, length, melody, vowel })
    at += length + 0.02 + (number % (4 + pick(3)) === 0 ? 0.22 : 0)
  }
  return toInt16(mix)
}

interface Syllable {
  at: number
  length: number
  melody: number
  vowel: readonly number[]
}

function addSyllable(mix: Mix, rate: number, { at, length, melody, vowel }: Syllable): void {
  const from = Math.round(at * rate)
  const samples = Math.min(Math.round(length * rate), mix.length - from)
  const envelope = Float64Array.from({ length: samples }, (_, i) => Math.sin((Math.PI * i) / samples) ** 0.7)
  for (let harmonic = 1; harmonic * melody < highestHertz; harmonic++) {
    const next = oscillator(harmonic * melody, rate)
    const weight = (0.16 * resonance(harmonic * melody, vowel)) / Math.sqrt(harmonic)
    for (let i = 0; i < samples; i++) {
      mix[from + i] = (mix[from + i] as number) + next() * weight * (envelope[i] as number)
    }
  }
}

function resonance(hertz: number, vowel: readonly number[]): number {
  const peaks = vowel.map((peak, i) => Math.exp(-(((hertz - peak) / (90 + 40 * i)) ** 2)) / (1 + i))
  return 0.06 + peaks.reduce((sum, peak) => sum + peak, 0)
}

/** AAC from ffmpeg: frames of 1024 samples, and the configuration for a decoder. */
export interface AacStream {
  /** The AudioSpecificConfig. ISO/IEC 14496-3, 1.6.2.1. */
  config: Uint8Array
  channels: number
  pieces: readonly Uint8Array[]
}

/** The samples in one frame; also the delay that the encoder adds before the sound. */
export const pieceSamples = 1024

/**
 * Reads the frames of sound in an ADTS stream. ISO/IEC 13818-7, 6.2.
 * @throws Error where a frame does not begin with its sync word
 */
export function readAdts(stream: Uint8Array): AacStream {
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
  const config = Uint8Array.of((type << 3) | (rateIndex >> 1), ((rateIndex & 1) << 7) | (channels << 3))
  return { config, channels, pieces }
}

/** The sound of a video without a given sound. */
type MadeSound = { kind: 'voice'; seed: number } | { kind: 'music'; mood: MoodName; seed: number }

/** The number of different voices, and of melodies for each mood: few, so that a process encodes few of them. */
const variants = 2

/** The sound for a recipe whose request has no sound. */
export function madeSoundOf({ sound, prompt, seed }: VideoRecipe): MadeSound {
  const variant = Math.abs(Math.trunc(seed)) % variants
  if (sound) return { kind: 'voice', seed: variant }
  return { kind: 'music', mood: moodOf(prompt, seed), seed: variant }
}

/** The beginning of a sound as interleaved 16-bit samples at 48 kHz. The whole sound can be repeated without a click. */
export function synthesize(sound: MadeSound, excerpt: Excerpt): Int16Array {
  const { channels, samples } = excerpt
  if (sound.kind === 'voice') {
    return spread(voiceOf(sound.seed).subarray(0, samples), channels)
  }
  const mix = music(moods[sound.mood], sound.seed, excerpt)
  addBlips(mix, excerpt)
  return toInt16(mix)
}

/** Track and level bar of a video need the same voice. Making it takes 100 ms, keeping it 750 KB. */
const voices = new Map<number, Int16Array>()

function voiceOf(seed: number): Int16Array {
  const voice = voices.get(seed) ?? babble(seed, { seconds: loopSamples / sampleRate, rate: sampleRate })
  voices.set(seed, voice)
  return voice
}

/** A sound of the requested length, repeated when it is shorter. */
export function repeatedSound(sound: MadeSound, { channels, samples }: Excerpt): Int16Array {
  const once = synthesize(sound, { channels, samples: Math.min(samples, loopSamples) })
  const whole = new Int16Array(samples * channels)
  for (let at = 0; at < whole.length; at += once.length) whole.set(once.subarray(0, whole.length - at), at)
  return whole
}

function spread(mono: Int16Array, channels: 1 | 2): Int16Array {
  if (channels === 1) return mono
  const both = new Int16Array(mono.length * 2)
  for (let i = 0; i < both.length; i++) both[i] = mono[i >> 1] as number
  return both
}

interface Encoder {
  /** Path of the program. */
  ffmpeg: string
  signal?: AbortSignal | undefined
}

/** Saves encoding, which takes about 100 ms, as long as a small video. */
const kept = new Map<string, AacStream>()

/** A sound as AAC: the encoder delay, then at least the requested samples, or frames that can be repeated without a click. */
export async function encodedSound(sound: MadeSound, wanted: Excerpt, encoder: Encoder): Promise<AacStream> {
  const { channels } = wanted
  // Some more samples than requested, so that videos of nearly the same length share the sound.
  const samples = Math.min(loopSamples, Math.ceil(wanted.samples / sampleRate + 0.5) * sampleRate)
  const key = JSON.stringify([encoder.ffmpeg, channels, samples, sound])
  const known = kept.get(key)
  if (known) return known
  const made = synthesize(sound, { channels, samples })
  const stream = await encode(made, channels, encoder)
  const whole = { ...stream, pieces: stream.pieces.slice(0, 1 + Math.floor(samples / pieceSamples)) }
  kept.set(key, whole)
  return whole
}

/** The frames overlap, so the last one needs the samples that follow it: those of the beginning. */
async function encode(samples: Int16Array, channels: 1 | 2, { ffmpeg, signal }: Encoder): Promise<AacStream> {
  const next = samples.subarray(0, 4 * pieceSamples * channels)
  return readAdts(
    await runFfmpeg({
      ffmpeg,
      input: [bytesOf(samples), bytesOf(next)],
      inputOptions: `-f s16le -ar ${sampleRate} -ac ${channels}`,
      outputOptions: `-c:a aac -aac_coder fast -b:a ${channels === 1 ? 64 : 96}k -f adts`,
      signal,
    }),
  )
}

function bytesOf(samples: Int16Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
}

/** Samples a second of a voice trial. */
const rate = 24_000

/**
 * Renders a voice trial: syllables without words, mono.
 * @throws ToolMissingError when an MP3 is requested and no ffmpeg can write it
 */
export async function renderSound(
  { format, seed, seconds }: SoundRecipe,
  { ffmpeg, signal }: Pick<Sources, 'ffmpeg' | 'signal'> = {},
): Promise<Buffer> {
  const samples = babble(seed, { seconds, rate })
  if (format === 'wav') return wavOf(samples, rate)
  const tool = ffmpeg ?? (await findFfmpeg())
  if (!tool.can.mp3) throw new ToolMissingError(`${tool.path} (ffmpeg ${tool.version}) cannot write MP3.`)
  return await runFfmpeg({
    ffmpeg: tool.path,
    input: [bytesOf(samples)],
    inputOptions: `-f s16le -ar ${rate} -ac 1`,
    outputOptions: '-c:a libmp3lame -b:a 64k -write_xing 0 -id3v2_version 0 -f mp3',
    signal,
  })
}

const headerBytes = 44
const bytesPerSample = 2

/** A WAV file of mono samples. `rate` is samples a second. */
export function wavOf(samples: Int16Array, rate: number): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.write('RIFF', 0)
  header.writeUInt32LE(headerBytes - 8 + samples.byteLength, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * bytesPerSample, 28)
  header.writeUInt16LE(bytesPerSample, 32)
  header.writeUInt16LE(8 * bytesPerSample, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat([header, bytesOf(samples)])
}
