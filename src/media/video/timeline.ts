import type { VideoRecipe } from '../render/recipe.ts'
import { reachPx } from './coded-picture.ts'
import { mixParts } from './yuv.ts'

/** A picture that other frames are copied from. Nothing in it has moved. */
export interface Key {
  frame: number
  /**
   * Playing can begin at a `start`. The other keys replace the key before them little by little, so that frames before them are
   * mixed from both: a `whole` one shows another ground, and of an `upper part` only the labels come or go.
   */
  coded: 'start' | 'whole' | 'upper part'
  /** The frame of the last start (this one, or one before it), and the number of keys since then. */
  start: number
  sinceStart: number
  ground: 'first' | 'last'
  labels: 'shown' | 'hidden'
}

/** What a frame is made of. */
export interface Moment {
  key: Key
  /** The key that is replacing it, and how many of the 128 parts it has (1 to 127). */
  next?: { key: Key; parts: number }
  /** The movement of the nearest things: 0 to 1, as a share of their reach. 0 in each key. */
  sway: number
}

export interface Timeline {
  /** In the order of their frames. */
  keys: readonly Key[]
  momentAt(frame: number): Moment
}

/** The time after a given first picture, and before a given last one, without labels. They fade in half of it. */
const unlabelledSeconds = 0.5

/** When pictures change, sway and are labelled. The first frame is exactly a given first picture, and the last frame a given last one. */
export function timelineOf(recipe: VideoRecipe): Timeline {
  const schedule = scheduleOf(recipe)
  const turns = turnsOf(schedule)
  const keys = keysOf(turns, schedule)
  return {
    keys,
    momentAt(frame) {
      const index = keys.findLastIndex(each => each.frame <= frame)
      const key = keys[index]
      if (!key || frame >= recipe.frames)
        throw new RangeError(`frame ${frame} of ${recipe.frames} has no key picture`)
      const to = turns[index + 1]
      const sway = to === undefined ? 0 : swayAt(frame, { from: key.frame, to }, schedule)
      const following = keys[index + 1]
      const parts = following ? replacedAt(frame / schedule.fps, { key, following }, schedule) : 0
      if (!following || parts === 0) return { key, sway }
      return parts === mixParts ? { key: following, sway } : { key, next: { key: following, parts }, sway }
    },
  }
}

function keysOf(turns: readonly number[], schedule: Schedule): Key[] {
  const { frames, opens, closes, dissolve } = schedule
  const keys: Key[] = []
  for (const frame of turns.filter(each => each < frames)) {
    const before = keys.at(-1)
    const isUntouched = (opens && frame === 0) || (closes && frame === frames - 1)
    const look = {
      ground: dissolve && frame >= dissolve.to ? 'last' : 'first',
      labels: isUntouched ? 'hidden' : 'shown',
    } as const
    const coded = codedAs(look, before)
    const isStart = !before || coded === 'start'
    const order = isStart
      ? { start: frame, sinceStart: 0 }
      : { start: before.start, sinceStart: before.sinceStart + 1 }
    keys.push({ frame, coded, ...order, ...look })
  }
  return keys
}

function codedAs({ ground, labels }: Pick<Key, 'ground' | 'labels'>, before: Key | undefined): Key['coded'] {
  if (before && ground !== before.ground) return 'whole'
  return before && labels !== before.labels ? 'upper part' : 'start'
}

/** How many of the parts of a picture are from the following key. */
function replacedAt(seconds: number, keys: { key: Key; following: Key }, schedule: Schedule): number {
  const stretch = changeOf(keys, schedule)
  if (!stretch) return 0
  const { from, to } = stretch
  // A change that ends in this frame must not be rounded to nearly its end.
  const done = Math.round(((seconds - from) / (to - from)) * 1e6) / 1e6
  return Math.round(mixParts * smooth(Math.max(0, Math.min(1, done))))
}

/** The seconds in which a key replaces another one. */
function changeOf({ key, following }: { key: Key; following: Key }, schedule: Schedule): Stretch | undefined {
  const { frames, fps, dissolve } = schedule
  if (following.coded === 'start') return undefined
  if (dissolve && following.coded === 'whole') return { from: dissolve.from / fps, to: dissolve.to / fps }
  const length = frames / fps
  const unlabelled = Math.min(unlabelledSeconds, length / 8)
  const fading = unlabelled / 2
  return key.labels === 'hidden'
    ? { from: unlabelled, to: unlabelled + fading }
    : { from: length - unlabelled - fading, to: length - unlabelled }
}

