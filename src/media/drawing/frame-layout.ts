/** Where things stand in a picture, in pixels. */
export interface Layout {
  width: number
  height: number
  /** One hundredth of the side of a square of the same area: everything is a multiple of it. */
  unit: number
  margin: number
  /** From this row (a multiple of 16) down, the picture changes with time: time code and progress bar. */
  stripTop: number
  clock: { left: number; top: number; size: number; digit: number; dot: number }
  bar: { left: number; top: number; width: number; height: number; radius: number; knob: number }
}

/** The layout for a picture of this size. */
export function layoutOf({ width, height }: { width: number; height: number }): Layout {
  const unit = Math.min(Math.sqrt(width * height) / 100, width / 64, height / 48)
  const margin = even(unit * 5)
  const stripTop = Math.floor((height - unit * 6.6) / 16) * 16
  const middle = even(height - unit * 4.6)
  const clock = clockOf(unit, margin, middle)
  const knob = even(unit * 1.2)
  const barHeight = Math.max(4, even(unit * 0.62))
  const left = even(margin + 4 * clock.digit + clock.digit + 2 * clock.dot + unit * 4.2)
  const bar = {
    left,
    top: even(middle - barHeight / 2),
    width: even(width - margin - left),
    height: barHeight,
    radius: barHeight / 2,
    knob,
  }
  return { width, height, unit, margin, stripTop, clock, bar }
}

function clockOf(unit: number, left: number, middle: number): Layout['clock'] {
  const size = even(unit * 3.3)
  return { left, top: even(middle - size * 0.62), size, digit: even(size * 0.62), dot: even(size * 0.36) }
}

/** Colours stand for pairs of pixels, so things that move do so by two. */
export function even(value: number): number {
  return Math.round(value / 2) * 2
}
