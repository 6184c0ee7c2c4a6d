import type { VideoRecipe } from '../recipe.ts'
import type { Tool } from '../tools.ts'
import type { SoundTrack } from '../video/movie.ts'
import type { Sources } from '../video/video-script.ts'
import { type AacStream, readAdts } from './adts.ts'
import { sampleRate } from './samples.ts'
import { soundTrack, uncodedTrack } from './sound-track.ts'
import { encodedSound, madeSoundOf, repeatedSound } from './sounds.ts'

/** The sound track of a video, exactly as long as its pictures; undefined when the recipe is silent. */
export async function videoSound(recipe: VideoRecipe, sources: Sources, tool: Tool): Promise<SoundTrack[]> {
  if (recipe.audio === 'none') return []
  const samples = Math.round((recipe.frames * sampleRate) / recipe.fps)
  if (recipe.codec === 'h264_444') return [uncodedTrack(uncodedSound(recipe, samples), channelsOf(recipe))]
  const given = await givenSound(recipe, sources)
  const sound = given ? readAdts(given) : await madeSound(recipe, samples, { ...sources, ffmpeg: tool })
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

function madeSound(
  recipe: VideoRecipe,
  samples: number,
  { signal, ffmpeg }: Sources & { ffmpeg: Tool },
): Promise<AacStream> {
  return encodedSound(
    madeSoundOf(recipe),
    { channels: channelsOf(recipe), samples },
    { ffmpeg: ffmpeg.path, signal },
  )
}

function uncodedSound(recipe: VideoRecipe, samples: number): Int16Array {
  return repeatedSound(madeSoundOf(recipe), { channels: channelsOf(recipe), samples })
}

function channelsOf({ audio }: VideoRecipe): 1 | 2 {
  return audio === 'stereo' ? 2 : 1
}
