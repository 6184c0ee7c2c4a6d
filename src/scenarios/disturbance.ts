import type { MediaFault } from '../tasks/task.ts'
import { formatDuration } from '../worlds/clock.ts'
import { maxLatencyMs } from './faults.ts'
import type { ConnectionFault } from './scenario.ts'

/** What a scenario did to a connection, as the journal keeps it. */
export interface Disturbance {
  text: string
  /** True when the client cannot have read the reply. */
  lost: boolean
}

const resetWords = {
  before_request: 'broken off before the request was acted on',
  before_headers: 'broken off before headers',
  after_headers: 'broken off after headers',
  mid_body: 'broken off mid body',
} as const

/** What becomes of a reply on its way, in words. */
export function disturbanceOf(fault: ConnectionFault): Disturbance {
  const { latencyMs, reset, hang, throttleBytesPerSecond, garble } = fault
  const words = [
    latencyMs !== undefined && `${formatDuration(Math.min(latencyMs, maxLatencyMs))} late`,
    hang && 'never answered',
    reset && resetWords[reset],
    throttleBytesPerSecond !== undefined && `slowed to ${throttleBytesPerSecond} bytes a second`,
    garble && 'garbled',
  ]
  return {
    text: words.filter(Boolean).join(', '),
    lost: Boolean(hang || reset || garble),
  }
}

/** What is wrong with the bytes of a file, in words. */
export function mediaWords({ kind, value }: MediaFault): string {
  switch (kind) {
    case 'truncated':
      return 'cut off half way'
    case 'empty':
      return 'without a byte'
    case 'corrupt':
      return 'with broken bytes'
    case 'wrong_type':
      return 'as an HTML page'
    case 'missing_url':
      return 'without a link'
    case 'link_expired':
      return 'behind an expired link'
    case 'link_exhausted':
      return 'behind a used-up link'
    case 'slow':
      return `at ${value} bytes a second`
    case 'stall':
      return `stalled after ${Math.round((value ?? 0.5) * 100)} %`
  }
}
