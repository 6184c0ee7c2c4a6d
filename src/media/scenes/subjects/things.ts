import { black, mix, rgb, white } from '../colour.ts'
import { circle, ellipse, fill, path, rect, stroke } from '../shapes.ts'
import type { Subject } from './subject.ts'

/** A bottle of perfume. */
export const bottle: Subject = {
  wide: 62,
  size: 0.9,
  rests: 'ground',
  colours: [rgb('#d98f6a'), rgb('#6a9fb0'), rgb('#c77a8f'), rgb('#8f9f63')],
  draw: ({ main, dark, light, tone }) =>
    rect({ x: -9, y: -100, width: 18, height: 26, round: 3 }, fill(tone(rgb('#c9a45c')))) +
    rect({ x: 2, y: -100, width: 7, height: 26, round: 3 }, fill(tone(rgb('#9a7638')), 0.6)) +
    rect({ x: -6, y: -76, width: 12, height: 10 }, fill(tone(rgb('#e6cf96')))) +
    rect({ x: -30, y: -68, width: 60, height: 68, round: 9 }, fill(mix(main, light, 0.4))) +
    rect({ x: -25, y: -50, width: 50, height: 45, round: 6 }, fill(main)) +
    path('M12 -68H21A9 9 0 0 1 30 -59V-9A9 9 0 0 1 21 0H12Z', fill(dark, 0.4)) +
    rect({ x: -24, y: -62, width: 5, height: 54, round: 2.5 }, fill(white, 0.6)) +
    rect({ x: -14, y: -42, width: 28, height: 22, round: 2 }, fill(tone(rgb('#fbf6ec')))) +
    path('M-8 -34H8M-5 -28H5', stroke(tone(rgb('#7a6a58')), 1.2)),
}

/** A cup of coffee with steam. */
export const cup: Subject = {
  wide: 96,
  size: 0.7,
  rests: 'ground',
  colours: [rgb('#e9e2d6'), rgb('#c95f4a'), rgb('#4d7f8f')],
  draw: ({ main, dark, light, tone }) =>
    path('M-10 -66Q-16 -76 -10 -84T-10 -99M8 -66Q2 -76 8 -84T8 -99', stroke(tone(white), 2.4, 0.55)) +
    ellipse([0, -4], [46, 5], fill(mix(light, black, 0.06))) +
    ellipse([0, -5.4], [44, 4], fill(light)) +
    path('M28 -46C48 -50 50 -20 24 -20', stroke(dark, 6)) +
    path('M-32 -56H32C32 -26 24 -7 10 -6H-10C-24 -7 -32 -26 -32 -56Z', fill(main)) +
    path('M14 -56H32C32 -26 24 -7 10 -6H2C10 -18 14 -36 14 -56Z', fill(dark, 0.4)) +
    ellipse([0, -56], [32, 6], fill(light)) +
    ellipse([0, -55], [28, 4.6], fill(tone(rgb('#6a4027')))),
}

/** Flowers in a vase. */
export const flowers: Subject = {
  wide: 74,
  size: 1,
  rests: 'ground',
  colours: [rgb('#e0617a'), rgb('#e9a53f'), rgb('#8a68b8'), rgb('#d84a3f')],
  draw({ main, dark, light, tone }) {
    const heads = [
      [0, -86, main],
      [-22, -76, light],
      [21, -74, dark],
      [-10, -66, dark],
      [12, -62, light],
    ] as const
    const stem = tone(rgb('#4d8050'))
    const bloom = ([x, y, colour]: (typeof heads)[number]) =>
      [0, 1, 2, 3, 4, 5]
        .map(i =>
          ellipse(
            [x + Math.cos((i / 3) * Math.PI) * 7.4, y + Math.sin((i / 3) * Math.PI) * 7.4],
            [5.6, 5.6],
            fill(colour),
          ),
        )
        .join('') + circle([x, y], 4.6, fill(tone(rgb('#f3cf63'))))
    return (
      heads.map(([x, y]) => path(`M${x} ${y}Q${x * 0.6} -50 ${x * 0.15} -34`, stroke(stem, 2))).join('') +
      path(
        'M-2 -40C-20 -44 -28 -54 -30 -60C-16 -60 -6 -54 -2 -40ZM3 -38C18 -42 28 -48 32 -54C20 -56 8 -52 3 -38Z',
        fill(mix(stem, white, 0.12)),
      ) +
      heads.map(bloom).join('') +
      path('M-14 -40H14L11 -34C26 -24 24 -4 12 0H-12C-24 -4 -26 -24 -11 -34Z', fill(tone(rgb('#5f9aa8')))) +
      path('M4 -40H14L11 -34C26 -24 24 -4 12 0H2C14 -10 14 -26 3 -34Z', fill(tone(rgb('#3f7684')), 0.6)) +
      path('M-17 -20Q0 -15 17 -20', stroke(tone(white), 1.2, 0.7))
    )
  },
}

