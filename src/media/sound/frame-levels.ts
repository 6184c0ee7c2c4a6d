import { runFfmpeg } from '../render/ffmpeg.ts'
import type { VideoRecipe } from '../render/recipe.ts'
import type { Tool } from '../render/tools.ts'
import type { Sources } from '../video/video-script.ts'
import { pieceSamples, readAdts } from './adts.ts'
import { loopSamples } from './music.ts'
import { sampleRate } from './samples.ts'
import { madeSoundOf, synthesize } from './sounds.ts'
import { givenSound } from './video-sound.ts'

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
