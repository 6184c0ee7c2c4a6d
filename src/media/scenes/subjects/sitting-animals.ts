import { black, mix, rgb, white } from '../../drawing/colour.ts'
import type { Rgb } from '../../video/yuv.ts'
import { circle, ellipse, fill, path, stroke } from '../shapes.ts'
import type { Brush, Subject } from './subject.ts'

/** The differences between the sitting animals. */
interface Look {
  colours: readonly [string, ...string[]]
  ears: 'pointed' | 'floppy' | 'long' | 'round'
  tail: 'curl' | 'bushy' | 'none'
  /** How long the muzzle is, 0 to 1. */
  muzzle: number
  size: number
  /** The colour of chest, muzzle and paws; a lighter form of its own colour when absent. */
  front?: string
  collar?: string
  mane?: string
  /** Around the eyes and on the ears. */
  patches?: string
}

const looks = {
  cat: {
    colours: ['#d98a4a', '#7d7f86', '#3c3a40', '#e9dcc8'],
    ears: 'pointed',
    tail: 'curl',
    muzzle: 0.3,
    size: 0.78,
  },
  dog: {
    colours: ['#c48a55', '#8a5a3c', '#e3c08f', '#5a4a45'],
    ears: 'floppy',
    tail: 'curl',
    muzzle: 1,
    size: 0.86,
    collar: '#d0453f',
  },
  rabbit: { colours: ['#c9b8a6', '#a78f78', '#efe8de'], ears: 'long', tail: 'none', muzzle: 0.3, size: 0.7 },
  fox: {
    colours: ['#d96c2c', '#c85a25'],
    ears: 'pointed',
    tail: 'bushy',
    muzzle: 0.7,
    size: 0.74,
    front: '#fbf3e6',
  },
  bear: {
    colours: ['#7a5236', '#5d4030'],
    ears: 'round',
    tail: 'none',
    muzzle: 0.8,
    size: 1,
    front: '#b98d62',
  },
  panda: { colours: ['#f4f1ea'], ears: 'round', tail: 'none', muzzle: 0.6, size: 1, patches: '#2d2d33' },
  lion: { colours: ['#dba457'], ears: 'round', tail: 'curl', muzzle: 0.8, size: 1, mane: '#9c5a2b' },
  wolf: {
    colours: ['#8d949e', '#6a707b'],
    ears: 'pointed',
    tail: 'bushy',
    muzzle: 0.9,
    size: 0.9,
    front: '#e8e6e1',
  },
} satisfies Record<string, Look>

/** Animals that sit and look at the viewer. */
export const sittingAnimals: Readonly<Record<keyof typeof looks, Subject>> = {
  cat: subjectOf(looks.cat),
  dog: subjectOf(looks.dog),
  rabbit: subjectOf(looks.rabbit),
  fox: subjectOf(looks.fox),
  bear: subjectOf(looks.bear),
  panda: subjectOf(looks.panda),
  lion: subjectOf(looks.lion),
  wolf: subjectOf(looks.wolf),
}

function subjectOf(look: Look): Subject {
  const [first, ...others] = look.colours
  return {
    draw: brush => animal(look, brush),
    wide: 92,
    size: look.size,
    rests: 'seat',
    colours: [rgb(first), ...others.map(rgb)],
  }
}

function animal(look: Look, brush: Brush): string {
  const { main, dark, tone } = brush
  const front = look.front ? tone(rgb(look.front)) : mix(main, tone(white), 0.42)
  const limbs = look.patches ? tone(rgb(look.patches)) : dark
  const body = 'M-19 -2C-36 -4 -33 -42 -15 -58L15 -58C33 -42 36 -4 19 -2Z'
  const scale = look.ears === 'long' ? 0.86 : 1
  return (
    `<g transform="scale(${scale})">` +
    tail(look, brush) +
    path('M-22 0C-38 -2 -36 -28 -20 -30L20 -30C36 -28 38 -2 22 0Z', fill(limbs)) +
    path(body, fill(main)) +
    path('M-9 -54C-16 -34 -12 -16 0 -14C12 -16 16 -34 9 -54Z', fill(front)) +
    [-9, 9]
      .map(
        x =>
          path(
            `M${x - 6} -40L${x - 6} -3Q${x} 1 ${x + 6} -3L${x + 6} -40Z`,
            fill(look.patches ? limbs : mix(main, dark, 0.3)),
          ) + ellipse([x, -2.6], [7.4, 3.8], fill(front)),
      )
      .join('') +
    (look.collar
      ? path('M-15 -55Q0 -47 15 -55L14 -50Q0 -42 -14 -50Z', fill(tone(rgb(look.collar)))) +
        circle([0, -44.5], 2.6, fill(tone(rgb('#f0c64e'))))
      : '') +
    head(look, brush, front) +
    '</g>'
  )
}

