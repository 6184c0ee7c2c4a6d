import { registerFonts } from '../drawing/svg.ts'
import { writeWhole } from '../files/kept-files.ts'
import { codeVideo } from '../h264/code-video.ts'
import { frameLevels, videoSound } from '../sound/video-sound.ts'
import type { CodingOrder, PictureTrack } from '../video/movie.ts'
import { drawLastPicture, type Sources, writeScript } from '../video/video-script.ts'
import { pictureOf } from './pixels.ts'
import type { LastFrameRecipe, VideoRecipe } from './recipe.ts'
import { findFfmpeg, type Tool, ToolMissingError } from './tools.ts'

export type { Sources } from '../video/video-script.ts'

/**
 * Renders a video into `file`, which appears only when it is complete.
 * @throws ToolMissingError without an ffmpeg that can encode it; the signal's reason when aborted (the encoder is killed)
 */
export async function renderVideo(recipe: VideoRecipe, sources: Sources, file: string): Promise<void> {
  checkRecipe(recipe)
  const ffmpeg = await openEncoder(sources)
  sources.signal?.throwIfAborted()
  const stop = new AbortController()
  const signal = sources.signal ? AbortSignal.any([sources.signal, stop.signal]) : stop.signal
  try {
    const own = { ...sources, signal }
    const fonts = registerFonts()
    const script = writeScript(recipe, own, frameLevels(recipe, own, ffmpeg))
    // The sound is made while other threads draw.
    const sounds = script.then(() => videoSound(recipe, own, ffmpeg))
    const [picture, sound, { writeMovie }] = await Promise.all([
      pictures({ recipe, script, ffmpeg: ffmpeg.path, run: sources.run, signal }, ffmpeg),
      sounds,
      script.then(() => import('../video/movie.ts')),
      fonts,
    ])
    await writeWhole(file, await writeMovie(recipe.container, [picture, ...sound]), sources.signal)
  } catch (error) {
    stop.abort(error)
    throw error
  }
}

/** The last picture of the video as a PNG of the same size, without the mark. */
export async function renderLastFrame(recipe: LastFrameRecipe, sources: Sources): Promise<Buffer> {
  const pixels = await drawLastPicture(recipe.of, sources)
  sources.signal?.throwIfAborted()
  return await (await pictureOf(pixels)).removeAlpha().png({ compressionLevel: 6 }).toBuffer()
}

async function openEncoder(sources: Sources): Promise<Tool> {
  const tool = sources.ffmpeg ?? (await findFfmpeg())
  const missing = (['libx264', 'aac'] as const).filter(ability => !tool.can[ability])
  if (missing.length === 0) return tool
  throw new ToolMissingError(`${tool.path} (ffmpeg ${tool.version}) cannot write ${missing.join(' or ')}.`)
}

function checkRecipe({ width, height, frames, fps }: VideoRecipe): void {
  const isWhole = [width / 2, height / 2, frames, fps].every(value => Number.isInteger(value) && value > 0)
  if (!isWhole || width < 128 || height < 128) {
    throw new RangeError(
      `cannot render ${frames} frames of ${width}x${height} at ${fps} a second: sides must be even and 128 or more, frames and rate whole`,
    )
  }
}

async function pictures(order: CodingOrder, tool: Tool): Promise<PictureTrack> {
  const drawn = order.script.then(({ grounds, poster }) => Promise.all([grounds, poster]))
  const [track] = await Promise.all([codeVideo(order, tool), drawn])
  return track
}
