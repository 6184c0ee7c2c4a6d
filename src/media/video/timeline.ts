import type { VideoRecipe } from '../recipe.ts'
import { mixParts } from './mix.ts'
import { type Schedule, type Stretch, scheduleOf, turnsOf } from './schedule.ts'
import { swing } from './swing.ts'

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

function swayAt(frame: number, { from, to }: Stretch, { fps, width, depth }: Schedule): number {
  return swing((frame - from) / (to - from), (to - from) / fps, { width, fps, depth })
}

/** Starts and ends slowly. */
function smooth(progress: number): number {
  return progress * progress * (3 - 2 * progress)
}
