import type { VideoRecipe } from '../recipe.ts'

/** A stretch of equal frames. */
export interface Step {
  firstFrame: number
  frames: number
  /** How far the video has come: 0 at the first step, 1 at the last. */
  progress: number
  /** How far it has gone from its first picture to its last, 0 to 256. */
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

/** When the picture changes and to what. `crossFades`: the video goes from one picture to another. */
export function storyboardOf(recipe: VideoRecipe, crossFades: boolean): Step[] {
  const every = framesAStep(recipe)
  const count = Math.ceil(recipe.frames / every)
  const stages = crossFades ? stagesOf(recipe) : 0
  const keyEvery = Math.max(1, Math.round((keySeconds * recipe.fps) / every))
  let wayBefore = 0
  return Array.from({ length: count }, (_, i) => {
    const progress = count === 1 ? 1 : i / (count - 1)
    const way = stages === 0 ? 0 : Math.round((Math.round(ease(progress) * stages) * 256) / stages)
    const key = i % keyEvery === 0 || way !== wayBefore
    wayBefore = way
    const firstFrame = i * every
    return { firstFrame, frames: Math.min(every, recipe.frames - firstFrame), progress, way, key }
  })
}

function framesAStep({ width, height, fps }: VideoRecipe): number {
  const row = changes.find(({ upToPixels }) => width * height <= upToPixels)
  return Math.max(1, Math.round(fps / (row?.aSecond ?? 4)))
}

/** How many pictures a cross-fade is made of: every one is coded in full, so large ones are fewer. */
function stagesOf({ width, height, frames, fps }: VideoRecipe): number {
  return Math.max(2, Math.round(Math.min((6 * frames) / fps, 48, 200_000_000 / (width * height))))
}

/** Stays a while at both ends and moves softly between them. */
function ease(progress: number): number {
  const middle = Math.min(1, Math.max(0, (progress - 0.1) / 0.8))
  return middle * middle * (3 - 2 * middle)
}
