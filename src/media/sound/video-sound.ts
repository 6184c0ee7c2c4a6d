import { runFfmpeg } from '../render/ffmpeg.ts'
import type { VideoRecipe } from '../render/recipe.ts'
import type { Tool } from '../render/tools.ts'
import type { Sample, SoundTrack } from '../video/movie.ts'
import type { Sources } from '../video/video-script.ts'
import { loopSamples, sampleRate } from './music.ts'
import {
  type AacStream,
  encodedSound,
  madeSoundOf,
  pieceSamples,
  readAdts,
  repeatedSound,
  synthesize,
} from './sounds.ts'

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
async function givenSound(
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

/** A sound as a video plays it: the moments from `from` to before `to`, repeated. A moment is one sample of each channel. */
interface Played {
  samples: Int16Array
  channels: number
  /** Moments a second. */
  rate: number
  from: number
  to: number
}

/** A given sound is measured at this many moments per second, which contain nearly all the energy of speech. */
const measuredRate = 16_000

/** Strengths as parts of full scale. A frame below the first is silent; the bar of a sound below the second is never full. */
const [silence, faint] = [0.0015, 0.02]

/**
 * The level of the sound in each frame: 0 is silence, 1 is the loudest frame. It is the square root of the
 * strength, so that soft speech is visible too. Empty when the video has no level bar.
 */
export async function frameLevels(
  recipe: VideoRecipe,
  sources: Sources,
  tool: Tool,
): Promise<readonly number[]> {
  if (!recipe.levelBar) return []
  const sound = (await decodedSound(recipe, sources, tool)) ?? madeSound(recipe)
  const strengths = Array.from({ length: recipe.frames }, (_, frame) =>
    strength(sound, frame / recipe.fps, (frame + 1) / recipe.fps),
  )
  const loudest = strengths.reduce((most, each) => Math.max(most, each), faint)
  return strengths.map(each => Math.sqrt(Math.max(0, each - silence) / (loudest - silence)))
}

/** The root of the mean square between two times in seconds, as a part of full scale. */
function strength({ samples, channels, rate, from, to }: Played, start: number, end: number): number {
  const [first, last] = [Math.round(start * rate), Math.round(end * rate)]
  let sum = 0
  for (let moment = first; moment < last; moment++) {
    const at = (from + (moment % (to - from))) * channels
    for (let side = 0; side < channels; side++) sum += (samples[at + side] ?? 0) ** 2
  }
  return Math.sqrt(sum / ((last - first) * channels)) / 32_768
}

/** The given sound, decoded from the frames that the track repeats. Undefined when the track has none. */
async function decodedSound(recipe: VideoRecipe, sources: Sources, tool: Tool): Promise<Played | undefined> {
  const bytes = await givenSound(recipe, sources)
  if (!bytes) return undefined
  const { channels, pieces } = readAdts(bytes)
  const seconds = recipe.frames / recipe.fps + (2 * pieceSamples) / sampleRate
  const pcm = await runFfmpeg({
    ffmpeg: tool.path,
    input: [bytes],
    inputOptions: '-f aac',
    outputOptions: `-t ${seconds} -ac ${channels} -ar ${measuredRate} -f s16le`,
    signal: sources.signal,
  })
  const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length >> 1)
  const momentOf = (piece: number) => Math.round((piece * pieceSamples * measuredRate) / sampleRate)
  // The first frame is the encoder delay, which is not played.
  return { samples, channels, rate: measuredRate, from: momentOf(1), to: momentOf(pieces.length) }
}

function madeSound(recipe: VideoRecipe): Played {
  const samples = synthesize(madeSoundOf(recipe), { channels: 1, samples: loopSamples })
  return { samples, channels: 1, rate: sampleRate, from: 0, to: loopSamples }
}
