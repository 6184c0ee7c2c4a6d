/** Samples a second of every sound track. */
export const sampleRate = 48_000

/** Sound that is being mixed: interleaved channels, full scale is 1. */
export type Mix = Float64Array

/** 16-bit samples; values above full scale are clipped. */
export function toInt16(mix: Mix): Int16Array {
  const samples = new Int16Array(mix.length)
  for (let i = 0; i < samples.length; i++) {
    samples[i] = Math.round(Math.max(-1, Math.min(1, mix[i] as number)) * 32_767)
  }
  return samples
}

/** A sine wave by rotation, which is much faster than the sine of every sample. It starts at 0. */
export function oscillator(hertz: number, rate: number): () => number {
  const step = (2 * Math.PI * hertz) / rate
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

/** A function for whole numbers below a limit, which follow from the seed (mulberry32). */
export function sequence(seed: number): (below: number) => number {
  let state = seed | 0
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
