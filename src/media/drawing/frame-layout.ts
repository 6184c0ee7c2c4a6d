/** The measures of a picture, in pixels. */
export interface Layout {
  width: number
  height: number
  /** One hundredth of the side of a square of the same area; all other lengths are multiples of it. */
  unit: number
  margin: number
}

/** The layout for a picture of this size. */
export function layoutOf({ width, height }: { width: number; height: number }): Layout {
  const unit = Math.min(Math.sqrt(width * height) / 100, width / 64, height / 48)
  return { width, height, unit, margin: Math.round((unit * 5) / 2) * 2 }
}
