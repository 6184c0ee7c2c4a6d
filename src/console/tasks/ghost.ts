import { computed, signal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { now } from '../store/clock.ts'
import { moveTo } from '../store/clock-moves.ts'
import { momentsOf } from '../store/moments.ts'
import { shown } from './filters.ts'
import { momentAt, type TimeWindow, zoomed } from './time-scale.ts'
import { pan, showWindow, timeWindow } from './time-window.ts'

/** The moment that the clock will be moved to: a second “now” on the time line while it is dragged or chosen by keys. */
export const ghost = signal<number | undefined>(undefined)

/** The moments at which the tasks of the list change. */
export const shownMoments = computed(() => momentsOf(shown.value))

/** A ghost that is less than this ahead of now is ignored: a click on “now” must not move the clock. */
const leastMs = 250

/** Moves the clock to the ghost. Time goes forward only, so a ghost before now is dropped. */
export function commitGhost(): void {
  const at = ghost.value
  ghost.value = undefined
  if (at !== undefined && at - now.value >= leastMs) void moveTo(at)
}

/** Keys of the time line. Returns false for keys that it does not know. */
export function ghostKey(key: string): boolean {
  const window = timeWindow.peek()
  const stepMs = Math.max(1000, Math.round((window.to - window.from) / 60_000) * 1000)
  const at = ghost.value ?? now.value
  switch (key) {
    case 'ArrowRight':
      ghost.value = at + stepMs
      return true
    case 'ArrowLeft':
      ghost.value = Math.max(now.value, at - stepMs)
      return true
    case 'Enter':
      commitGhost()
      return true
    case 'Escape':
      ghost.value = undefined
      return true
    case '+':
    case '=':
      showWindow(zoomed(window, now.value, 0.7))
      return true
    case '-':
      showWindow(zoomed(window, now.value, 1.4))
      return true
    default:
      return false
  }
}

/** Where a pointer is on a track, as a moment. */
export function momentUnder(track: Element, clientX: number, window: TimeWindow = timeWindow.peek()): number {
  const { left, width } = track.getBoundingClientRect()
  return momentAt(window, (clientX - left) / width)
}

/** Hands the wheel to a function while an element is shown. Registered by hand: a listener that stops the page from scrolling must not be passive. */
export function useWheel(box: RefObject<HTMLElement | null>, turn: (event: WheelEvent) => void): void {
  useEffect(() => {
    const element = box.current
    element?.addEventListener('wheel', turn, { passive: false })
    return () => element?.removeEventListener('wheel', turn)
  }, [])
}

/** The wheel zooms around the pointer; sideways, or with Shift, it moves the window. */
export function turnWheel(event: WheelEvent, track: Element): void {
  event.preventDefault()
  const sideways = event.deltaX !== 0 ? event.deltaX : event.shiftKey ? event.deltaY : 0
  if (sideways !== 0) {
    pan(sideways / 1000)
    return
  }
  const window = timeWindow.peek()
  showWindow(zoomed(window, momentUnder(track, event.clientX, window), 1.0015 ** event.deltaY))
}
