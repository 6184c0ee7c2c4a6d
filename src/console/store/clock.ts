import { computed, effect, signal } from '@preact/signals'
import type { Advanced, ClockEvent, ClockView, Duration } from '../../kits/views.ts'
import { control } from './api.ts'
import { isStale } from './connection.ts'
import { report } from './notices.ts'

interface Reading extends ClockView {
  /** `performance.now()` when it was read. */
  readAt: number
  /** True when the emulator went away: its time is unknown. */
  isHeld?: true
}

const reading = signal<Reading | undefined>(undefined)
const tick = signal(0)

/** The clock of the world as last read; undefined until then. */
export const clock = computed<ClockView | undefined>(() => reading.value)

export const isPlaying = computed(() => reading.value?.mode === 'realtime' && !reading.value.isHeld)

/** Virtual now, epoch ms: in realtime mode carried on from the last reading. */
export const now = computed(() => {
  const last = reading.value
  tick.value
  if (!last) return 0
  if (last.mode !== 'realtime' || last.isHeld) return last.now_ms
  return last.now_ms + (performance.now() - last.readAt) * last.rate
})

const tickMs = 100
const rereadMs = 15_000

/** Keeps the shown virtual time moving while the emulator's clock runs and the page is visible. */
effect(() => {
  if (!isPlaying.value) return
  const timer = setInterval(() => {
    if (!document.hidden) tick.value++
  }, tickMs)
  const reread = setInterval(() => void report(readClock), rereadMs)
  return () => {
    clearInterval(timer)
    clearInterval(reread)
  }
})

/** A clock that cannot be read any more stops where it was last seen. */
effect(() => {
  if (!isStale.value) return
  const last = reading.peek()
  if (last) reading.value = { ...last, now_ms: now.peek(), isHeld: true }
})

/** Takes a reading of the clock. `performance.now()` carries it on until the next one. */
export function setClock(view: ClockView): void {
  reading.value = { ...view, readAt: performance.now() }
}

/** Sets virtual time after an advance; mode and rate stay. */
function clockMovedTo(atMs: number): void {
  const last = reading.value
  if (last)
    reading.value = {
      ...last,
      now_ms: Math.max(atMs, 0),
      now: new Date(atMs).toISOString(),
      readAt: performance.now(),
    }
}

/** A late reply is older than what the page was told meanwhile, and changes nothing. */
export async function readClock(): Promise<void> {
  const before = reading.peek()
  const view = await control<ClockView>('GET', '/clock')
  if (reading.peek() === before) setClock(view)
}

export async function changeClock(change: { mode?: ClockView['mode']; rate?: number }): Promise<void> {
  const view = await report(() => control<ClockView>('PATCH', '/clock', change))
  if (view) setClock(view)
  // After a refusal, the unchanged values are shown again.
  else if (reading.value) reading.value = { ...reading.value }
}

/** Moves time on, and returns what changed on the way; undefined when the emulator refused. */
export async function advance(
  how: { by: Duration } | { to: number } | { until: 'next' | 'idle' },
): Promise<ClockEvent[] | undefined> {
  return await report(async () => {
    const answer = await control<Advanced>('POST', '/clock/advance', how)
    clockMovedTo(answer.now_ms)
    return answer.events
  })
}
