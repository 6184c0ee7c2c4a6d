import { computed, signal } from '@preact/signals'
import { now } from '../store/clock.ts'
import { shown } from './filters.ts'
import { fitted, type TimeWindow } from './time-scale.ts'

/** The length of the shown time; `fit` = as much as the visible tasks need. */
export const zoom = signal<'fit' | number>('fit')
/** The end of the window, epoch ms; undefined = the window follows the clock. */
const endAt = signal<number | undefined>(undefined)
/** The first and last of the rows to which the window is fitted. */
const seen = signal<readonly [number, number]>([0, 20])

let next = seen.peek()
let timer: ReturnType<typeof setTimeout> | undefined
/** While the list is scrolled, the window does not change for this many ms: a new window moves every bar. */
const fitEveryMs = 250

/** Fits the shown stretch to these rows: soon, and once for all steps of a scroll that come before. */
export function fitTo(first: number, last: number): void {
  next = [first, last]
  if (timer !== undefined) return
  timer = setTimeout(() => {
    timer = undefined
    const [oldFirst, oldLast] = seen.peek()
    if (next[0] !== oldFirst || next[1] !== oldLast) seen.value = next
  }, fitEveryMs)
}

export const zoomSteps: readonly { ms: number; label: string }[] = [
  { ms: 60_000, label: '1 min' },
  { ms: 600_000, label: '10 min' },
  { ms: 3_600_000, label: '1 h' },
  { ms: 21_600_000, label: '6 h' },
  { ms: 172_800_000, label: '2 d' },
]

/** The share of the window that is ahead of now while the window follows the clock. */
const ahead = 0.35

export const timeWindow = computed<TimeWindow>(() => {
  if (zoom.value === 'fit') return fitted(shown.value.slice(seen.value[0], seen.value[1] + 1), now.value)
  const to = endAt.value ?? now.value + zoom.value * ahead
  return { from: to - zoom.value, to }
})

export function setZoom(value: 'fit' | number): void {
  zoom.value = value
  endAt.value = undefined
}

/** Moves the window by a share of itself. */
export function pan(share: number): void {
  const { from, to } = timeWindow.value
  zoom.value = to - from
  endAt.value = to + (to - from) * share
}

/** Shows this window, which does not follow the clock. */
export function showWindow({ from, to }: TimeWindow): void {
  zoom.value = to - from
  endAt.value = to
}
