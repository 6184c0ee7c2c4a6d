import type { runFfmpeg } from '../ffmpeg.ts'
import { writeWhole } from '../kept-files.ts'
import { type Pixels, paste } from '../pixels.ts'
import { shrinkPixels } from '../posters.ts'
import type { Digest, VideoRecipe } from '../recipe.ts'
import { drawScene, sceneWords } from '../scenes/scene.ts'
import type { Tool } from '../tools.ts'
import { composePixels, composeYuv } from './compose.ts'
import type { Field } from './field.ts'
import { editedPicture, openGiven } from './given.ts'
import { addLabels, type DrawnGround, drawGround, type Ground } from './ground.ts'
import { type Stage, sceneOrderSize, stageOf } from './stage.ts'
import { type Depth, type FieldOf, fieldsOf, labelPieces, signPieces, type Writing } from './stage-field.ts'
import { type Key, photoDepth, type Timeline, timelineOf } from './timeline.ts'
import { copyPiece, mix, planesOf, toYuv, type YuvPicture } from './yuv.ts'

/** What a rendering needs besides its recipe. */
export interface Sources {
  /** The bytes of a kept file, such as a picture or a sound from the request; undefined when they are not there. */
  kept(digest: Digest): Promise<Buffer | undefined>
  /** An ffmpeg that was found already; without it, one is looked for at `ffmpegPath` or where `findFfmpeg` looks. */
  ffmpeg?: Tool
  ffmpegPath?: string
  /** Runs ffmpeg for the pictures of a video in place of runFfmpeg. */
  run?: typeof runFfmpeg
  /** The path of a small picture that is made along with a video. */
  poster?: string
  signal?: AbortSignal
}

/** The content of a video, ready to be coded. */
export interface VideoScript {
  stage: Stage
  timeline: Timeline
  /** The coded pictures that it starts with and ends with; often only one. They are still being drawn. */
  grounds: Promise<readonly DrawnGround<YuvPicture>[]>
  /** Resolves when the poster is written, if one is wanted. */
  poster: Promise<void>
  writingAt(frame: number): Writing
  compositionAt(frame: number): Composition
}

/** A key picture, and where each piece of a frame lies in it. */
export interface Copied {
  key: Key
  field: Field
}

/** What a frame is made of: pieces of one key picture. While `next` replaces that picture, pieces of both are mixed; `parts` of 128 come from `next`. */
interface Composition extends Copied {
  next?: Copied & { parts: number }
}

/** Lays out a video and begins to draw its pictures. `levels` is the loudness in each frame, from 0 to 1, for a level bar. */
export async function writeScript(
  recipe: VideoRecipe,
  sources: Sources,
  levels: Promise<readonly number[]>,
): Promise<VideoScript> {
  const [plan, known] = await Promise.all([planOf(recipe, sources), levels])
  const writingAt = (frame: number) => ({ frame, fps: recipe.fps, level: known[frame] ?? 0 })
  const compositionAt = (frame: number) => compositionOf(plan, writingAt(frame))
  let begin: () => void = () => undefined
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  const drawn = drawAll(recipe, plan, { ...sources, first: writingAt(0), begun: begin })
  // Other threads draw. They begin before this one is kept busy by the frames and by the start of ffmpeg.
  await Promise.race([begun, drawn.catch(() => undefined)])
  const grounds = drawn.then(({ grounds }) => grounds)
  const poster = drawn.then(({ poster }) => poster)
  return { ...plan, grounds, poster, writingAt, compositionAt }
}

/** Draws the grounds. The poster is written from the first one while the others are drawn. */
async function drawAll(
  recipe: VideoRecipe,
  plan: Plan,
  { signal, poster, first, begun }: Sources & { first: Writing; begun: () => void },
) {
  const grounds: DrawnGround<YuvPicture>[] = []
  let written: Promise<void> | undefined
  for (const { ground } of plan.parts) {
    const drawn = await drawGround(recipe, plan.stage, { ground, begun })
    signal?.throwIfAborted()
    if (poster && !written) {
      const picture = firstPicture(plan, drawn, first)
      written = shrinkPixels(picture, plan.stage.picture).then(bytes => writeWhole(poster, bytes))
      // When a later ground fails, this promise has no reader.
      written.catch(() => undefined)
    }
    grounds.push({ picture: toYuv(drawn.picture), ...(drawn.labels && { labels: toYuv(drawn.labels) }) })
  }
  return { grounds, poster: written }
}

/** The last picture of a video without the mark, as pixels. It is not a mixture. A level bar in it is empty. */
export async function drawLastPicture(recipe: VideoRecipe, sources: Sources): Promise<Pixels> {
  const unmarked = { ...recipe, mark: false }
  const plan = await planOf(unmarked, sources)
  const drawn = await drawGround(unmarked, plan.stage, { ground: lastOf(plan.parts).ground })
  const { key, field } = compositionOf(plan, { frame: recipe.frames - 1, fps: recipe.fps, level: 0 })
  const coded = withLabels(drawn, key, plan.stage)
  const { width, height } = recipe
  return { ...coded, width, height, bytes: composePixels(coded, field, plan.stage.picture) }
}

