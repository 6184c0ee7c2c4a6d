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