/** Starts and ends slowly. */
function smooth(progress: number): number {
  return progress * progress * (3 - 2 * progress)
}

/** How long a swing of the nearest things takes, out and back, in seconds. A shorter swing keeps the speed and reaches less far. */
export const swingSeconds = 2

/** The part of its reach by which a photograph moves. It is wide enough for a pixel in every frame where the picture is narrow. */
export function photoDepth({ width, fps }: { width: number; fps: number }): number {
  return Math.min(1, Math.max(0.6, 1.2 / pixelsPerFrame({ width, fps, depth: 1 })))
}

/** What moves: `depth` is the part of the reach by which the nearest things move. */
export interface Moving {
  width: number
  fps: number
  depth: number
}

/** A movement out and back between two frames, from 0 to at most 1 and back to 0. */
function swayAt(frame: number, { from, to }: Stretch, moving: Moving): number {
  const even = evenPart(moving)
  const done = (frame - from) / (to - from)
  const soft = (1 - Math.cos(done * 2 * Math.PI)) / 2
  const out = even * (1 - Math.abs(1 - 2 * done)) + (1 - even) * soft
  return out * Math.min(1, (to - from) / moving.fps / swingSeconds)
}

/** The part of the movement with the same speed everywhere: enough for a pixel in every frame, also where the movement turns. */
function evenPart(moving: Moving): number {
  return Math.min(1, Math.max(0.25, 1.2 / pixelsPerFrame(moving)))
}

function pixelsPerFrame({ width, fps, depth }: Moving): number {
  return (2 * reachPx(width) * depth) / (swingSeconds * fps)
}

/** The longest change from one picture to another. In a short video it takes a third of the time. */
const dissolveSeconds = 1.2

/** What decides when a video moves and changes. */
interface Schedule extends Moving {
  frames: number
  /** The first frame is a given picture. */
  opens: boolean
  /** The last frame has no labels, because it is a given picture or because another video may begin with it. */
  closes: boolean
  /** The change from the first picture to the last, in frames. */
  dissolve?: Stretch
}

/** A stretch of time, in frames or in seconds. */
interface Stretch {
  from: number
  to: number
}

/** The schedule of a video: its change from one picture to another is in the middle. */
export function scheduleOf(recipe: VideoRecipe): Schedule {
  const { firstFrame, lastFrame, frames, fps, width } = recipe
  const opens = firstFrame !== undefined
  const closes = lastFrame !== undefined || recipe.clearEnd === true
  const depth = opens || lastFrame !== undefined ? photoDepth({ width, fps }) : 1
  const schedule = { frames, fps, width, opens, closes, depth }
  // The first picture is also the last one, as in an avatar.
  if (lastFrame === undefined || firstFrame === lastFrame) return schedule
  const last = frames - 1
  const length = Math.min(dissolveSeconds * fps, last / 3)
  const from = Math.round((last - length) / 2)
  return { ...schedule, dissolve: { from, to: Math.round(from + length) } }
}

/** The frames between which everything moves out and back once. Those within the video are keys. */
function turnsOf({ frames, fps, opens, closes, dissolve }: Schedule): number[] {
  const longest = swingSeconds * fps
  const ends = Math.ceil(frames / longest) * longest
  if (!opens && !closes) return divided({ from: 0, to: ends }, ends / longest)
  // Where nothing has to rest in the last frame, the movement ends with the video.
  const end = closes ? frames - 1 : frames
  const anchors = dissolve ? [0, dissolve.from, dissolve.to, end] : [0, end]
  const turns = anchors.slice(1).flatMap((to, i) => {
    const stretch = { from: anchors[i] ?? 0, to }
    // A little more than `longest` is allowed, so that one frame more does not halve the stretches.
    const count = Math.ceil((to - stretch.from) / longest - 0.05)
    // Labels that come before the first turn may not go before the second one.
    return divided(stretch, Math.max(count, dissolve ? 1 : 2))
  })
  return [...new Set(turns)]
}

/** The ends of equal parts of a stretch, and its beginning. */
function divided({ from, to }: Stretch, parts: number): number[] {
  return Array.from({ length: parts + 1 }, (_, i) => from + Math.round((i * (to - from)) / parts))
}
