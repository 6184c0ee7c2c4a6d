import { rgb, white } from '../colour.ts'
import { circle, fill, path, rect, stroke } from '../shapes.ts'
import type { Subject } from './subject.ts'

/** A castle with four towers, flags and a gate. */
export const castle: Subject = {
  wide: 132,
  size: 1,
  rests: 'ground',
  colours: [rgb('#4f6f96'), rgb('#9c4a41'), rgb('#5a7a58')],
  inSeason: ({ snow }) => (snow ? [rgb('#eef4fa')] : undefined),
  draw({ main, dark, tone, lamps }) {
    const [stone, shade] = [tone(rgb('#d6cbb8')), tone(rgb('#b3a690'))]
    const glass = lamps ? rgb('#ffd98a') : tone(rgb('#55606e'))
    const tower = (x: number, half: number, top: number) =>
      rect({ x: x - half, y: top, width: half * 2, height: -top }, fill(stone)) +
      rect({ x: x + half * 0.3, y: top, width: half * 0.7, height: -top }, fill(shade, 0.7)) +
      path(`M${x - half - 3} ${top}L${x} ${top - half * 2.3}L${x + half + 3} ${top}Z`, fill(main)) +
      path(`M${x} ${top - half * 2.3}L${x + half + 3} ${top}H${x + half * 0.3}Z`, fill(dark, 0.55)) +
      rect({ x: x - 2, y: top + 8, width: 4, height: 9, round: 2 }, fill(glass))
    const flag = (x: number, y: number) =>
      path(`M${x} ${y}V${y - 8}`, stroke(tone(rgb('#5f4535')), 1)) +
      path(`M${x} ${y - 8}L${x + 9} ${y - 5.6}L${x} ${y - 3.4}Z`, fill(tone(rgb('#d9473c'))))
    const teeth = (left: number, count: number, y: number) =>
      Array.from({ length: count }, (_, i) => `M${left + i * 8} ${y}v-5h4v5Z`).join('')
    return (
      tower(-14, 8, -62) +
      tower(18, 8, -66) +
      flag(-14, -80) +
      flag(18, -84) +
      rect({ x: -50, y: -40, width: 100, height: 40 }, fill(stone)) +
      path(teeth(-48, 12, -40), fill(stone)) +
      rect({ x: 16, y: -40, width: 34, height: 40 }, fill(shade, 0.4)) +
      tower(-50, 11, -48) +
      tower(50, 11, -48) +
      [-26, 26].map(x => rect({ x: x - 2, y: -28, width: 4, height: 10, round: 2 }, fill(glass))).join('') +
      path('M-11 0V-16A11 12 0 0 1 11 -16V0Z', fill(tone(rgb('#5a3d2c')))) +
      path('M-5 0V-25M0 0V-27M5 0V-25', stroke(tone(rgb('#3d2a20')), 0.8))
    )
  },
}

/** A pagoda of three roofs on a flight of steps. */
export const temple: Subject = {
  wide: 112,
  size: 1,
  rests: 'ground',
  colours: [rgb('#a8402f'), rgb('#3f6f66'), rgb('#5a4a72')],
  inSeason: ({ snow }) => (snow ? [rgb('#eef4fa')] : undefined),
  draw({ main, dark, tone, lamps }) {
    const [wall, wood] = [tone(rgb('#efe2c8')), tone(rgb('#8c3f2c'))]
    const light = lamps ? rgb('#ffd98a') : tone(rgb('#6b5340'))
    const floor = (y: number, half: number, tall: number) =>
      rect({ x: -half, y: y - tall, width: half * 2, height: tall }, fill(wall)) +
      [-half, -half * 0.4, half * 0.4, half]
        .map(x => rect({ x: x - 1.4, y: y - tall, width: 2.8, height: tall }, fill(wood)))
        .join('') +
      rect({ x: -half * 0.26, y: y - tall * 0.8, width: half * 0.52, height: tall * 0.8 }, fill(light))
    const roof = (y: number, half: number) =>
      path(
        `M${-half} ${y - 1}Q${-half * 0.6} ${y - 3} ${-half * 0.42} ${y - 13}H${half * 0.42}Q${half * 0.6} ${y - 3} ${half} ${y - 1}L${half - 2} ${y + 2}H${-half + 2}Z`,
        fill(main),
      ) + path(`M${-half + 2} ${y + 2}H${half - 2}L${half - 6} ${y + 4}H${-half + 6}Z`, fill(dark))
    return (
      rect({ x: -54, y: -5, width: 108, height: 5 }, fill(tone(rgb('#a39a8c')))) +
      rect({ x: -47, y: -10, width: 94, height: 5 }, fill(tone(rgb('#beb5a6')))) +
      floor(-10, 34, 20) +
      roof(-30, 52) +
      floor(-43, 24, 13) +
      roof(-56, 40) +
      floor(-69, 16, 10) +
      roof(-78, 30) +
      path('M0 -91V-100', stroke(tone(rgb('#c9a24a')), 2)) +
      circle([0, -94], 2.2, fill(tone(rgb('#e8c15a')))) +
      [-30, 30].map(x => circle([x, -22], 3, fill(lamps ? rgb('#ffb45c') : tone(rgb('#d9473c'))))).join('') +
      path('M-10 -10V-25H10V-10Z', fill(tone(rgb('#4a2f24')))) +
      path('M0 -10V-25', stroke(tone(white), 0.6, 0.4))
    )
  },
}

/** A round tower with stripes, a gallery and a lamp that shines when it is dark. */
export const lighthouse: Subject = {
  wide: 62,
  size: 1.15,
  rests: 'ground',
  colours: [rgb('#c8432f'), rgb('#2f5f9a'), rgb('#3b4350')],
  draw({ main, dark, tone, lamps }) {
    const [wall, iron] = [tone(rgb('#f1ece2')), tone(rgb('#3b3f48'))]
    const lamp = lamps ? rgb('#ffe6a0') : tone(rgb('#cfdbe2'))
    // The tower is 13 wide at its top and 26 at its foot.
    const half = (y: number) => 6.5 + ((y + 74) / 68) * 6.5
    const ring = (top: number, bottom: number, right = 1) =>
      `M${-half(top) * (right === 1 ? 1 : -0.35)} ${top}H${half(top)}L${half(bottom)} ${bottom}H${-half(bottom) * (right === 1 ? 1 : -0.35)}Z`
    const beam = (side: number) => path(`M0 -82L${side * 90} -98V-70Z`, fill(rgb('#ffe6a0'), 0.22))
    return (
      (lamps ? beam(-1) + beam(1) : '') +
      path('M-31 0Q-27 -7 -14 -7H15Q28 -6 31 0Z', fill(tone(rgb('#8b8377')))) +
      path(ring(-74, -6), fill(wall)) +
      [-66, -42, -18].map(y => path(ring(y, y + 12), fill(main))).join('') +
      path(ring(-74, -6, 0.35), fill(dark, 0.3)) +
      [-50, -27].map(y => rect({ x: -1.8, y, width: 3.6, height: 6, round: 1.8 }, fill(iron))).join('') +
      path('M-4 -6V-13A4 4 0 0 1 4 -13V-6Z', fill(iron)) +
      rect({ x: -10, y: -77, width: 20, height: 3, round: 1 }, fill(iron)) +
      rect({ x: -5, y: -88, width: 10, height: 11 }, fill(lamp)) +
      path('M0 -88V-77M-5 -88V-77M5 -88V-77', stroke(iron, 0.8)) +
      path('M-7 -88Q0 -99 7 -88Z', fill(main)) +
      circle([0, -95.5], 1.4, fill(iron))
    )
  },
}
