import { text } from '../../drawing/svg-text.ts'
import { black, hex, mix, rgb } from '../colour.ts'
import { circle, fill, stroke } from '../shapes.ts'
import type { Subject } from './subject.ts'

/** A round sticker with an emoji, for things that have no drawing of their own. */
export const sticker: Subject = {
  wide: 100,
  size: 0.9,
  rests: 'ground',
  colours: [rgb('#d8472f'), rgb('#2b6cb0'), rgb('#2f855a'), rgb('#6b46c1'), rgb('#b7791f')],
  // Paper stays light at night: otherwise the sign could not be read.
  draw: ({ main, sign = '' }) =>
    circle([0, -50], 50, fill(rgb('#e4e4e8'))) +
    circle([0, -50], 49, fill(rgb('#fbfaf7'))) +
    circle([0, -50], 44, stroke(main, 2.4)) +
    text(sign, { x: 0, y: -28, size: 60, anchor: 'middle', fill: hex(mix(main, black, 0.5)) }),
}
