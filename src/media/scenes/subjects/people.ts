import { black, mix, rgb, white } from '../../drawing/colour.ts'
import type { Rgb } from '../../video/yuv.ts'
import { circle, ellipse, fill, path, rect, stroke } from '../shapes.ts'
import type { Brush, Subject } from './subject.ts'

const skins = ['#f3c9a8', '#e0a987', '#b97f58', '#8a5a3f'].map(rgb) as [Rgb, ...Rgb[]]
const hairs = ['#2e2524', '#5a3a28', '#8d5a2f', '#c89a55', '#3a3a40'].map(rgb) as [Rgb, ...Rgb[]]
const clothes = ['#c9523f', '#3f6f9c', '#4d8a6a', '#d59a3d', '#7a5a94', '#2f7f86'].map(rgb) as [Rgb, ...Rgb[]]

/** Someone who stands and looks at the viewer, in a coat or a dress. */
export const person: Subject = {
  wide: 46,
  size: 1,
  rests: 'ground',
  colours: clothes,
  draw({ main, dark, light, tone, random }) {
    const [skin, hair] = [tone(random.pick(skins)), tone(random.pick(hairs))]
    const hasDress = random.next() < 0.5
    const [trousers, shoe] = [tone(rgb('#3b4456')), tone(rgb('#2b2a30'))]
    const legs = hasDress
      ? [-4.5, 4.5].map(x => rect([x - 2.2, -28], [4.4, 26], fill(skin))).join('')
      : path('M-9 -46L-9.5 -2H-2.5L-0.5 -38L0.5 -38L2.5 -2H9.5L9 -46Z', fill(trousers))
    const coat = hasDress
      ? path('M-8 -79C-10 -62 -11 -46 -16 -24C-6 -20 6 -20 16 -24C11 -46 10 -62 8 -79Z', fill(main))
      : path('M-10 -78C-12 -66 -12 -52 -11.5 -40H11.5C12 -52 12 -66 10 -78Z', fill(main))
    return (
      legs +
      [-6, 6].map(x => ellipse([x, -1.6], [4.6, 2], fill(shoe))).join('') +
      (hasDress ? path('M-8 -94C-14 -84 -12 -74 -9 -70L9 -70C12 -74 14 -84 8 -94Z', fill(hair)) : '') +
      arm(-1, dark, skin) +
      arm(1, dark, skin) +
      coat +
      path(
        hasDress
          ? 'M2 -79C6 -60 8 -44 10 -22.5C13 -23 15 -23.6 16 -24C11 -46 10 -62 8 -79Z'
          : 'M3 -78L3 -40H11.5C12 -52 12 -66 10 -78Z',
        fill(dark, 0.45),
      ) +
      path('M-4 -80L0 -75L4 -80Z', fill(light)) +
      rect([-2.2, -83], [4.4, 6], fill(mix(skin, black, 0.14))) +
      ellipse([0, -89], [6.4, 7.6], fill(skin)) +
      path(
        'M-7 -88C-8 -98 -3 -100 1 -100C7 -100 8 -94 7 -88C5 -93 2 -94 -2 -93.6C-5 -93 -6.4 -91 -7 -88Z',
        fill(hair),
      ) +
      [-2.4, 2.4].map(x => circle([x, -88.4], 0.7, fill(tone(rgb('#2a2226'))))).join('') +
      path('M-1.8 -85.4Q0 -84.2 1.8 -85.4', stroke(tone(rgb('#a8514a')), 0.6))
    )
  },
}

function arm(side: 1 | -1, sleeve: Rgb, skin: Rgb): string {
  return (
    path(`M${side * 8} -76C${side * 13} -70 ${side * 14} -58 ${side * 14} -48`, stroke(sleeve, 4.6)) +
    circle([side * 14, -45], 2.5, fill(skin))
  )
}

