import { runFfmpeg } from '../render/ffmpeg.ts'
import type { SoundRecipe } from '../render/recipe.ts'
import { findFfmpeg, ToolMissingError } from '../render/tools.ts'
import type { Sources } from '../video/video-script.ts'
import { babble } from './sounds.ts'

/** Samples a second of a voice trial. */
const rate = 24_000

/**
 * Renders a voice trial: syllables without words, mono.
 * @throws ToolMissingError when an MP3 is requested and no ffmpeg can write it
 */
export async function renderSound(
  recipe: SoundRecipe,
  sources: Pick<Sources, 'ffmpeg' | 'ffmpegPath' | 'signal'> = {},
): Promise<Buffer> {
  const samples = babble(recipe.seed, { seconds: recipe.seconds, rate })
  return recipe.format === 'wav' ? wavOf(samples, rate) : await toMp3(Buffer.from(samples.buffer), sources)
}

async function toMp3(
  sound: Buffer,
  { ffmpeg, ffmpegPath, signal }: Pick<Sources, 'ffmpeg' | 'ffmpegPath' | 'signal'>,
): Promise<Buffer> {
  const tool = ffmpeg ?? (await findFfmpeg(ffmpegPath))
  if (!tool.can.mp3) throw new ToolMissingError(`${tool.path} (ffmpeg ${tool.version}) cannot write MP3.`)
  return await runFfmpeg({
    ffmpeg: tool.path,
    input: [sound],
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
  return Buffer.concat([header, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)])
}
