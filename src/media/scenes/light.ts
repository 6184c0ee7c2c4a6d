import { mix, oklch, type Rgb, rgb, tinted } from '../drawing/colour.ts'

export type TimeOfDay = 'morning' | 'noon' | 'evening' | 'night'

/** The light of a scene: its sky, its sun or moon, its haze, and its effect on the colours of objects. */
export interface Light {
  time: TimeOfDay
  /** From the upper edge to the horizon. */
  sky: readonly [Rgb, Rgb, Rgb]
  /** The colour into which distant objects fade. */
  haze: Rgb
  /** Multiplies the colours of objects. */
  ambient: Rgb
  /** Sun or moon: its disc, the glow around it, how high it is (0 at the horizon, 1 at the upper edge). */
  sun: { disc: Rgb; glow: Rgb; high: number }
  /** Lamps and windows are lit. */
  lamps: boolean
  stars: boolean
}

type Tone = readonly [lightness: number, chroma: number, hue: number]

interface LightRow {
  sky: readonly [Tone, Tone, Tone]
  haze: Tone
  ambient: Rgb
  disc: Tone
  glow: Tone
  high: number
}

/** The upper edge is dark enough for white text. */
// biome-ignore format: a table, one row a line
const rows: Readonly<Record<TimeOfDay, LightRow>> = {
  morning: { sky: [[0.6, 0.085, 258], [0.77, 0.06, 300], [0.9, 0.07, 62]], haze: [0.88, 0.055, 45], ambient: [250, 236, 228], disc: [0.97, 0.05, 95], glow: [0.93, 0.09, 80], high: 0.3 },
  noon: { sky: [[0.53, 0.135, 252], [0.7, 0.105, 238], [0.9, 0.045, 220]], haze: [0.89, 0.04, 225], ambient: [255, 253, 246], disc: [0.99, 0.03, 100], glow: [0.96, 0.05, 100], high: 0.66 },
  evening: { sky: [[0.36, 0.11, 292], [0.57, 0.155, 5], [0.82, 0.135, 62]], haze: [0.72, 0.12, 40], ambient: [214, 160, 158], disc: [0.95, 0.09, 85], glow: [0.87, 0.14, 65], high: 0.2 },
  night: { sky: [[0.19, 0.06, 272], [0.28, 0.085, 266], [0.42, 0.085, 250]], haze: [0.36, 0.075, 258], ambient: [100, 120, 174], disc: [0.96, 0.03, 95], glow: [0.78, 0.06, 240], high: 0.62 },
}

/** The light of a time of day. `turn` (degrees) moves all hues a little; a tint is a colour towards which all colours of the scene are moved. */
export function lightOf(time: TimeOfDay, { turn, tint }: { turn: number; tint?: Rgb }): Light {
  const row = rows[time]
  const colour = ([lightness, chroma, hue]: Tone) => {
    const plain = oklch(lightness, chroma, hue + turn)
    return tint ? tinted(plain, tint, 0.5) : plain
  }
  return {
    time,
    sky: [colour(row.sky[0]), colour(row.sky[1]), colour(row.sky[2])],
    haze: colour(row.haze),
    ambient: tint ? mix(row.ambient, tinted(row.ambient, tint, 1), 0.22) : row.ambient,
    sun: { disc: colour(row.disc), glow: colour(row.glow), high: row.high },
    lamps: time === 'night' || time === 'evening',
    stars: time === 'night',
  }
}

export type Season = 'spring' | 'summer' | 'autumn' | 'winter'

/** The colours that change with the season, in white light. */
export interface Materials {
  grass: Rgb
  /** Grass in the sun, and the edges of fields. */
  meadow: Rgb
  /** Crowns of trees, three of them beside each other. */
  leaves: readonly [Rgb, Rgb, Rgb]
  /** Needles of firs. */
  fir: Rgb
  flowers: readonly [Rgb, Rgb, Rgb]
  /** True when snow lies on ground, roofs and firs. */
  snow: boolean
}

/** Grass, meadow and fir; three leaves; three flowers. */
const seasons: Readonly<Record<Season, readonly [ground: string, leaves: string, flowers: string]>> = {
  spring: ['#7fb353 #a5cc68 #3f7a57', '#f2b3c4 #f7cdd6 #9cc46a', '#f48fb1 #fff3e6 #f6d44c'],
  summer: ['#5f9a4a #8dbb57 #2f6650', '#4f8c46 #6ba552 #3d7547', '#e8504a #f5c443 #fdf6ee'],
  autumn: ['#a8934a #c9a955 #4b6a4a', '#d9772f #e5a33b #b8472d', '#c8552f #e7b04a #8c3f2f'],
  winter: ['#dfe9f3 #f2f7fc #456a72', '#c9d8e6 #e3edf6 #b3c6d8', '#ffffff #ffffff #d8e6f2'],
}

/** The colours of a season; of summer without a season. */
export function materialsOf(season: Season = 'summer'): Materials {
  const three = (codes: string) => codes.split(' ').map(rgb) as [Rgb, Rgb, Rgb]
  const [ground, leaves, flowers] = seasons[season]
  const [grass, meadow, fir] = three(ground)
  return { grass, meadow, leaves: three(leaves), fir, flowers: three(flowers), snow: season === 'winter' }
}