/** The first key picture, in which nothing has moved. Its signs stay in the ground, since every other key with labels covers them. */
function firstPicture({ stage, timeline }: Plan, drawn: DrawnGround<Pixels>, writing: Writing): Pixels {
  const key = firstOf(timeline.keys)
  const picture = withLabels(drawn, key, stage)
  for (const place of signPieces(stage, key, writing)) paste(picture, picture, place)
  return picture
}

/** The coded picture of a key, without signs. Labels that come and go are put into a copy. */
function withLabels({ picture, labels }: DrawnGround<Pixels>, key: Key, stage: Stage): Pixels {
  if (!labels || key.labels === 'hidden') return picture
  const copy = { ...picture, bytes: new Uint8Array(picture.bytes) }
  addLabels(copy, labels, stage)
  return copy
}

/** Every frame as it is shown, for an ordinary encoder. */
export async function* wholePictures(
  script: VideoScript,
  { frames }: VideoRecipe,
): AsyncGenerator<YuvPicture> {
  const { stage } = script
  const grounds = await script.grounds
  const drawn = new Map<Key, YuvPicture>()
  const pictureOf = (key: Key): YuvPicture => {
    const ground = groundOf(grounds, key)
    const { height } = ground.picture
    return keyPicture(ground, stage, { key, writing: script.writingAt(key.frame), height })
  }
  const composed = ({ key, field }: Copied): YuvPicture => {
    const picture = drawn.get(key) ?? pictureOf(key)
    drawn.set(key, picture)
    return composeYuv(picture, field, stage.picture)
  }
  for (let frame = 0; frame < frames; frame++) {
    const { next, ...copied } = script.compositionAt(frame)
    for (const key of drawn.keys()) if (key.frame < copied.key.frame) drawn.delete(key)
    yield next ? mix(composed(copied), composed(next), next.parts) : composed(copied)
  }
}

interface Part {
  ground: Ground
  depths: readonly Depth[]
}

interface Plan {
  stage: Stage
  fieldOf: FieldOf
  timeline: Timeline
  parts: readonly Part[]
}

async function planOf(recipe: VideoRecipe, sources: Sources): Promise<Plan> {
  const { firstFrame, lastFrame, seed } = recipe
  const open = (digest: Digest) => openGiven(digest, sources)
  const shownAs = (bytes: Buffer) => (recipe.edited ? editedPicture(bytes, recipe) : bytes)
  const references = await Promise.all([...new Set(recipe.references)].map(open))
  const photos: Part[] = []
  for (const digest of new Set([firstFrame, lastFrame].filter(each => each !== undefined)))
    photos.push({
      ground: { kind: 'photo', bytes: await shownAs(await open(digest)), references },
      depths: [{ top: 0, depth: photoDepth(recipe) }],
    })
  const timeline = timelineOf(recipe)
  if (firstFrame !== undefined) return { ...laidOut(stageOf(recipe)), timeline, parts: photos }
  const words = sceneWords(recipe.prompt, seed)
  const scene = drawScene({ words, seed, ...sceneOrderSize(recipe) })
  const stage = stageOf(recipe)
  const depths = scene.bands.map(({ top, depth }) => ({ top: Math.floor(top / 16), depth }))
  const first: Part = { ground: { kind: 'scene', scene, references }, depths }
  return { ...laidOut(stage), timeline, parts: [first, ...photos] }
}

function laidOut(stage: Stage): Pick<Plan, 'stage' | 'fieldOf'> {
  return { stage, fieldOf: fieldsOf(stage) }
}

function compositionOf({ timeline, fieldOf, parts }: Plan, writing: Writing): Composition {
  const { key, next, sway } = timeline.momentAt(writing.frame)
  const copiedFrom = (key: Key): Copied => ({
    key,
    field: fieldOf({ ...writing, key, sway, depths: groundOf(parts, key).depths }),
  })
  return next ? { ...copiedFrom(key), next: { ...copiedFrom(next.key), parts: next.parts } } : copiedFrom(key)
}

/** `items` holds one entry for each ground, in order. Gives the entry for this ground. */
export function groundOf<T>(items: readonly T[], { ground }: Pick<Key, 'ground'>): T {
  return ground === 'first' ? firstOf(items) : lastOf(items)
}

function firstOf<T>(items: readonly T[]): T {
  const [first] = items
  if (first === undefined) throw new Error('a video without a ground cannot be drawn')
  return first
}

function lastOf<T>(items: readonly T[]): T {
  return firstOf(items.slice(-1))
}

/** Draws the upper pixel rows of a key picture: the ground, and labels, time code and level bar if they are seen. */
export function keyPicture(
  { picture: ground, labels }: DrawnGround<YuvPicture>,
  stage: Stage,
  { key, writing, height }: { key: Key; writing: Writing; height: number },
): YuvPicture {
  const bytes = Buffer.concat(planesOf(ground, 0, height))
  const picture = { width: ground.width, height, bytes }
  if (labels && key.labels === 'shown')
    for (const { piece, at } of labelPieces(stage)) copyPiece(labels, piece, picture, at)
  for (const { piece, at } of signPieces(stage, key, writing)) copyPiece(ground, piece, picture, at)
  return picture
}
