import type { LastFrameRecipe, VideoRecipe } from './recipe.ts'
import { frameLevels } from './sound/frame-levels.ts'
import { videoSound } from './sound/video-sound.ts'
import { findFfmpeg, type Tool, ToolMissingError } from './tools.ts'
import { codeByParts } from './video/code-by-parts.ts'
import { codePlainly } from './video/code-plainly.ts'
import { UnexpectedStreamError } from './video/h264-read.ts'
import { type Track, writeMovie } from './video/mp4.ts'
import type { CodingOrder } from './video/video-coding.ts'
import { drawLastPicture, type Sources, writeScript } from './video/video-script.ts'
import { writeWhole } from './write-whole.ts'

export type { Sources } from './video/video-script.ts'

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
    const tracks = await Promise.all([
      pictures(recipe, { ...sources, signal }, ffmpeg),
      videoSound(recipe, { ...sources, signal }, ffmpeg),
    ])
    await writeWhole(file, Buffer.concat(movieOf(recipe, tracks.flat())), sources.signal)
  } catch (error) {
    stop.abort(error)
    throw error
  }
}

/** The last picture of the video as a PNG of the same size, without the mark. */
export async function renderLastFrame(recipe: LastFrameRecipe, sources: Sources): Promise<Buffer> {
  const { width, height, channels, bytes } = await drawLastPicture(recipe.of, sources)
  sources.signal?.throwIfAborted()
  const { default: sharp } = await import('sharp')
  const raw = { width, height, channels: channels === 4 ? 4 : 3 } as const
  return await sharp(bytes, { raw }).removeAlpha().png({ compressionLevel: 6 }).toBuffer()
}

async function openEncoder(sources: Sources): Promise<Tool> {
  const tool = sources.ffmpeg ?? (await findFfmpeg(sources.ffmpegPath))
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

async function pictures(recipe: VideoRecipe, sources: Sources, tool: Tool): Promise<Track> {
  const script = writeScript(recipe, sources, frameLevels(recipe, sources, tool))
  const order: CodingOrder = { recipe, script, ffmpeg: tool.path, run: sources.run, signal: sources.signal }
  const drawn = script.then(({ grounds, poster }) => Promise.all([grounds, poster]))
  const [track] = await Promise.all([code(order, tool), drawn])
  return track
}

async function code(order: CodingOrder, tool: Tool): Promise<Track> {
  const { codec } = order.recipe
  if (codec === 'h264_444' || (codec === 'hevc' && tool.can.libx265)) return await codePlainly(order, codec)
  try {
    return await codeByParts(order)
  } catch (error) {
    if (!(error instanceof UnexpectedStreamError)) throw error
    return await codePlainly(order, 'h264')
  }
}

function movieOf(recipe: VideoRecipe, tracks: Track[]): Uint8Array[] {
  const { container, fps, frames } = recipe
  return writeMovie({ container, timescale: fps * 1000, duration: frames * 1000, tracks })
}
