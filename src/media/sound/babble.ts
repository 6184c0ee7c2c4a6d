import { type Mix, oscillator, sequence, toInt16 } from './samples.ts'

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

/** The length of a voice in seconds, and its samples per second. */
interface Speech {
  seconds: number
  rate: number
}

/**
 * The sound of a person who hums syllables without words. Pitch and syllables follow from the seed.
 * @returns mono 16-bit samples; the first 80 ms and the end are silent, so that it can be repeated
 */
export function babble(seed: number, speech: Speech): Int16Array {
  const { seconds, rate } = speech
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
