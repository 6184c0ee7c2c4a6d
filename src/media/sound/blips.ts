import type { Excerpt } from './music.ts'
import { type Mix, oscillator, sampleRate } from './samples.ts'

const hertz = 1_000
const seconds = 0.05
const attackSeconds = 0.002
const loudness = 0.12

/** A short soft tone at each whole second, so that sound can be checked against the light in the picture. */
export function addBlips(mix: Mix, { channels, samples }: Excerpt): void {
  const length = Math.round(seconds * sampleRate)
  for (let from = 0; from + length <= samples; from += sampleRate) {
    const next = oscillator(hertz, sampleRate)
    for (let i = 0; i < length; i++) {
      const envelope = Math.min(1, i / (attackSeconds * sampleRate)) * (1 - i / length)
      const value = next() * envelope * loudness
      for (let side = 0; side < channels; side++) {
        const at = (from + i) * channels + side
        mix[at] = (mix[at] as number) + value
      }
    }
  }
}
