import type { VideoRecipe } from '../render/recipe.ts'
import type { Tool } from '../render/tools.ts'
import type { Sample, SoundTrack } from '../video/movie.ts'
import type { Sources } from '../video/video-script.ts'
import { type AacStream, pieceSamples, readAdts } from './adts.ts'
import { sampleRate } from './samples.ts'
import { encodedSound, madeSoundOf, repeatedSound } from './sounds.ts'

/** The sound track of a video, exactly as long as its pictures; undefined when the recipe is silent. */
export async function videoSound(recipe: VideoRecipe, sources: Sources, tool: Tool): Promise<SoundTrack[]> {
  if (recipe.audio === 'none') return []
  const samples = Math.round((recipe.frames * sampleRate) / recipe.fps)
  const excerpt = { channels: recipe.audio === 'stereo' ? 2 : 1, samples } as const
  if (recipe.codec === 'h264_444')
    return [uncodedTrack(repeatedSound(madeSoundOf(recipe), excerpt), excerpt.channels)]
  const given = await givenSound(recipe, sources)
  const encoder = { ffmpeg: tool.path, signal: sources.signal }
  const sound = given ? readAdts(given) : await encodedSound(madeSoundOf(recipe), excerpt, encoder)
  return [soundTrack(sound, samples)]
}

/**
 * The sound of the request for the track, as AAC. Undefined when the request has none, when it is no longer
 * kept, and for a track of uncompressed sound.
 */
export async function givenSound(
  { sound, codec }: VideoRecipe,
  { kept }: Pick<Sources, 'kept'>,
): Promise<Buffer | undefined> {
  return sound?.kind === 'given' && codec !== 'h264_444' ? await kept(sound.content) : undefined
}

/** A track of exactly this length in samples at 48 kHz: the sound, truncated or repeated. */
function soundTrack({ pieces, channels, config }: AacStream, length: number): SoundTrack {
  return {
    kind: 'audio',
    coding: 'aac',
    samples: lay(pieces, length + pieceSamples),
    decoder: { codec: 'mp4a.40.2', numberOfChannels: channels, sampleRate, description: config },
  }
}

/** A track of uncompressed sound, for `mov`. The samples are interleaved 16-bit samples at 48 kHz. */
function uncodedTrack(sound: Int16Array, channels: 1 | 2): SoundTrack {
  const bytes = Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength)
  const second = sampleRate * 2 * channels
  const samples = Array.from({ length: Math.ceil(bytes.length / second) }, (_, at) => {
    const part = bytes.subarray(at * second, (at + 1) * second)
    return { bytes: part, at, duration: part.length / second, sync: true }
  })
  const decoder = { codec: 'pcm-s16', numberOfChannels: channels, sampleRate }
  return { kind: 'audio', coding: 'pcm-s16', samples, decoder }
}

/** The run-in of the encoder first, which is not heard, then the other frames, repeated. */
function lay(pieces: readonly Uint8Array[], samples: number): Sample[] {
  if (pieces.length < 2) throw new Error(`the AAC encoder gave ${pieces.length} pieces of sound`)
  const count = Math.ceil(samples / pieceSamples)
  return Array.from({ length: count }, (_, i) => {
    const bytes = pieces[i === 0 ? 0 : 1 + ((i - 1) % (pieces.length - 1))] as Uint8Array
    const duration = Math.min(pieceSamples, samples - i * pieceSamples) / sampleRate
    return { bytes, at: ((i - 1) * pieceSamples) / sampleRate, duration, sync: true }
  })
}
