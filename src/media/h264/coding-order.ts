import type { Timeline } from '../video/timeline.ts'

/** The frames of a video in the order in which they are decoded: a key comes before the first frame that shows some of it. */
export function codingOrder({ momentAt }: Timeline, frames: number): number[] {
  const order = new Set<number>()
  for (let frame = 0; frame < frames; frame++) {
    const { key, next } = momentAt(frame)
    order.add((next?.key ?? key).frame).add(frame)
  }
  return [...order]
}
