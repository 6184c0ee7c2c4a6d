import type { Sharp } from 'sharp'
import { randomFor } from '../../worlds/random.ts'
import { paletteOf } from '../drawing/palette.ts'
import type { Rgb } from '../video/yuv.ts'

/** Changes the colours of a picture, which stays recognisable. What is transparent stays so. */
export type EditLook = (picture: Sharp) => Sharp

interface Row {
  words: RegExp
  look: Partial<Mood>
}

/** Words of a prompt that an edit heeds; the first row that fits decides. */
const rows: readonly Row[] = [
  {
    words: /black[- ]and[- ]white|gr[ae]yscale|monochrome|黑白|灰度/i,
    look: { saturation: 0.02, strength: 0 },
  },
  {
    words: /\b(sepia|vintage|retro)\b|复古|怀旧/i,
    look: { saturation: 0.45, tint: [181, 121, 58], strength: 0.34 },
  },
  {
    words: /\bnight\b|夜/i,
    look: { saturation: 0.8, brightness: 0.62, tint: [29, 47, 119], strength: 0.42 },
  },
  {
    words: /\b(sunset|dusk|golden)\b|日落|夕阳|黄昏/i,
    look: { saturation: 1.15, tint: [255, 138, 60], strength: 0.36 },
  },
  {
    words: /\b(snow|winter)\b|雪|冬/i,
    look: { saturation: 0.55, brightness: 1.12, tint: [207, 228, 255], strength: 0.34 },
  },
  { words: /\bred\b|红/i, look: { tint: [224, 53, 43], strength: 0.4 } },
  { words: /\borange\b|橙/i, look: { tint: [240, 138, 36], strength: 0.4 } },
  { words: /\b(yellow|gold)\b|黄|金色/i, look: { tint: [242, 194, 48], strength: 0.4 } },
  { words: /\bgreen\b|绿/i, look: { tint: [47, 158, 79], strength: 0.4 } },
  { words: /\bblue\b|蓝/i, look: { tint: [43, 98, 217], strength: 0.4 } },
  { words: /\b(purple|violet)\b|紫/i, look: { tint: [130, 70, 201], strength: 0.4 } },
  { words: /\bpink\b|粉/i, look: { tint: [239, 106, 168], strength: 0.4 } },
]

/** What the prompt asks for where it is understood, else something that follows from the seed. */
export function editLookOf(prompt: string, seed: number): EditLook {
  const asked = rows.find(({ words }) => words.test(prompt))?.look
  return lookOf({ ...drawnLook(seed), ...asked })
}

interface Mood {
  tint: Rgb
  strength: number
  saturation: number
  brightness: number
}

function drawnLook(seed: number): Mood {
  const random = randomFor(seed, 'edit', 0)
  return {
    tint: paletteOf(seed).glow,
    strength: 0.26 + random.next() * 0.16,
    saturation: 0.85 + random.next() * 0.4,
    brightness: 0.96 + random.next() * 0.08,
  }
}

type Channels = [red: number, green: number, blue: number]

/** How much red, green and blue weigh in the brightness that the eye sees. */
const weights: Rgb = [0.2126, 0.7152, 0.0722]

/** Saturation, brightness and tint as one matrix and one offset: the costliest step of an edit is done once a pixel. */
function lookOf({ tint, strength, saturation, brightness }: Mood): EditLook {
  const kept = (1 - strength) * brightness
  const row = (own: number): Channels => {
    const [red, green, blue] = weights.map(
      (weight, i) => kept * ((1 - saturation) * weight + (i === own ? saturation : 0)),
    )
    return [red ?? 0, green ?? 0, blue ?? 0]
  }
  const matrix = [row(0), row(1), row(2)] satisfies [Channels, Channels, Channels]
  const offset = tint.map(value => value * strength)
  return picture => picture.toColourspace('srgb').recomb(matrix).linear([1, 1, 1], offset)
}
