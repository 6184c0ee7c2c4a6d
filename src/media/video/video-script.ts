import { drawPicture, type PictureOrder, type Pixels } from '../drawing/frame-picture.ts'
import type { Digest, VideoRecipe } from '../recipe.ts'
import type { Tool } from '../tools.ts'
import { type ClockShapes, clockStrokes, drawClockShapes } from './clock-strip.ts'
import { journeyOf, type Station } from './stops.ts'
import { type Step, storyboardOf } from './storyboard.ts'
import { at } from './video-coding.ts'
import { mix, paintRgb, paintYuv, rows, toYuv, type YuvPicture } from './yuv.ts'

/** Where a rendering gets its pictures from. */
export interface Sources {
  /** The bytes of a picture a request brought along; undefined when they are not there. */
  picture(digest: Digest): Promise<Buffer | undefined>
  /** An ffmpeg that was found already; without it, one is looked for at `ffmpegPath` or where `findFfmpeg` looks. */
  ffmpeg?: Tool
  ffmpegPath?: string
  signal?: AbortSignal
}

/** Everything a video shows, ready to be coded. */
export interface VideoScript {
  steps: readonly Step[]
  shapes: ClockShapes
  /** The pictures it passes through, without time code. */
  pictures: readonly YuvPicture[]
  /** On these there is no time code: they are shown as they were given. */
  untouched: ReadonlySet<number>
}

/** Draws the pictures that the video passes through: one, or up to four with given frames. */
export async function writeScript(recipe: VideoRecipe, sources: Sources): Promise<VideoScript> {
  const { stations, stops } = journeyOf(recipe)
  const shapes = await drawClockShapes(recipe)
  const pictures: YuvPicture[] = []
  for (const station of stations) {
    pictures.push(toYuvPicture(await drawStation(station, recipe, sources)))
    sources.signal?.throwIfAborted()
  }
  const untouched = new Set([...stations.keys()].filter(i => stations[i]?.captioned === false))
  return { steps: storyboardOf(recipe, stops), shapes, pictures, untouched }
}

/** The last picture of a video, as pixels: a given last frame as it was given, else with its time code. */
export async function drawLastPicture(recipe: VideoRecipe, sources: Sources): Promise<Pixels> {
  const station = journeyOf(recipe).stations.at(-1) ?? { ground: 'slate', captioned: true }
  const picture = await drawStation(station, { ...recipe, mark: false }, sources)
  if (!station.captioned) return picture
  const shapes = await drawClockShapes(recipe)
  const step = at(storyboardOf(recipe, journeyOf(recipe).stops).slice(-1), 0)
  for (const stroke of clockStrokes(shapes, momentOf(step, recipe), 0)) paintRgb(picture, stroke)
  return picture
}

async function drawStation(station: Station, recipe: VideoRecipe, sources: Sources): Promise<Pixels> {
  const given = { first: recipe.firstFrame, last: recipe.lastFrame, slate: undefined }[station.ground]
  const order = await orderOf(recipe, sources, await openPicture(given, sources))
  return drawPicture({ ...order, captioned: station.captioned })
}

/** The rows above the strip: one picture for every stage on the way from the first picture to the last. */
export function* upperParts(script: VideoScript): Generator<YuvPicture> {
  const part = partOf(script, 0, script.shapes.layout.stripTop)
  for (const [i, step] of script.steps.entries()) {
    if (step.way !== script.steps[i - 1]?.way) yield part(step.way)
  }
}

/** The rows with time code and progress bar: one picture a step. */
export function strips(script: VideoScript, recipe: VideoRecipe): Generator<YuvPicture> {
  const { stripTop, height } = script.shapes.layout
  return painted(script, recipe, stripTop, height)
}

/** Whole pictures, one a frame: what an ordinary encoder wants. */
export function* wholePictures(script: VideoScript, recipe: VideoRecipe): Generator<YuvPicture> {
  let at = 0
  for (const picture of painted(script, recipe, 0, recipe.height)) {
    const frames = script.steps[at++]?.frames ?? 0
    for (let frame = 0; frame < frames; frame++) yield picture
  }
}