/** A bowl of fruit. */
export const fruit: Subject = {
  wide: 118,
  size: 0.7,
  rests: 'ground',
  colours: [rgb('#d4483c'), rgb('#e8953a')],
  draw: ({ main, light, tone }) =>
    path('M-44 -58C-30 -88 20 -98 46 -84C22 -78 0 -62 -12 -46Z', fill(tone(rgb('#f0cf55')))) +
    path('M-44 -58C-30 -80 16 -92 46 -84C10 -86 -20 -72 -34 -52Z', fill(tone(rgb('#d9ae38')))) +
    circle([-20, -54], 22, fill(main)) +
    circle([-26, -61], 7, fill(light, 0.6)) +
    circle([24, -54], 21, fill(tone(rgb('#ec9a3c')))) +
    circle([18, -61], 6, fill(tone(rgb('#f8c77f')), 0.7)) +
    [
      [-2, -62],
      [8, -72],
      [-8, -74],
      [2, -84],
    ]
      .map(([x = 0, y = 0]) => circle([x, y], 8.5, fill(tone(rgb('#7a5aa6')))))
      .join('') +
    path('M-20 -76Q-18 -84 -12 -86', stroke(tone(rgb('#5a3f2c')), 1.8)) +
    path('M-56 -46H56C54 -20 34 -6 18 -4V0H-18V-4C-34 -6 -54 -20 -56 -46Z', fill(tone(rgb('#f1ece2')))) +
    path('M20 -46H56C54 -20 34 -6 18 -4H4C16 -14 20 -30 20 -46Z', fill(tone(rgb('#cfc6b6')), 0.7)) +
    path('M-54 -38Q0 -28 54 -38', stroke(tone(rgb('#6a93a6')), 2.4)),
}

/** A house with a garden path. */
export const house: Subject = {
  wide: 120,
  size: 0.9,
  rests: 'ground',
  colours: [rgb('#b9523d'), rgb('#4f6f86'), rgb('#7a5a3f')],
  inSeason: ({ snow }) => (snow ? [rgb('#eef4fa')] : undefined),
  draw({ main, dark, tone, lamps }) {
    const glass = lamps ? rgb('#ffd98a') : tone(rgb('#8fb9cc'))
    const pane = (x: number, y: number) =>
      rect({ x: x - 8, y, width: 16, height: 15 }, fill(tone(white))) +
      rect({ x: x - 6.5, y: y + 1.5, width: 13, height: 12 }, fill(glass)) +
      path(`M${x} ${y + 1}V${y + 14}M${x - 7} ${y + 7.5}H${x + 7}`, stroke(tone(white), 1.2))
    return (
      rect({ x: 22, y: -96, width: 11, height: 26 }, fill(tone(rgb('#8a5a48')))) +
      rect({ x: -46, y: -54, width: 92, height: 54 }, fill(tone(rgb('#f3e6d2')))) +
      rect({ x: 20, y: -54, width: 26, height: 54 }, fill(tone(rgb('#d9c4ab')), 0.7)) +
      path('M-58 -52L0 -98L58 -52Z', fill(main)) +
      path('M0 -98L58 -52H36L-5 -94Z', fill(dark, 0.5)) +
      circle([0, -70], 7, fill(glass)) +
      pane(-28, -38) +
      pane(30, -38) +
      path('M-9 0V-26A9 9 0 0 1 9 -26V0Z', fill(tone(rgb('#7a4e3a')))) +
      circle([5.6, -15], 1.3, fill(tone(rgb('#e8c15a'))))
    )
  },
}

/** A large tree with a round crown. */
export const tree: Subject = {
  wide: 84,
  size: 1,
  rests: 'ground',
  colours: [rgb('#5b9a4e'), rgb('#6fa84f'), rgb('#3f7f52')],
  inSeason: ({ leaves }) => leaves,
  draw: ({ main, dark, light, tone }) =>
    path('M-6 0C-4 -14 -4 -30 -5 -44H5C4 -30 5 -14 8 0Z', fill(tone(rgb('#7a573e')))) +
    path('M0 -36L-16 -52M2 -34L16 -50', stroke(tone(rgb('#7a573e')), 3.4)) +
    circle([0, -50], 20, fill(dark)) +
    circle([-22, -58], 18, fill(dark)) +
    circle([22, -58], 18, fill(mix(main, dark, 0.5))) +
    circle([-12, -74], 19, fill(main)) +
    circle([13, -76], 19, fill(mix(main, light, 0.3))) +
    circle([0, -84], 15.5, fill(mix(main, light, 0.5))),
}
