import { paper } from '../drawing/colour.ts'
import { svg } from '../drawing/svg.ts'
import { writeWhole } from '../files/kept-files.ts'
import { editLookOf, editWords, readRemoval } from '../images/edit-look.ts'
import { weatherSvg } from '../images/weather.ts'
import type { runFfmpeg } from '../render/ffmpeg.ts'
import { loadSharp, type Pixels, paste, pictureOf, pixelsOf, shrinkPixels } from '../render/pixels.ts'
import type { Digest, VideoRecipe } from '../render/recipe.ts'
import type { Tool } from '../render/tools.ts'
import { drawScene, sceneWords } from '../scenes/scene.ts'
import type { CodedPicture } from './coded-picture.ts'
import type { Field } from './field.ts'
import { addLabels, type DrawnGround, drawGround, type Ground } from './ground.ts'
import { type Stage, sceneOrderSize, stageOf } from './stage.ts'
import { type Depth, type FieldOf, fieldsOf, labelPieces, signPieces, type Writing } from './stage-field.ts'
import { type Key, photoDepth, type Timeline, timelineOf } from './timeline.ts'
import { copyPiece, mix, planesOf, rowsOf, toYuv, type YuvPicture } from './yuv.ts'

/** What a rendering needs besides its recipe. */
export interface Sources {
  /** The bytes of a kept file, such as a picture or a sound from the request; undefined when they are not there. */
  kept(digest: Digest): Promise<Buffer | undefined>
  /** An ffmpeg that was found already; without it, `findFfmpeg` looks for one. */
  ffmpeg?: Tool | undefined
  /** Runs ffmpeg for the pictures of a video in place of runFfmpeg. */
  run?: typeof runFfmpeg | undefined
  /** The path of a small picture that is made along with a video. */
  poster?: string | undefined
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
  return composePixels(withLabels(drawn, key, plan.stage), field, plan.stage.picture)
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
  const stage = stageOf(recipe)
  const plan = { stage, fieldOf: fieldsOf(stage), timeline: timelineOf(recipe) }
  if (firstFrame !== undefined) return { ...plan, parts: photos }
  const words = sceneWords(recipe.prompt, seed)
  const scene = drawScene({ words, seed, ...sceneOrderSize(recipe) })
  const depths = scene.bands.map(({ top, depth }) => ({ top: Math.floor(top / 16), depth }))
  const first: Part = { ground: { kind: 'scene', scene, references }, depths }
  return { ...plan, parts: [first, ...photos] }
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
  const bytes = Buffer.concat(rowsOf(ground, 0, height))
  const picture = { width: ground.width, height, bytes }
  if (labels && key.labels === 'shown')
    for (const { piece, at } of labelPieces(stage)) copyPiece(labels, piece, picture, at)
  for (const { piece, at } of signPieces(stage, key, writing)) copyPiece(ground, piece, picture, at)
  return picture
}

/** A given picture that can be drawn. Files that cannot be read here (BMP, HEIC, broken ones) are replaced by scenes, each by its own. */
async function openGiven(digest: Digest, sources: Sources): Promise<Buffer> {
  const bytes = await sources.kept(digest)
  if (bytes && (await isDrawable(bytes))) return bytes
  const seed = Number.parseInt(digest.slice(0, 8), 16) || 0
  const { svg } = drawScene({ words: sceneWords('', seed), seed, width: 640, height: 480, margin: 0 })
  const sharp = await loadSharp()
  return await sharp(Buffer.from(svg)).png().toBuffer()
}

async function isDrawable(bytes: Buffer): Promise<boolean> {
  const sharp = await loadSharp()
  try {
    await sharp(bytes).resize(8, 8).raw().toBuffer()
    return true
  } catch {
    // The library cannot read the file. A scene replaces it.
    return false
  }
}

/**
 * A picture of an edited video with the time of day, the season, the style and the rain that the prompt names. A prompt that names none of
 * them leaves it as it is: the video begins and ends like its source. Colours are left out, since they are mostly those of one thing.
 */
async function editedPicture(picture: Buffer, { prompt, seed, width, height }: VideoRecipe): Promise<Buffer> {
  const { colour: _, ...words } = editWords(readRemoval(prompt).rest)
  if (Object.keys(words).length === 0) return picture
  const sharp = await loadSharp()
  const fitted = sharp(picture)
    .rotate()
    .resize(width, height, { fit: 'cover' })
    .flatten({ background: paper })
  const changed = await pixelsOf(editLookOf(words, seed)(fitted))
  const air = svg({ width, height }, weatherSvg(words, { left: 0, top: 0, width, height }, seed))
  return await (await pictureOf(changed))
    .composite([{ input: Buffer.from(air) }])
    .png({ compressionLevel: 1 })
    .toBuffer()
}

/** Copies the pieces of a coded picture as the field says, like a decoder, and returns the part that is shown. */
export function composeYuv(coded: YuvPicture, field: Field, { width, height }: CodedPicture): YuvPicture {
  const shown = { width, height, bytes: new Uint8Array((width * height * 3) / 2) }
  const planes = planesOf(shown)
  for (const [i, plane] of planesOf(coded).entries()) copyPlane(plane, planes[i] as Pixels, field)
  return shown
}

/** The same for pixels. */
function composePixels(coded: Pixels, field: Field, { width, height }: CodedPicture): Pixels {
  const shown = { ...coded, width, height, bytes: Buffer.alloc(width * height * coded.channels) }
  copyPlane(coded, shown, field)
  return shown
}

/** A plane may have fewer columns and rows than the picture. */
function copyPlane(from: Pixels, to: Pixels, field: Field): void {
  const side = from.height / field.reduce((sum, { count }) => sum + count, 0)
  if (side !== 16 && side !== 8)
    throw new RangeError(`a field does not fit the ${from.height} rows of a picture`)
  let line = 0
  for (const { count, runs } of field)
    for (const end = line + count * side; line < end; line++)
      if (line < to.height) copyLine(from, to, { line, runs, side })
}

interface Line {
  line: number
  runs: Field[number]['runs']
  /** The columns and rows of the plane for 16 of the picture. */
  side: number
}

function copyLine(from: Pixels, to: Pixels, { line, runs, side }: Line): void {
  const { channels } = from
  let column = 0
  for (const { columns, dx, dy } of runs) {
    const [start, end] = [column, Math.min(column + columns * side, to.width)]
    column += columns * side
    if (end <= start) continue
    const across = (dx * side) / 16
    const source = ((line + (dy * side) / 16) * from.width + start + Math.floor(across)) * channels
    const target = (line * to.width + start) * channels
    const length = (end - start) * channels
    if (Number.isInteger(across)) to.bytes.set(from.bytes.subarray(source, source + length), target)
    else
      for (let i = 0; i < length; i++)
        to.bytes[target + i] =
          ((from.bytes[source + i] as number) + (from.bytes[source + i + 1] as number) + 1) >> 1
  }
}
