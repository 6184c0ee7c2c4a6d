import { reachPx } from './coded-picture.ts'

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

/** A movement out and back, from 0 to at most 1 and back to 0. `done` is the part of the time that has passed. */
export function swing(done: number, seconds: number, moving: Moving): number {
  const even = evenPart(moving)
  const soft = (1 - Math.cos(done * 2 * Math.PI)) / 2
  const out = even * (1 - Math.abs(1 - 2 * done)) + (1 - even) * soft
  return out * Math.min(1, seconds / swingSeconds)
}

/** The part of the movement with the same speed everywhere: enough for a pixel in every frame, also where the movement turns. */
function evenPart(moving: Moving): number {
  return Math.min(1, Math.max(0.25, 1.2 / pixelsPerFrame(moving)))
}

function pixelsPerFrame({ width, fps, depth }: Moving): number {
  return (2 * reachPx(width) * depth) / (swingSeconds * fps)
}
