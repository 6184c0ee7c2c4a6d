import type { VideoRecipe } from '../recipe.ts'
import { reachPx } from './coded-picture.ts'

/** A picture that later ones are copied from. */
export interface Key {
  frame: number
  /** Playing can start at a picture that is coded as a whole. Of the other keys only the upper part, with the labels, is coded. */
  coded: 'whole' | 'upper part'
  /** The frame of the last key that is coded as a whole (this one, or one before it), and the number of keys since then. */
  start: number
  sinceStart: number
  /** The mixture of the first ground (0) and the last (256). */
  way: number
  /** The opacity of the labels: 0 to 1. */
  labels: number
}

/** The key picture of a frame, and its movement. */
export interface Moment {
  key: Key
  /** The movement of the nearest things: 0 to 1, as a share of their reach. 0 in each key. */
  sway: number
}

export interface Timeline {
  /** In the order of their frames. */
  keys: readonly Key[]
  momentAt(frame: number): Moment
}

/** The distance of pictures that are coded as a whole, where players can start. The movement is 0 there, so that nothing jumps. */
const keySeconds = 2

/** The time for which a given picture is shown unchanged. Labels fade in half of it. */
const untouchedSeconds = 0.5

/** Steps in which labels fade. Each costs about a tenth of a key picture. */
const fadeSteps = 4

/** Between keys that are closer, a movement out and back would look like trembling. */
const shortestSwingSeconds = 0.4

/** When pictures change, sway and are labelled. A given first frame opens the video untouched, a given last frame closes it untouched. */
export function timelineOf(recipe: VideoRecipe): Timeline {
  const plan = planOf(recipe)
  const keys = keysOf(recipe, plan)
  return {
    keys,
    momentAt(frame) {
      const index = keys.findLastIndex(each => each.frame <= frame)
      const key = keys[index]
      if (!key || frame >= recipe.frames)
        throw new RangeError(`frame ${frame} of ${recipe.frames} has no key picture`)
      const to = keys[index + 1]?.frame ?? nextRegular(key.frame, recipe.fps)
      return { key, sway: swayAt(frame, { from: key.frame, to }, plan) }
    },
  }
}

/** Stretches of time, in seconds. */
interface Plan {
  opens: boolean
  closes: boolean
  untouched: number
  /** The time in which labels fade in or out. */
  fading: number
  length: number
  fps: number
  /** The part of the movement with an even speed: see `evenPart`. */
  even: number
  /** The change from the first picture to the last. */
  dissolve?: { from: number; to: number; steps: number }
}

function planOf({ firstFrame, lastFrame, frames, fps, width, height }: VideoRecipe): Plan {
  const length = frames / fps
  const [opens, closes] = [firstFrame !== undefined, lastFrame !== undefined]
  const untouched = Math.min(untouchedSeconds, length / 8)
  const even = evenPart({ width, fps })
  const plan = { opens, closes, length, fps, untouched, fading: untouched / 2, even }
  // The first picture is also the last one, as in an avatar.
  if (!closes || firstFrame === lastFrame) return plan
  const half = Math.min(0.6, length / 10)
  // Each step is a picture that is coded as a whole, so that large videos have fewer.
  const steps = Math.max(3, Math.round(Math.min(half * 2 * 10, half * 2 * (12_000_000 / (width * height)))))
  return { ...plan, dissolve: { from: length / 2 - half, to: length / 2 + half, steps } }
}

function keysOf({ frames, fps }: VideoRecipe, plan: Plan): Key[] {
  const regular = Array.from(
    { length: Math.ceil(frames / (keySeconds * fps)) },
    (_, i) => i * keySeconds * fps,
  )
  const last = frames - 1
  const steps = stepsOf(plan).map(seconds => Math.min(last, Math.round(seconds * fps)))
  // Rounded up, so that the labels are whole, or gone, after the last step.
  const fades = fadesOf(plan).map(seconds => Math.min(last, Math.ceil(seconds * fps - 1e-6)))
  const whole = new Set([...regular, ...steps])
  const all = [...new Set([...whole, ...fades])].sort((a, b) => a - b)
  const { dissolve } = plan
  let start = 0
  let sinceStart = 0
  return all.map(frame => {
    const coded = whole.has(frame) ? 'whole' : 'upper part'
    sinceStart = coded === 'whole' ? 0 : sinceStart + 1
    if (coded === 'whole') start = frame
    const step = steps.findLastIndex(each => each <= frame) + 1
    const way = dissolve ? Math.round(256 * smooth(step / dissolve.steps)) : 0
    return { frame, coded, start, sinceStart, way, labels: labelsAt(frame / fps, plan) }
  })
}

/** When the next picture on the way from the first to the last is shown. */
function stepsOf({ dissolve }: Plan): number[] {
  if (!dissolve) return []
  const { from, to, steps } = dissolve
  return Array.from({ length: steps }, (_, i) => from + ((i + 1) / steps) * (to - from))
}

/** When the labels fade by a step. */
function fadesOf({ opens, closes, untouched, fading, length }: Plan): number[] {
  const starts = [...(opens ? [untouched] : []), ...(closes ? [length - untouched - fading] : [])]
  return starts.flatMap(start =>
    Array.from({ length: fadeSteps }, (_, i) => start + ((i + 1) / fadeSteps) * fading),
  )
}

function nextRegular(frame: number, fps: number): number {
  const distance = keySeconds * fps
  return (Math.floor(frame / distance) + 1) * distance
}

/** A stretch between two keys, in frames. */
interface Stretch {
  from: number
  to: number
}

/** Moves out and back once between two keys, as fast everywhere. Untouched pictures, fading labels and changing pictures do not move. */
function swayAt(frame: number, { from, to }: Stretch, plan: Plan): number {
  const seconds = (to - from) / plan.fps
  if (isUntouched(from, plan) || seconds < shortestSwingSeconds) return 0
  return swing((frame - from) / (to - from), plan.even) * Math.min(1, seconds / keySeconds)
}

/** Whether a given picture is shown unchanged from this key on. */
function isUntouched(frame: number, { opens, closes, untouched, length, fps }: Plan): boolean {
  return (opens && frame === 0) || (closes && frame >= (length - untouched) * fps - 1e-6)
}

/** Out and back in a turn from 0 to 1: slow at both ends. `even` is the part of the movement that has the same speed everywhere. */
function swing(turn: number, even: number): number {
  const soft = (1 - Math.cos(turn * 2 * Math.PI)) / 2
  return even * (1 - Math.abs(1 - 2 * turn)) + (1 - even) * soft
}

/** The even part with which the nearest things move by a pixel in every frame, also where the movement turns. */
function evenPart({ width, fps }: Pick<VideoRecipe, 'width' | 'fps'>): number {
  const pixelsPerFrame = (2 * reachPx(width)) / (keySeconds * fps)
  return Math.min(1, Math.max(0.25, 1.2 / pixelsPerFrame))
}

/** Labels are there from the start of a drawn scene. They fade in after a given first picture and fade out before a given last one. */
function labelsAt(seconds: number, { opens, closes, untouched, fading, length }: Plan): number {
  const come = opens ? (seconds - untouched) / fading : 1
  const go = closes ? (length - untouched - seconds) / fading : 1
  const part = Math.max(0, Math.min(1, come, go))
  // Rounding must leave labels neither nearly whole nor nearly gone.
  return smooth(Math.round(part * 1e6) / 1e6)
}

/** Starts and ends slowly. */
function smooth(progress: number): number {
  return progress * progress * (3 - 2 * progress)
}
