import type { Rgb } from '../../video/yuv.ts'
import { black, mix, rgb, white } from '../colour.ts'
import { circle, ellipse, fill, path, rect, stroke } from '../shapes.ts'
import type { Brush, Subject } from './subject.ts'

const lively = ['#d8453c', '#2f74b8', '#e8b13a', '#3f9a7d', '#e9e6df'].map(rgb) as [Rgb, ...Rgb[]]

/** A car from the side, to the right. */
export const car: Subject = {
  wide: 250,
  size: 0.62,
  rests: 'ground',
  colours: lively,
  draw({ main, dark, light, tone, lamps }) {
    const glass = tone(rgb('#a9cfe0'))
    const wheel = (x: number) =>
      circle([x, -18], 18, fill(tone(rgb('#26262b')))) +
      circle([x, -18], 10.5, fill(tone(rgb('#c4c9cf')))) +
      circle([x, -18], 4, fill(tone(rgb('#7b828a'))))
    return (
      path(
        'M-118 -26C-120 -44 -116 -52 -100 -56L-66 -62C-46 -84 -30 -98 -2 -98C30 -98 46 -88 66 -64C96 -62 116 -56 119 -40L120 -24C120 -20 118 -18 114 -18H-110C-116 -18 -118 -20 -118 -26Z',
        fill(main),
      ) +
      path('M-117 -34H119.6L120 -24C120 -20 118 -18 114 -18H-110C-116 -18 -118 -20 -118 -26Z', fill(dark)) +
      path('M-56 -63C-42 -80 -28 -90 -8 -91V-63Z', fill(glass)) +
      path('M-2 -91C22 -92 36 -84 52 -63H-2Z', fill(glass)) +
      path('M-30 -63L-16 -88L-9 -90.8L-24 -63ZM20 -63L14 -90L21 -88.6L30 -63Z', fill(white, 0.35)) +
      path('M-5 -62V-24M-62 -60Q-66 -40 -58 -26M58 -62Q62 -44 56 -26', stroke(dark, 1.6)) +
      rect({ x: 6, y: -54, width: 12, height: 3, round: 1.5 }, fill(dark)) +
      rect({ x: -44, y: -54, width: 12, height: 3, round: 1.5 }, fill(dark)) +
      path(
        'M-100 -56L-66 -62L66 -64C84 -63 98 -60 108 -55C60 -58 -40 -57 -112 -50C-109 -53 -105 -55 -100 -56Z',
        fill(light, 0.6),
      ) +
      ellipse([113, -45], [4.4, 6], fill(lamps ? rgb('#fff2c4') : tone(rgb('#f6efd2')))) +
      rect({ x: -118.5, y: -50, width: 6, height: 9, round: 2 }, fill(tone(rgb('#e0412f')))) +
      [-70, 74].map(x => circle([x, -20], 21, fill(mix(dark, black, 0.5))) + wheel(x)).join('')
    )
  },
}

/** A sailing boat on its own stretch of water. */
export const boat: Subject = {
  wide: 92,
  size: 0.9,
  rests: 'ground',
  colours: [rgb('#c8473f'), rgb('#2f5f8c'), rgb('#3f7f74')],
  draw: ({ main, dark, tone }) =>
    ellipse([0, -1], [44, 2.6], fill(tone(white), 0.35)) +
    path('M2 -98Q30 -54 38 -22L2 -22Z', fill(tone(rgb('#fdf6ea')))) +
    path('M2 -98Q12 -60 13 -22L2 -22Z', fill(tone(rgb('#f1e2ca')))) +
    path('M-3 -92Q-14 -50 -32 -22L-3 -22Z', fill(tone(rgb('#f0dcc0')))) +
    rect({ x: -2, y: -100, width: 2.6, height: 86 }, fill(tone(rgb('#6b4a38')))) +
    path('M0.6 -100L12 -97L0.6 -94Z', fill(main)) +
    path('M-42 -17L45 -17Q38 0 22 0L-24 0Q-38 -2 -42 -17Z', fill(main)) +
    path('M-38 -6Q-32 -1 -24 0L22 0Q33 0 39 -6Z', fill(dark)) +
    path('M-42 -17L45 -17L43.6 -13L-40.6 -13Z', fill(tone(white), 0.8)),
}