function* painted(
  script: VideoScript,
  recipe: VideoRecipe,
  fromRow: number,
  toRow: number,
): Generator<YuvPicture> {
  const part = partOf(script, fromRow, toRow)
  const clockOf = (step: Step, top: number) =>
    isUntouched(script, step) ? [] : clockStrokes(script.shapes, momentOf(step, recipe), top)
  for (const step of script.steps) {
    const clean = part(step.way)
    const picture = { ...clean, bytes: clean.bytes.slice() }
    for (const stroke of clockOf(step, fromRow)) paintYuv(picture, stroke)
    yield picture
  }
}

function isUntouched({ untouched }: VideoScript, { way }: Step): boolean {
  return way % 256 === 0 && untouched.has(way / 256)
}

/** Some rows of the video without time code, at a stage of its way. The latest stage is kept for the next step. */
function partOf(script: VideoScript, fromRow: number, toRow: number): (way: number) => YuvPicture {
  const parts = script.pictures.map(picture => rows(picture, fromRow, toRow))
  let kept: { way: number; picture: YuvPicture } | undefined
  return way => {
    if (kept?.way !== way) kept = { way, picture: between(parts, way) }
    return kept.picture
  }
}

function between(pictures: readonly YuvPicture[], way: number): YuvPicture {
  const from = at(pictures, Math.floor(way / 256))
  return way % 256 === 0 ? from : mix(from, at(pictures, Math.floor(way / 256) + 1), way % 256)
}

function momentOf(step: Step, recipe: VideoRecipe): { seconds: number; progress: number } {
  return { seconds: step.firstFrame / recipe.fps, progress: step.progress }
}

function toYuvPicture(pixels: Pixels): YuvPicture {
  return toYuv(pixels.bytes, pixels, pixels.channels)
}

/** A video that starts or ends on a picture shows the picture on its slate as well, so that one sees where it comes from. */
async function orderOf(
  recipe: VideoRecipe,
  sources: Sources,
  photo: Buffer | undefined,
): Promise<PictureOrder> {
  const { width, height, seed, caption, mark } = recipe
  const shown = [recipe.firstFrame, recipe.lastFrame, ...(recipe.references ?? [])].filter(
    digest => digest !== undefined,
  )
  const opened = photo
    ? []
    : await Promise.all([...new Set(shown)].map(digest => openPicture(digest, sources)))
  const thumbnails = opened.filter(picture => picture !== undefined)
  return {
    width,
    height,
    seed,
    caption,
    captioned: true,
    mark,
    thumbnails,
    rail: true,
    ...(photo ? { photo } : {}),
  }
}

/** A picture that can be drawn. What cannot be read (BMP, HEIC, a broken file) is replaced by a plain one of its own colours. */
async function openPicture(digest: Digest | undefined, sources: Sources): Promise<Buffer | undefined> {
  if (digest === undefined) return undefined
  const bytes = await sources.picture(digest)
  if (bytes && (await isDrawable(bytes))) return bytes
  const order = {
    width: 640,
    height: 480,
    seed: Number.parseInt(digest.slice(0, 8), 16) || 0,
    mark: false,
    captioned: true,
    rail: false,
  }
  const caption = { title: digest.slice(0, 12), prompt: '', facts: [] }
  const { bytes: data, width, height, channels } = await drawPicture({ ...order, caption, thumbnails: [] })
  const { default: sharp } = await import('sharp')
  const raw = { width, height, channels: channels === 4 ? 4 : 3 } as const
  return await sharp(data, { raw }).png().toBuffer()
}

async function isDrawable(bytes: Buffer): Promise<boolean> {
  const { default: sharp } = await import('sharp')
  try {
    await sharp(bytes).resize(8, 8).raw().toBuffer()
    return true
  } catch {
    // The library says no more than that it cannot read the file, and a stand-in shows as much.
    return false
  }
}
