import type { Digest, VideoRecipe } from '../recipe.ts'
import { drawScene, sceneWords } from '../scenes/scene.ts'
import type { Tool } from '../tools.ts'
import { composePixels, composeYuv } from './compose.ts'
import type { Field } from './field.ts'
import { openGiven } from './given.ts'
import { drawGround, type Ground } from './ground.ts'
import { withSigns } from './key-picture.ts'
import type { Pixels } from './pixels.ts'
import { type Stage, sceneOrderSize, stageOf } from './stage.ts'
import { type Depth, fieldAt } from './stage-field.ts'
import { writtenAt } from './time-code.ts'
import { type Key, type Moment, type Timeline, timelineOf } from './timeline.ts'
import { at } from './video-coding.ts'
import { mix, rows, stacked, toYuv, type YuvPicture } from './yuv.ts'

/** Where a rendering gets its pictures from. */
export interface Sources {
  /** The bytes of a picture that the request came with; undefined when they are not there. */
  picture(digest: Digest): Promise<Buffer | undefined>
  /** An ffmpeg that was found already; without it, one is looked for at `ffmpegPath` or where `findFfmpeg` looks. */
  ffmpeg?: Tool
  ffmpegPath?: string
  signal?: AbortSignal
}

/** Everything a video shows, ready to be coded. */
export interface VideoScript {
  stage: Stage
  timeline: Timeline
  /** The coded pictures that it starts with and ends with; often only one. They are still being drawn. */
  grounds: Promise<readonly YuvPicture[]>
  fieldAt(frame: number): { field: Field; moment: Moment }
}

/** Lays out a video and begins to draw its pictures. */
export async function writeScript(recipe: VideoRecipe, sources: Sources): Promise<VideoScript> {
  const plan = await planOf(recipe, sources)
  const fieldAt = (frame: number) => {
    const moment = plan.timeline.momentAt(frame)
    return { moment, field: frameOf(recipe, plan, moment, frame) }
  }
  return { ...plan, grounds: drawAll(recipe, plan, sources.signal), fieldAt }
}

async function drawAll(recipe: VideoRecipe, { stage, parts }: Plan, signal: AbortSignal | undefined) {
  const grounds: YuvPicture[] = []
  for (const { ground } of parts) {
    const pixels = await drawGround(recipe, stage, ground)
    signal?.throwIfAborted()
    grounds.push(toYuv(pixels.bytes, pixels, pixels.channels))
  }
  return grounds
}

/** The last picture of a video without the mark, as pixels. */
export async function drawLastPicture(recipe: VideoRecipe, sources: Sources): Promise<Pixels> {
  const unmarked = { ...recipe, mark: false }
  const plan = await planOf(unmarked, sources)
  const part = at(plan.parts.slice(-1), 0)
  const pixels = await drawGround(unmarked, plan.stage, part.ground)
  const frame = recipe.frames - 1
  const moment = plan.timeline.momentAt(frame)
  // The ground has its labels on the shelf, whatever the key picture of the video has.
  const waiting: Moment = { ...moment, key: { ...moment.key, labels: 'waiting' } }
  const { width, height } = recipe
  const bytes = composePixels(pixels, frameOf(unmarked, plan, waiting, frame), plan.stage.picture)
  return { width, height, channels: pixels.channels, bytes }
}

/** The first tile of a key picture, with its time code and labels. */
export function firstTile(
  { stage }: VideoScript,
  ground: YuvPicture,
  { key, fps }: { key: Key; fps: number },
): YuvPicture {
  const written = writtenAt(key.frame, fps, stage.code.form)
  return withSigns(ground, stage, { key, written })
}

/** Every frame as it is shown: what an ordinary encoder wants. */
export async function* wholePictures(
  script: VideoScript,
  { frames, fps }: VideoRecipe,
): AsyncGenerator<YuvPicture> {
  const { stage } = script
  const grounds = await script.grounds
  let kept: { number: number; picture: YuvPicture } | undefined
  for (let frame = 0; frame < frames; frame++) {
    const { field, moment } = script.fieldAt(frame)
    const { key, keyNumber } = moment
    if (kept?.number !== keyNumber) {
      const ground = groundAt(grounds, key.way)
      const below = rows(ground, stage.tileRows * 16, ground.height)
      kept = { number: keyNumber, picture: stacked(firstTile(script, ground, { key, fps }), below) }
    }
    yield composeYuv(kept.picture, field, stage.picture)
  }
}

interface Part {
  ground: Ground
  depths: readonly Depth[]
}

interface Plan {
  stage: Stage
  timeline: Timeline
  parts: readonly Part[]
}

async function planOf(recipe: VideoRecipe, sources: Sources): Promise<Plan> {
  const { firstFrame, lastFrame, seed } = recipe
  const open = (digest: Digest) => openGiven(digest, sources)
  const references = await Promise.all([...new Set(recipe.references)].map(open))
  const photos: Part[] = []
  for (const digest of new Set([firstFrame, lastFrame].filter(each => each !== undefined)))
    photos.push({ ground: { kind: 'photo', bytes: await open(digest), references }, depths: [photoDepth] })
  const timeline = timelineOf(recipe)
  if (firstFrame !== undefined) return { stage: stageOf(recipe, undefined), timeline, parts: photos }
  const words = sceneWords(recipe.caption.prompt, seed)
  const scene = drawScene({ words, seed, ...sceneOrderSize(recipe) })
  const stage = stageOf(recipe, scene)
  // What the caption is painted on stands still.
  const depths = scene.bands.map(({ top, depth }, i) => ({
    top: Math.floor(top / 16),
    depth: i === 0 && !stage.labels ? 0 : depth,
  }))
  return { stage, timeline, parts: [{ ground: { kind: 'scene', scene, references }, depths }, ...photos] }
}

/** A photograph ends at its edge: it moves less than the nearest things of a scene. */
const photoDepth: Depth = { top: 0, depth: 0.6 }

function frameOf(recipe: VideoRecipe, { stage, parts }: Plan, moment: Moment, frame: number): Field {
  // On the way from one ground to the other nothing sways.
  const { depths } = at(moment.key.way < 256 ? parts : parts.slice(-1), 0)
  return fieldAt(stage, moment, { frame, fps: recipe.fps, depths })
}

/** A ground, or a picture on the way from the first one to the last. */
export function groundAt(grounds: readonly YuvPicture[], way: number): YuvPicture {
  const [first, last] = [at(grounds, 0), at(grounds.slice(-1), 0)]
  if (way === 0 || way === 256) return way === 0 ? first : last
  return mix(first, last, way)
}