/** A hot-air balloon. */
export const balloon: Subject = {
  wide: 68,
  size: 1,
  rests: 'air',
  colours: [rgb('#e0614f'), rgb('#e59a3f'), rgb('#4f86c0'), rgb('#8d64ad')],
  draw: ({ main, light, dark, tone }) =>
    path('M-7 -14L-12 -34M7 -14L12 -34M-2 -14L-4 -32M2 -14L4 -32', stroke(tone(rgb('#6a4a36')), 0.8)) +
    path(
      'M0 -100C-24 -100 -34 -84 -34 -68C-34 -52 -18 -42 -10 -30H10C18 -42 34 -52 34 -68C34 -84 24 -100 0 -100Z',
      fill(main),
    ) +
    path('M0 -100C-15 -100 -21 -84 -21 -68C-21 -52 -12 -42 -6 -30H0Z', fill(light)) +
    path('M0 -100C15 -100 21 -84 21 -68C21 -52 12 -42 6 -30H0Z', fill(mix(main, light, 0.25))) +
    path(
      'M0 -100C-6 -100 -8.6 -84 -8.6 -68C-8.6 -52 -5 -42 -2.4 -30H2.4C5 -42 8.6 -52 8.6 -68C8.6 -84 6 -100 0 -100Z',
      fill(tone(rgb('#f7d08a'))),
    ) +
    path('M20 -95C32 -84 34 -76 34 -68C34 -52 18 -42 10 -30H6C20 -46 30 -66 20 -95Z', fill(dark, 0.35)) +
    path('M-8 -15H8L6.6 -1Q0 1 -6.6 -1Z', fill(tone(rgb('#9a6a3f')))) +
    rect({ x: -8.6, y: -16, width: 17.2, height: 3.4, round: 1.4 }, fill(tone(rgb('#7a5230')))),
}

/** A rocket on its flame. */
export const rocket: Subject = {
  wide: 60,
  size: 1,
  rests: 'ground',
  colours: [rgb('#e2574a'), rgb('#3f7fc0'), rgb('#e8a93d')],
  draw: ({ main, dark, tone }) =>
    path('M-9 -18Q-14 -6 0 0Q14 -6 9 -18Z', fill(rgb('#ffb347'))) +
    path('M-5 -18Q-7 -9 0 -5Q7 -9 5 -18Z', fill(rgb('#fff0b8'))) +
    path(
      'M-13 -44C-26 -36 -28 -24 -27 -14C-22 -20 -16 -23 -10 -24ZM13 -44C26 -36 28 -24 27 -14C22 -20 16 -23 10 -24Z',
      fill(main),
    ) +
    path('M0 -100C-16 -84 -19 -58 -12 -20H12C19 -58 16 -84 0 -100Z', fill(tone(rgb('#f3f2ee')))) +
    path('M0 -100C16 -84 19 -58 12 -20H4C10 -56 10 -82 0 -100Z', fill(tone(rgb('#c9ccd2')))) +
    path('M0 -100C-7 -93 -11.6 -84 -13.8 -74H13.8C11.6 -84 7 -93 0 -100Z', fill(main)) +
    circle([0, -60], 7, fill(dark)) +
    circle([0, -60], 4.8, fill(tone(rgb('#9fd4e8')))) +
    path('M-12.6 -26H12.6L12 -20H-12Z', fill(dark)),
}

/** An aeroplane from the side, to the right. */
export const plane: Subject = {
  wide: 230,
  size: 0.5,
  rests: 'air',
  colours: [rgb('#f2f2ef')],
  draw: ({ main, dark, tone }: Brush) =>
    path('M-104 -96H-86L-58 -56H-92Z', fill(tone(rgb('#d8523f')))) +
    path(
      'M-108 -58C-70 -66 40 -68 78 -62C98 -58 112 -48 113 -42C112 -36 96 -32 80 -30H-60C-84 -32 -104 -46 -108 -58Z',
      fill(main),
    ) +
    path(
      'M113 -42C112 -36 96 -32 80 -30H-60C-76 -31 -90 -38 -98 -46C-40 -38 60 -38 113 -42Z',
      fill(dark, 0.6),
    ) +
    path('M84 -56Q98 -54 104 -48H86Z', fill(tone(rgb('#47637f')))) +
    [...Array(12).keys()]
      .map(i => rect({ x: -64 + i * 11, y: -53, width: 5, height: 7, round: 2 }, fill(tone(rgb('#5f7f9c')))))
      .join('') +
    path('M14 -38L-34 -2H-50L-22 -38Z', fill(tone(rgb('#b9c0c9')))) +
    rect({ x: -26, y: -24, width: 26, height: 11, round: 5 }, fill(tone(rgb('#8b949f')))) +
    path('M-84 -52L-112 -36H-98L-62 -50Z', fill(tone(rgb('#b9c0c9')))),
}
