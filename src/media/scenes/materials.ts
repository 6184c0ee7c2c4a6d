import type { Rgb } from '../video/yuv.ts'
import { rgb } from './colour.ts'

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

const rows: Readonly<Record<Season, Materials>> = {
  spring: {
    grass: rgb('#7fb353'),
    meadow: rgb('#a5cc68'),
    leaves: [rgb('#f2b3c4'), rgb('#f7cdd6'), rgb('#9cc46a')],
    fir: rgb('#3f7a57'),
    flowers: [rgb('#f48fb1'), rgb('#fff3e6'), rgb('#f6d44c')],
    snow: false,
  },
  summer: {
    grass: rgb('#5f9a4a'),
    meadow: rgb('#8dbb57'),
    leaves: [rgb('#4f8c46'), rgb('#6ba552'), rgb('#3d7547')],
    fir: rgb('#2f6650'),
    flowers: [rgb('#e8504a'), rgb('#f5c443'), rgb('#fdf6ee')],
    snow: false,
  },
  autumn: {
    grass: rgb('#a8934a'),
    meadow: rgb('#c9a955'),
    leaves: [rgb('#d9772f'), rgb('#e5a33b'), rgb('#b8472d')],
    fir: rgb('#4b6a4a'),
    flowers: [rgb('#c8552f'), rgb('#e7b04a'), rgb('#8c3f2f')],
    snow: false,
  },
  winter: {
    grass: rgb('#dfe9f3'),
    meadow: rgb('#f2f7fc'),
    leaves: [rgb('#c9d8e6'), rgb('#e3edf6'), rgb('#b3c6d8')],
    fir: rgb('#456a72'),
    flowers: [rgb('#ffffff'), rgb('#ffffff'), rgb('#d8e6f2')],
    snow: true,
  },
}

/** The colours of a season; of summer without a season. */
export function materialsOf(season: Season | undefined): Materials {
  return rows[season ?? 'summer']
}
