export const sampleRate = 48_000

/** A few notes and where they stand, as played into a loop. */
interface Note {
  startSeconds: number
  seconds: number
  hertz: number
  loudness: number
  /** -1 left, 1 right. */
  side: number
}

/**
 * A soft tune on a pentatonic scale that follows from the seed, silent at both ends so that it can be repeated.
 * @returns interleaved 16-bit samples at 48 kHz
 */
export function tune(seed: number, channels: 1 | 2, samples: number): Int16Array {
  const sound = new Float64Array(samples * channels)
  const lengthSeconds = samples / sampleRate
  for (const note of notesOf(seed, lengthSeconds)) addNote(sound, channels, note)
  return toInt16(sound)
}

const pentatonic = [0, 2, 4, 7, 9, 12, 14, 16]

function notesOf(seed: number, lengthSeconds: number): Note[] {
  const pick = sequence(seed)
  const root = 196 * 2 ** (pick(7) / 12)
  const beat = 0.256
  const count = Math.floor((lengthSeconds - 0.6) / beat)
  const melody = Array.from({ length: Math.max(count, 1) }, (_, i) => i).filter(
    i => i % 4 === 0 || pick(3) > 0,
  )
  return melody.map(i => ({
    startSeconds: 0.032 + i * beat,
    seconds: Math.min(0.7, lengthSeconds - 0.1 - i * beat),
    hertz: root * 2 ** ((pentatonic[pick(pentatonic.length)] ?? 0) / 12),
    loudness: i % 4 === 0 ? 0.16 : 0.11,
    side: (pick(9) - 4) / 8,
  }))
}

function addNote(sound: Float64Array, channels: 1 | 2, note: Note): void {
  const from = Math.round(note.startSeconds * sampleRate)
  const length = Math.round(note.seconds * sampleRate)
  const factor = 2 * Math.cos((2 * Math.PI * note.hertz) / sampleRate)
  const sides = channels === 1 ? [1] : [1 - note.side, 1 + note.side]
  let before = -Math.sin((2 * Math.PI * note.hertz) / sampleRate)
  let now = 0
  for (let i = 0; i < length; i++) {
    const fade = 1 - i / length
    // The square brings in the octave above, so that the note is less bare than a sine.
    const value = (now + 0.3 * now * now) * Math.min(1, i / 480) * fade * fade * note.loudness
    for (let side = 0; side < channels; side++) {
      const at = (from + i) * channels + side
      sound[at] = (sound[at] as number) + value * (sides[side] as number)
    }
    const next = factor * now - before
    before = now
    now = next
  }
}

/** Vowels as the three frequencies in Hz at which a throat resounds. */
const vowels = [
  [730, 1090, 2440],
  [270, 2290, 3010],
  [300, 870, 2240],
  [530, 1840, 2480],
  [570, 840, 2410],
] as const

/**
 * Sounds like somebody humming syllables: a voice trial without words. Pitch and syllables follow from the seed.
 * @returns mono 16-bit samples at 24 kHz
 */
export function babble(seed: number, seconds: number): Int16Array {
  const pick = sequence(seed)
  const pitch = 105 + pick(120)
  const sound = new Float64Array(Math.round(seconds * babbleRate))
  let at = 0.08
  for (let number = 1; at < seconds - 0.3; number++) {
    const length = 0.13 + pick(9) / 100
    const vowel = vowels[pick(vowels.length)] ?? vowels[0]
    const melody = pitch * (1.12 - 0.2 * (at / seconds)) * (0.94 + pick(13) / 100)
    addSyllable(sound, { at, length, melody, vowel })
    at += length + 0.02 + (number % (4 + pick(3)) === 0 ? 0.22 : 0)
  }
  return toInt16(sound)
}

export const babbleRate = 24_000

interface Syllable {
  at: number
  length: number
  melody: number
  vowel: readonly number[]
}

function addSyllable(sound: Float64Array, { at, length, melody, vowel }: Syllable): void {
  const from = Math.round(at * babbleRate)
  const samples = Math.min(Math.round(length * babbleRate), sound.length - from)
  for (let harmonic = 1; harmonic * melody < 3_400; harmonic++) {
    const next = oscillator((harmonic * melody * sampleRate) / babbleRate)
    const weight = resonance(harmonic * melody, vowel) / Math.sqrt(harmonic)
    for (let i = 0; i < samples; i++) {
      const envelope = Math.sin((Math.PI * i) / samples) ** 0.7
      sound[from + i] = (sound[from + i] ?? 0) + next() * weight * envelope * 0.16
    }
  }
}

function resonance(hertz: number, vowel: readonly number[]): number {
  const peaks = vowel.map((peak, i) => Math.exp(-(((hertz - peak) / (90 + 40 * i)) ** 2)) / (1 + i))
  return 0.06 + peaks.reduce((sum, peak) => sum + peak, 0)
}

/** A sine wave by rotation: much cheaper than asking for the sine of every sample. */
function oscillator(hertz: number): () => number {
  const step = (2 * Math.PI * hertz) / sampleRate
  const factor = 2 * Math.cos(step)
  let before = Math.sin(-step)
  let now = 0
  return () => {
    const value = now
    now = factor * now - before
    before = value
    return value
  }
}

/** Small whole numbers that follow from the seed (mulberry32). */
function sequence(seed: number): (below: number) => number {
  let state = seed | 0
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

function toInt16(sound: Float64Array): Int16Array {
  const samples = new Int16Array(sound.length)
  for (let i = 0; i < samples.length; i++) {
    samples[i] = Math.round(Math.max(-1, Math.min(1, sound[i] as number)) * 32_767)
  }
  return samples
}
