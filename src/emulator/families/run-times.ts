import type { Span } from '../tasks/admission.ts'
import type { Size } from './geometry.ts'

/** Range of the time that a task waits before it starts, virtual ms (A-run-times). */
export const queuedMs: Span = [1000, 3000]

/** Range of the run time for five seconds of 720p, virtual ms, for families without a range of their own. */
export const usualMs: Span = [8000, 20_000]

/**
 * Range of the run time of a video, virtual ms. `span` is for five seconds of 720p; the time grows with seconds and pixels
 * (A-run-times).
 */
export function runningMs(
  { size: [width, height], seconds }: { size: Size; seconds: number },
  span: Span = usualMs,
): Span {
  const growth = 0.5 + 0.5 * (seconds / 5) * Math.sqrt((width * height) / (1280 * 720))
  return [Math.round(span[0] * growth), Math.round(span[1] * growth)]
}
