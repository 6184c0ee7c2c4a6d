import type { VideoRecipe } from '../recipe.ts'

/** A picture that is coded in full: playing can start here. */
export interface Key {
  frame: number
  /** How far the video has come from its first ground (0) to its last (256). */
  way: number
  /** The labels are in the picture; else they wait on the shelf. */
  labels: 'shown' | 'waiting'
}

/** What a frame shows, apart from its key picture. */
export interface Moment {
  key: Key
  keyNumber: number
  /** How far the nearest things have moved: 0 to 1, of what they reach. */
  sway: number
  /** How much of the labels is in the picture: 0 to 1. */
  labels: number
}

export interface Timeline {
  keys: readonly Key[]
  momentAt(frame: number): Moment
}

/** Players find a place to start at least this often. The sway is in the middle then, so that nothing jumps. */
const keySeconds = 2

/** For so long a given picture is shown as it was given, and so long the labels take to come and go. */
const untouchedSeconds = 0.5

/** When pictures change, sway and are labelled. A given first frame opens the video untouched, a given last frame closes it untouched. */
export function timelineOf(recipe: VideoRecipe): Timeline {
  const plan = planOf(recipe)
  const keys = keysOf(recipe, plan)
  const numbers = numbersOf(keys, recipe.frames)
  return {
    keys,
    momentAt(frame) {
      const keyNumber = numbers[frame] ?? 0
      const key = keys[keyNumber]
      if (!key) throw new RangeError(`frame ${frame} of ${recipe.frames} has no key picture`)
      const seconds = frame / recipe.fps
      return { key, keyNumber, sway: swayAt(seconds, plan), labels: labelsAt(frame, recipe, plan) }
    },
  }
}

/** Stretches of time, in seconds. */
interface Plan {
  opens: boolean
  closes: boolean
  untouched: number
  length: number
  /** From the first picture to the last. */
  dissolve?: { from: number; to: number; steps: number }
}

function planOf({ firstFrame, lastFrame, frames, fps, width, height }: VideoRecipe): Plan {
  const length = frames / fps
  const [opens, closes] = [firstFrame !== undefined, lastFrame !== undefined]
  const plan = { opens, closes, length, untouched: Math.min(untouchedSeconds, length / 8) }
  // A picture needs no way to itself, as in an avatar.
  if (!closes || firstFrame === lastFrame) return plan
  const half = Math.min(0.6, length / 8)
  // Each step is a picture coded in full: of large ones there are fewer.
  const steps = Math.max(3, Math.round(Math.min(half * 2 * 10, half * 2 * (12_000_000 / (width * height)))))
  return { ...plan, dissolve: { from: length / 2 - half, to: length / 2 + half, steps } }
}

function keysOf({ frames, fps }: VideoRecipe, plan: Plan): Key[] {
  const regular = Array.from(
    { length: Math.ceil(frames / (keySeconds * fps)) },
    (_, i) => i * keySeconds * fps,
  )
  const { dissolve } = plan
  const stages = dissolve
    ? Array.from({ length: dissolve.steps }, (_, i) =>
        Math.min(
          frames - 1,
          Math.round((dissolve.from + ((i + 1) / dissolve.steps) * (dissolve.to - dissolve.from)) * fps),
        ),
      )
    : []
  const sorted = [...new Set([...regular, ...stages])].sort((a, b) => a - b)
  return sorted.map(frame => {
    const stage = stages.findLastIndex(each => each <= frame) + 1
    const way = dissolve ? Math.round(256 * smooth(stage / dissolve.steps)) : 0
    return { frame, way, labels: labelsAt(frame, { fps }, plan) === 1 ? 'shown' : 'waiting' }
  })
}

function numbersOf(keys: readonly Key[], frames: number): number[] {
  let number = -1
  return Array.from({ length: frames }, (_, frame) => (keys[number + 1]?.frame === frame ? ++number : number))
}

/** To and fro once between two key pictures. It comes to rest around given pictures and while one picture becomes another. */
function swayAt(seconds: number, { opens, closes, untouched, length, dissolve }: Plan): number {
  const rests = [
    ...(opens ? [{ from: Number.NEGATIVE_INFINITY, to: untouched }] : []),
    ...(dissolve ? [dissolve] : []),
    ...(closes ? [{ from: length - untouched, to: Number.POSITIVE_INFINITY }] : []),
  ]
  const away = rests.map(({ from, to }) => Math.max(from - seconds, seconds - to, 0))
  const calm = Math.min(...away.map(distance => smooth(Math.min(1, distance / 0.8))), 1)
  return ((1 - Math.cos((seconds * 2 * Math.PI) / keySeconds)) / 2) * calm
}

/** Labels are there from the start of a drawn scene. They come after an untouched first picture and go before an untouched last one. */
function labelsAt(frame: number, { fps }: Pick<VideoRecipe, 'fps'>, plan: Plan): number {
  const { opens, closes, untouched, length } = plan
  const seconds = frame / fps
  const come = opens ? (seconds - untouched) / untouched : 1
  const leaving = length - untouched
  // They leave after a key picture rather than during it.
  const start = Math.max(leaving - untouched, lastKeyBefore(leaving, leaving - untouched))
  const go = closes ? (leaving - seconds) / (leaving - start) : 1
  return smooth(Math.max(0, Math.min(1, come, go)))
}

function lastKeyBefore(leaving: number, earliest: number): number {
  const key = Math.floor(leaving / keySeconds - 1e-9) * keySeconds
  return key > earliest ? key : earliest
}

/** Sets out softly and arrives softly. */
function smooth(progress: number): number {
  return progress * progress * (3 - 2 * progress)
}
