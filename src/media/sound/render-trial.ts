import { runFfmpeg } from '../ffmpeg.ts'
import type { SoundRecipe } from '../recipe.ts'
import { findFfmpeg, ToolMissingError } from '../tools.ts'
import type { Sources } from '../video/video-script.ts'
import { babble } from './babble.ts'

/** Samples a second of a voice trial. */
const rate = 24_000

/**
 * Renders a voice trial: syllables without words, mono.
 * @throws ToolMissingError when an MP3 is asked for and no ffmpeg can write one
 */
export async function renderSound(
  recipe: SoundRecipe,
  sources: Pick<Sources, 'ffmpeg' | 'ffmpegPath' | 'signal'> = {},
): Promise<Buffer> {
  const samples = babble(recipe.seed, { seconds: recipe.seconds, rate })
  const sound = Buffer.from(samples.buffer)
  return recipe.format === 'wav'
    ? Buffer.concat([wavHeader(sound.length), sound])
    : await toMp3(sound, sources)
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
    inputOptions: ['-f', 's16le', '-ar', String(rate), '-ac', '1'],
    outputOptions: [
      '-c:a',
      'libmp3lame',
      '-b:a',
      '64k',
      '-write_xing',
      '0',
      '-id3v2_version',
      '0',
      '-f',
      'mp3',
    ],
    signal,
  })
}

function wavHeader(bytes: number): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + bytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(bytes, 40)
  return header
}
