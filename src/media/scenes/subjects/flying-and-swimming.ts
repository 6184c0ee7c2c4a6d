import { black, mix, rgb, white } from '../colour.ts'
import { circle, ellipse, fill, path } from '../shapes.ts'
import type { Subject } from './subject.ts'

/** A bird in flight, to the right. */
export const bird: Subject = {
  wide: 150,
  size: 0.62,
  rests: 'air',
  colours: [rgb('#3f78b5'), rgb('#d2563f'), rgb('#f1efe9'), rgb('#3e9a86')],
  draw: ({ main, dark, light, tone }) =>
    path('M-12 -52C-6 -78 -22 -96 -44 -99C-36 -84 -34 -66 -28 -46Z', fill(dark)) +
    path('M-70 -34L-34 -50L-30 -36L-66 -22Z', fill(dark)) +
    path(
      'M-40 -44C-24 -60 8 -64 30 -56C38 -64 54 -62 58 -50L70 -46L57 -42C50 -24 12 -18 -10 -24C-24 -28 -34 -36 -40 -44Z',
      fill(main),
    ) +
    path('M-22 -34C0 -22 40 -24 56 -42C48 -22 12 -16 -10 -24C-16 -26 -20 -30 -22 -34Z', fill(light)) +
    path('M57 -50L73 -46L57 -42Z', fill(tone(rgb('#eda23c')))) +
    circle([49, -51], 2.6, fill(tone(rgb('#231d22')))) +
    circle([50, -52], 0.9, fill(white)) +
    path(
      'M14 -52C14 -84 -10 -100 -34 -100C-28 -88 -30 -62 -16 -40C-6 -36 10 -40 14 -52Z',
      fill(mix(main, dark, 0.35)),
    ) +
    path('M10 -52C8 -76 -8 -90 -24 -96C-20 -80 -20 -62 -10 -46C-2 -42 8 -44 10 -52Z', fill(main)),
}

/** A butterfly with open wings. */
export const butterfly: Subject = {
  wide: 116,
  size: 0.5,
  rests: 'air',
  colours: [rgb('#e58a3a'), rgb('#4f84c9'), rgb('#d85a8a')],
  draw({ main, dark, light, tone }) {
    const ink = tone(rgb('#2c2226'))
    const wing =
      path('M3 -52C14 -94 50 -104 56 -82C60 -66 34 -48 3 -50Z', fill(ink)) +
      path('M6 -53C16 -88 46 -96 51 -80C54 -68 32 -53 6 -53Z', fill(main)) +
      path('M3 -48C34 -50 50 -34 40 -16C30 -2 10 -18 3 -46Z', fill(ink)) +
      path('M7 -45C30 -46 44 -32 36 -18C28 -8 12 -22 7 -45Z', fill(dark)) +
      circle([40, -78], 5, fill(light)) +
      circle([28, -28], 4, fill(light))
    return `${wing}<g transform="scale(-1 1)">${wing}</g>${ellipse([0, -46], [3, 24], fill(ink))}${path('M-1 -68Q-4 -84 -12 -88M1 -68Q4 -84 12 -88', `fill="none" stroke-width="1.2" ${fill(ink).replace('fill', 'stroke')}`)}`
  },
}

/** A tropical fish, to the right. */
export const fish: Subject = {
  wide: 150,
  size: 0.72,
  rests: 'air',
  colours: [rgb('#f08a3c'), rgb('#f2c23f'), rgb('#4f93d6'), rgb('#e2607a')],
  draw({ main, dark, light, tone }) {
    const ink = tone(rgb('#20202a'))
    return (
      path('M-40 -50C-56 -70 -66 -76 -74 -76C-68 -60 -68 -40 -74 -24C-66 -24 -56 -32 -40 -50Z', fill(dark)) +
      path('M-24 -72C-8 -96 22 -98 40 -78Z', fill(dark)) +
      path('M-10 -26C-4 -10 12 -4 24 -10L22 -30Z', fill(dark)) +
      path(
        'M-46 -50C-30 -76 -4 -86 24 -82C48 -78 64 -64 70 -50C64 -36 48 -22 24 -18C-4 -14 -30 -24 -46 -50Z',
        fill(main),
      ) +
      path('M-46 -50C-30 -24 -4 -14 24 -18C48 -22 64 -36 70 -50C50 -38 -10 -32 -46 -50Z', fill(light, 0.5)) +
      path('M30 -81C20 -62 20 -38 30 -19L40 -22C30 -40 30 -60 40 -77Z', fill(tone(white))) +
      path('M-8 -82C-16 -62 -16 -38 -8 -18L2 -17C-6 -38 -6 -62 2 -83Z', fill(tone(white))) +
      circle([54, -56], 5, fill(tone(white))) +
      circle([55, -56], 2.8, fill(ink)) +
      path('M12 -48C4 -58 -4 -56 -8 -50C-4 -42 4 -40 12 -48Z', fill(mix(dark, black, 0.1)))
    )
  },
}

/** A whale, to the right. */
export const whale: Subject = {
  wide: 190,
  size: 0.8,
  rests: 'air',
  colours: [rgb('#4a7ba3'), rgb('#5a6f8c')],
  draw: ({ main, dark, light, tone }) =>
    path(
      'M-64 -46C-80 -50 -92 -64 -94 -78C-84 -76 -76 -70 -72 -64C-70 -74 -64 -82 -56 -86C-54 -72 -54 -58 -50 -48Z',
      fill(dark),
    ) +
    path(
      'M-66 -44C-40 -58 -24 -86 20 -86C66 -86 94 -64 92 -40C90 -22 62 -12 22 -14C-14 -16 -46 -26 -66 -44Z',
      fill(main),
    ) +
    path('M92 -42C92 -22 62 -12 22 -14C4 -15 -14 -18 -30 -24C10 -26 56 -26 92 -42Z', fill(light)) +
    path('M40 -16C32 -16 28 -4 30 4C22 2 8 -6 12 -20Z', fill(dark)) +
    path(
      'M34 -26L38 -15M46 -27L50 -16M58 -29L62 -18M70 -32L73 -22',
      `stroke="#000" stroke-opacity=".15" stroke-width="1.4"`,
    ) +
    circle([66, -48], 2.6, fill(tone(rgb('#1f2028')))),
}
