import type { Span } from '../tasks/admission.ts'
import type { Size } from './geometry.ts'

/** How long a task waits before it starts, virtual ms (A-run-times). */
export const queuedMs: Span = [1000, 3000]

/** How long five seconds of 720p take, virtual ms, unless a family has its own figures. */
const usualMs: Span = [8000, 20_000]

/** How long a video runs, virtual ms: `span` is for five seconds of 720p, and it grows with seconds and pixels (A-run-times). */
export function runningMs(
  { size: [width, height], seconds }: { size: Size; seconds: number },
  span: Span = usualMs,
): Span {
  const growth = 0.5 + 0.5 * (seconds / 5) * Math.sqrt((width * height) / (1280 * 720))
  return [Math.round(span[0] * growth), Math.round(span[1] * growth)]
}
