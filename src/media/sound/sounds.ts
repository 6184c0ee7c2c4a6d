import { runFfmpeg } from '../render/ffmpeg.ts'
import type { VideoRecipe } from '../render/recipe.ts'
import { type AacStream, pieceSamples, readAdts } from './adts.ts'
import { babble } from './babble.ts'
import { addBlips, type Excerpt, loopSamples, type MoodName, moodOf, moods, music } from './music.ts'

import { sampleRate, toInt16 } from './samples.ts'

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
