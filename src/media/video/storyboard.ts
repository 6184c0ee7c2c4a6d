import type { VideoRecipe } from '../recipe.ts'

/** A stretch of equal frames. */
export interface Step {
  firstFrame: number
  frames: number
  /** How far the video has come: 0 at the first step, 1 at the last. */
  progress: number
  /** How far it has gone through its pictures: 256 from each to the next. */
  way: number
  /** Playing can start here. */
  key: boolean
}

/** Players find a place to start at least this often. */
const keySeconds = 2

/** Large pictures change less often: four to eight times a second. */
const changes = [
  { upToPixels: 2_300_000, aSecond: 8 },
  { upToPixels: Number.POSITIVE_INFINITY, aSecond: 4 },
] as const

/** One place on the way of a video through its pictures: from `seconds` on it goes towards the next stop. */
export interface Stop {
  /** Number of the picture. */
  picture: number
  seconds: number
}

/** When the picture changes and to what. The stops are in order of time, the first at 0. */
export function storyboardOf(recipe: VideoRecipe, stops: readonly Stop[]): Step[] {
  const every = framesAStep(recipe)
  const count = Math.ceil(recipe.frames / every)
  const keyEvery = Math.max(1, Math.round((keySeconds * recipe.fps) / every))
  const stages = stagesOf(recipe)
  let wayBefore = 0
  return Array.from({ length: count }, (_, i) => {
    const progress = count === 1 ? 1 : i / (count - 1)
    const isLast = i === count - 1
    const way = wayAt(stops, isLast ? Number.POSITIVE_INFINITY : (i * every) / recipe.fps, stages)
    const key = i % keyEvery === 0 || way !== wayBefore
    wayBefore = way
    const firstFrame = i * every
    return { firstFrame, frames: Math.min(every, recipe.frames - firstFrame), progress, way, key }
  })
}

/** How far the video has gone, in 256ths of the way from one picture to the next. */
function wayAt(stops: readonly Stop[], seconds: number, stages: number): number {
  const last = stops.findLastIndex(stop => stop.seconds <= seconds)
  const [from, to] = [stops[last], stops[last + 1]]
  if (!from) return 0
  if (!to || to.picture === from.picture) return from.picture * 256
  const way = ease((seconds - from.seconds) / (to.seconds - from.seconds))
  return from.picture * 256 + Math.round((Math.round(way * stages) * 256) / stages)
}

function framesAStep({ width, height, fps }: VideoRecipe): number {
  const row = changes.find(({ upToPixels }) => width * height <= upToPixels)
  return Math.max(1, Math.round(fps / (row?.aSecond ?? 4)))
}

/** How many pictures a cross-fade is made of: every one is coded in full, so large ones are fewer. */
function stagesOf({ width, height, frames, fps }: VideoRecipe): number {
  return Math.max(2, Math.round(Math.min((6 * frames) / fps, 48, 200_000_000 / (width * height))))
}

/** Sets out softly and arrives softly. */
function ease(progress: number): number {
  return progress * progress * (3 - 2 * progress)
}
