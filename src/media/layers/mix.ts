/** The alpha of a pixel inside its layer may differ by this much from the measured one, if the picture is exact only then. */
export const leeway = 48
/** Below this alpha a colour with whole numbers would be too coarse. */
const faintest = 6

/**
 * Sets alpha and colour of a pixel. Alphas near the measured one are tried until all channels are exact, from the least one with which
 * a colour can be exact; otherwise, or if that one is above `most`, the pixel stays opaque.
 */
export function mixInto(
  bytes: Uint8Array,
  base: Uint8Array,
  { at, alpha, most }: { at: number; alpha: number; most: number },
): void {
  if (alpha > 250) return
  const least = leastAlpha(bytes, base, at)
  if (least > most) return
  const start = Math.max(alpha, least)
  for (let i = 0; i < 2 * leeway; i++) {
    const tried = start + (i % 2 === 0 ? i / 2 : -(i + 1) / 2)
    if (tried < least || tried > 254) continue
    if (!hasColour(found, { bytes, base, at, part: tried / 255 })) continue
    for (let c = 0; c < 3; c++) bytes[at + c] = found[c] ?? 0
    bytes[at + 3] = tried
    return
  }
}

/** The colour that was found last; one array for all pixels saves a tenth of the time. */
const found = [0, 0, 0]

/** The least alpha with which black, white or a pure colour over the base can give the picture's pixel. */
function leastAlpha(bytes: Uint8Array, base: Uint8Array, at: number): number {
  let part = 0
  for (let i = at; i < at + 3; i++) {
    const away = (bytes[i] as number) - (base[i] as number)
    part = Math.max(
      part,
      away > 0 ? away / (255 - (base[i] as number)) : -away / Math.max(1, base[i] as number),
    )
  }
  return Math.max(faintest, Math.floor(part * 255))
}

/** Finds the colour that with this alpha over the base gives the picture's pixel, whether the sum is rounded or truncated. */
function hasColour(
  colour: number[],
  { bytes, base, at, part }: { bytes: Uint8Array; base: Uint8Array; at: number; part: number },
): boolean {
  for (let i = 0; i < 3; i++) {
    const [wanted, behind] = [bytes[at + i] ?? 0, (base[at + i] ?? 0) * (1 - part)]
    const value = Math.ceil((wanted + 0.02 - behind) / part)
    if (value < 0 || value > 255 || value * part + behind >= wanted + 0.48) return false
    colour[i] = value
  }
  return true
}
