import type { VideoRecipe } from '../recipe.ts'
import { photoDepth, swingSeconds } from './swing.ts'

/** The longest change from one picture to another. In a short video it takes a third of the time. */
const dissolveSeconds = 1.2

/** What decides when a video moves and changes. */
export interface Schedule {
  frames: number
  fps: number
  width: number
  /** The first frame is a given picture. */
  opens: boolean
  /** The last frame has no labels, because it is a given picture or because another video may begin with it. */
  closes: boolean
  /** The part of the reach by which the nearest things move. */
  depth: number
  /** The change from the first picture to the last, in frames. */
  dissolve?: Stretch
}

/** A stretch of time, in frames or in seconds. */
export interface Stretch {
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
export function turnsOf({ frames, fps, opens, closes, dissolve }: Schedule): number[] {
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