function tail({ tail: kind }: Look, { main, dark, tone }: Brush): string {
  if (kind === 'none') return circle([27, -10], 7, fill(mix(main, tone(white), 0.5)))
  if (kind === 'curl') return path('M22 -7C48 -2 52 -24 40 -42', stroke(dark, 7.5))
  return (
    path('M18 -4C50 4 54 -26 40 -48C36 -34 30 -22 18 -18Z', fill(main)) +
    path('M46 -26C49 -38 45 -42 40 -48C37 -38 38 -30 46 -26Z', fill(tone(rgb('#fbf3e6'))))
  )
}

const ears: Readonly<Record<Look['ears'], { outer: string; inner: string }>> = {
  pointed: {
    outer: 'M-21 -72Q-23 -92 -19 -99Q-17 -101 -14 -98Q-7 -92 -3 -85Z',
    inner: 'M-17.5 -78Q-18.5 -90 -17 -94Q-12 -90 -8 -85Z',
  },
  floppy: {
    outer: 'M-13 -88C-26 -90 -32 -76 -29 -58C-27 -50 -19 -54 -18 -66Z',
    inner: 'M-14 -86C-22 -85 -24 -74 -20 -66Z',
  },
  long: {
    outer: 'M-15 -82C-22 -104 -20 -118 -13 -118C-6 -116 -4 -98 -4 -84Z',
    inner: 'M-13 -86C-17 -102 -16 -111 -12.5 -111C-9 -109 -8 -97 -7.5 -86Z',
  },
  round: { outer: 'M-22 -82A8.5 8.5 0 1 1 -8 -91Z', inner: 'M-19.5 -84A5 5 0 1 1 -12 -89Z' },
}

function head({ ears: kind, muzzle, mane, patches }: Look, { main, dark, tone }: Brush, front: Rgb): string {
  const ink = tone(rgb('#2a2226'))
  const ear = ears[kind]
  const earColour = patches ? tone(rgb(patches)) : kind === 'floppy' ? dark : main
  const pair = `${path(ear.outer, fill(earColour))}${path(ear.inner, fill(kind === 'floppy' ? mix(dark, main, 0.4) : tone(rgb('#e8a598')), 0.75))}`
  const both = `${pair}<g transform="scale(-1 1)">${pair}</g>`
  const eye = (x: number) =>
    (patches
      ? `<g transform="rotate(${x < 0 ? 25 : -25} ${x} -72)">${ellipse([x, -72], [5.6, 7.4], fill(tone(rgb(patches))))}</g>`
      : '') +
    ellipse([x, -73], [2.9, 3.6], fill(ink)) +
    circle([x + 1, -74.4], 1.1, fill(white, 0.9))
  const [nose, wide] = [-66 + muzzle * 2, 2.6 + muzzle * 1.4]
  const whiskers =
    kind === 'pointed' || kind === 'long'
      ? path(
          'M-11 -63L-26 -65M-11 -61L-25 -59M11 -63L26 -65M11 -61L25 -59',
          stroke(mix(ink, white, 0.55), 0.5, 0.7),
        )
      : ''
  return (
    (mane
      ? [...Array(14).keys()]
          .map(i =>
            circle(
              [Math.cos((i / 14) * 6.2832) * 23, -70 + Math.sin((i / 14) * 6.2832) * 22],
              10,
              fill(tone(rgb(mane))),
            ),
          )
          .join('')
      : '') +
    (kind === 'floppy' ? '' : both) +
    path(
      'M0 -91C17 -91 24 -80 23 -69C22 -57 12 -51 0 -51C-12 -51 -22 -57 -23 -69C-24 -80 -17 -91 0 -91Z',
      fill(main),
    ) +
    (kind === 'floppy' ? both : '') +
    ellipse([0, -60], [9 + muzzle * 3, 7 + muzzle * 1.5], fill(front)) +
    eye(-9.5) +
    eye(9.5) +
    path(
      `M${-wide} ${nose}Q0 ${nose - 2.4} ${wide} ${nose}Q0 ${nose + wide + 1.6} ${-wide} ${nose}Z`,
      fill(muzzle > 0.5 ? ink : tone(mix(rgb('#d9817c'), black, 0.08))),
    ) +
    path(`M0 ${nose + 2}V-59Q-4 -55 -7.5 -58M0 -59Q4 -55 7.5 -58`, stroke(ink, 0.9, 0.8)) +
    whiskers
  )
}
