import { black, mix, rgb, white } from '../colour.ts'
import { circle, fill, path, rect, stroke } from '../shapes.ts'
import type { Subject } from './subject.ts'

/** An engine with two carriages on its rails, to the right. */
export const train: Subject = {
  wide: 330,
  size: 0.5,
  rests: 'ground',
  colours: [rgb('#c9473c'), rgb('#2f6f9c'), rgb('#3f8a66'), rgb('#e0a63a')],
  draw({ main, dark, light, tone, lamps }) {
    const glass = lamps ? rgb('#ffe0a0') : tone(rgb('#a9cfe0'))
    const [steel, ink] = [tone(rgb('#6d747c')), tone(rgb('#2a2d33'))]
    const wheels = (from: number, count: number) =>
      Array.from(
        { length: count },
        (_, i) => circle([from + i * 24, -11], 9, fill(ink)) + circle([from + i * 24, -11], 4, fill(steel)),
      ).join('')
    const carriage = (left: number) =>
      rect({ x: left, y: -86, width: 96, height: 68, round: 5 }, fill(main)) +
      rect({ x: left - 2, y: -90, width: 100, height: 8, round: 3 }, fill(dark)) +
      rect({ x: left, y: -36, width: 96, height: 6 }, fill(light)) +
      [8, 30, 52, 74]
        .map(x => rect({ x: left + x, y: -72, width: 15, height: 24, round: 2 }, fill(glass)))
        .join('') +
      wheels(left + 14, 2) +
      wheels(left + 58, 2)
    return (
      rect({ x: -166, y: -3, width: 332, height: 3 }, fill(steel)) +
      rect({ x: -70, y: -28, width: 140, height: 8 }, fill(ink)) +
      carriage(-164) +
      carriage(-60) +
      path(
        'M46 -18V-86C46 -92 50 -96 56 -96H108C138 -94 156 -66 162 -30C163 -22 160 -18 154 -18Z',
        fill(main),
      ) +
      path('M46 -18V-30H162C163 -22 160 -18 154 -18Z', fill(dark)) +
      path('M110 -84C126 -80 138 -66 144 -54H108V-84Z', fill(glass)) +
      path('M112 -82L120 -80L114 -54H109Z', fill(white, 0.35)) +
      [58, 82].map(x => rect({ x, y: -76, width: 17, height: 24, round: 2 }, fill(glass))).join('') +
      rect({ x: 46, y: -42, width: 112, height: 5 }, fill(light)) +
      circle([154, -36], 4, fill(lamps ? rgb('#fff2c4') : tone(rgb('#f6efd2')))) +
      wheels(64, 2) +
      wheels(118, 2)
    )
  },
}

/** A bicycle that stands on its own, to the right. */
export const bicycle: Subject = {
  wide: 176,
  size: 0.62,
  rests: 'ground',
  colours: [rgb('#d8453c'), rgb('#2f7f9c'), rgb('#e2a93a'), rgb('#3f8f6a')],
  draw({ main, dark, tone }) {
    const [ink, steel] = [tone(rgb('#2b2d33')), tone(rgb('#aab1b8'))]
    const spokes = (x: number) =>
      Array.from({ length: 12 }, (_, i) => {
        const angle = (i * Math.PI) / 6
        return `M${x} -34L${Math.round((x + Math.cos(angle) * 30) * 10) / 10} ${Math.round((-34 + Math.sin(angle) * 30) * 10) / 10}`
      }).join('')
    const wheel = (x: number) =>
      path(spokes(x), stroke(steel, 0.8)) +
      `<circle cx="${x}" cy="-34" r="32" ${stroke(ink, 4)}/>` +
      circle([x, -34], 3.4, fill(ink))
    return (
      wheel(-52) +
      wheel(54) +
      path('M-52 -34L-26 -76L34 -76L-4 -34ZM-26 -76L-4 -34', stroke(main, 5)) +
      path('M54 -34L34 -76L31 -92', stroke(mix(main, black, 0.1), 5)) +
      path('M31 -92Q20 -100 10 -94M31 -92Q44 -98 50 -88', stroke(ink, 3.6)) +
      path('M-26 -76L-30 -88', stroke(steel, 3.6)) +
      path('M-46 -91Q-30 -95 -16 -89Q-24 -85 -32 -86Q-42 -86 -46 -91Z', fill(dark)) +
      circle([-4, -34], 8, fill(steel)) +
      path('M-4 -34L6 -20M-4 -34L-14 -48M2 -20H11M-18 -48H-10', stroke(ink, 2.6))
    )
  },
}
