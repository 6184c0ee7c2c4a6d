/** Pixels of `channels` bytes each, of which the first three are red, green and blue. */
export interface Pixels {
  width: number
  height: number
  channels: number
  bytes: Buffer
}

/** Copies whole rows within a picture. */
export function copyRows(
  { width, channels, bytes }: Pixels,
  rows: { from: number; to: number; count: number },
): void {
  const line = width * channels
  bytes.copyWithin(rows.to * line, rows.from * line, (rows.from + rows.count) * line)
}

/** Puts a small picture into a large one; transparency is not looked at. */
export function paste(small: Pixels, large: Pixels, { left, top }: { left: number; top: number }): void {
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      const from = (y * small.width + x) * small.channels
      const to = ((top + y) * large.width + left + x) * large.channels
      for (let i = 0; i < 3; i++) large.bytes[to + i] = small.bytes[from + i] as number
    }
  }
}