/** Head and shoulders of someone who smiles. */
export const portrait: Subject = {
  wide: 104,
  size: 1,
  rests: 'ground',
  colours: clothes,
  draw(brush) {
    const { main, dark, light, tone, random } = brush
    const [skin, hair] = [tone(random.pick(skins)), tone(random.pick(hairs))]
    const isLong = random.next() < 0.55
    const shade = mix(skin, tone(rgb('#a4503c')), 0.22)
    const back = isLong
      ? 'M0 -99C-26 -99 -31 -78 -30 -56C-30 -42 -34 -34 -30 -26L30 -26C34 -34 30 -42 30 -56C31 -78 26 -99 0 -99Z'
      : 'M0 -98C-22 -98 -27 -82 -25 -66L25 -66C27 -82 22 -98 0 -98Z'
    const fringe = isLong
      ? 'M-24 -60C-27 -84 -18 -97 2 -97C20 -97 27 -82 24 -60C22 -72 18 -80 10 -86C0 -78 -16 -78 -24 -60Z'
      : 'M-23 -66C-26 -86 -16 -99 3 -98C20 -98 27 -84 23 -66C21 -74 19 -80 14 -83C4 -78 -12 -80 -18 -82C-21 -78 -22 -72 -23 -66Z'
    return (
      path(back, fill(mix(hair, black, 0.2))) +
      path('M-50 0C-50 -20 -34 -28 -16 -31L16 -31C34 -28 50 -20 50 0Z', fill(main)) +
      path('M50 0C50 -20 34 -28 16 -31C24 -22 28 -12 28 0Z', fill(dark, 0.4)) +
      path('M-15 -32L0 -16L15 -32L10 -40H-10Z', fill(light)) +
      path('M-8.5 -50V-36Q0 -24 8.5 -36V-50Z', fill(shade)) +
      [-1, 1].map(side => ellipse([side * 22.4, -64], [3.4, 5.4], fill(shade))).join('') +
      path(
        'M-22 -70C-22 -88 -12 -92 0 -92C12 -92 22 -88 22 -70C22 -52 12 -42 0 -41C-12 -42 -22 -52 -22 -70Z',
        fill(skin),
      ) +
      face(brush, { skin, hair, shade }) +
      path(fringe, fill(hair))
    )
  },
}

function face({ tone }: Brush, { skin, hair, shade }: { skin: Rgb; hair: Rgb; shade: Rgb }): string {
  const ink = tone(rgb('#2d2428'))
  const half = (side: 1 | -1) =>
    ellipse([side * 9.4, -66.4], [4.1, 3], fill(tone(white))) +
    circle([side * 9.2, -66.4], 2.5, fill(tone(rgb('#4c6a62')))) +
    circle([side * 9.2, -66.4], 1.3, fill(ink)) +
    circle([side * 9.2 + 0.8, -67.4], 0.7, fill(white)) +
    path(`M${side * 5} -68Q${side * 9.4} -71.4 ${side * 13.8} -67.6`, stroke(ink, 0.9)) +
    path(`M${side * 4.6} -73.6Q${side * 9.6} -77 ${side * 15} -73`, stroke(mix(hair, black, 0.1), 1.7)) +
    ellipse([side * 13, -57], [4.4, 3], fill(tone(rgb('#e2705e')), 0.22))
  return (
    half(-1) +
    half(1) +
    path('M-0.6 -66C-1.6 -61 -2.6 -58.4 -1.6 -57.4Q0.4 -56.4 2 -57.4', stroke(shade, 1.1)) +
    path('M-6.4 -51.4Q0 -49.6 6.4 -51.4Q4 -46 0 -46Q-4 -46 -6.4 -51.4Z', fill(tone(rgb('#b94f4c')))) +
    path('M-5.6 -51.2Q0 -49.6 5.6 -51.2Q3 -49 0 -49Q-3 -49 -5.6 -51.2Z', fill(tone(white))) +
    path('M22 -70C22 -52 12 -42 0 -41C8 -45 15 -54 16 -74Z', fill(mix(skin, shade, 0.6), 0.5))
  )
}
