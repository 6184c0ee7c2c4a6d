import { readFileSync } from 'node:fs'
import { fixturePath } from '../../package/files.ts'
import type { Random } from '../../worlds/random.ts'
import { black, hex, mix, rgb, white } from '../drawing/colour.ts'
import { text } from '../drawing/svg.ts'
import type { Rgb } from '../video/yuv.ts'
import type { Materials } from './light.ts'
import { circle, fill, stroke } from './shapes.ts'

/** The colours that a subject is drawn with, in the light of its scene. */
export interface Brush {
  /** Its own colour, a darker and a lighter one. */
  main: Rgb
  dark: Rgb
  light: Rgb
  /** Any other colour in the light of the scene. */
  tone(colour: Rgb): Rgb
  random: Random
  /** Windows and lamps are lit. */
  lamps: boolean
  /** The emoji of a sticker. */
  sign?: string | undefined
  /** Of a person. */
  skin?: Rgb
  hair?: Rgb
}

/**
 * How a subject is drawn: in a box that is 100 high, from -100 at the top to 0 under its feet, its middle at 0.
 */
export interface Subject {
  draw(brush: Brush): string
  /** The width of its box, in the same measure. */
  wide: number
  /** Its height as a part of the greatest height of the place. */
  size: number
  /** Where it is placed. Small animals sit on the seat of a place that has one. */
  rests: 'ground' | 'seat' | 'air'
  /** Its natural colours; the seed selects one when the prompt names none. */
  colours: readonly [Rgb, ...Rgb[]]
  /** Its colours where they change with the season. */
  inSeason?(materials: Materials): readonly [Rgb, ...Rgb[]] | undefined
}

/**
 * A subject that is a drawing in `fixtures/subjects/`, which a browser shows in its first colour. In it #rrggbb is seen in the light of the
 * scene, and `white` always. `main`, `dark` and `light` are the subject's own colours, `skin` and `hair` a person's, `main-dark-35` a
 * mixture with 35 % of the second; `lit` shines by itself, and `lamp-rrggbb` is a colour of lit lamps.
 */
export function drawnSubject(name: string): Subject {
  const file = readFileSync(fixturePath(`subjects/${name}.svg`), 'utf8')
  const [head = '', content = ''] = file.split('</title>')
  const fact = (key: string) => new RegExp(` ${key}="([^"]*)"`).exec(head)?.[1] ?? ''
  const [first = white, ...others] = fact('data-colours').split(' ').map(rgb)
  const inSeason = seasons[fact('data-season')]
  return {
    wide: Number(fact('viewBox').split(' ')[2]),
    size: Number(fact('data-size')),
    rests: fact('data-rests') as Subject['rests'],
    colours: [first, ...others],
    ...(inSeason && { inSeason }),
    draw: brush =>
      content
        .replace('</svg>', '')
        .replaceAll(/\n */g, '')
        .replaceAll(/var\(--([\w-]+), ([^)]+)\)|#\w{6}/g, (literal, name?: string, otherwise = '') =>
          name === undefined ? hex(brush.tone(rgb(literal))) : named(name, otherwise, brush),
        ),
  }
}

const seasons: Readonly<Record<string, Subject['inSeason']>> = {
  snow: ({ snow }: Materials) => (snow ? [rgb('#eef4fa')] : undefined),
  leaves: ({ leaves }: Materials) => leaves,
}

function named(name: string, otherwise: string, brush: Brush): string {
  if (name === 'lit') return otherwise
  const [first = '', ...mixed] = name.split('-')
  if (first === 'lamp')
    return brush.lamps ? `#${mixed[0]}` : otherwise === 'none' ? otherwise : hex(brush.tone(rgb(otherwise)))
  let colour = colourOf(first, brush)
  for (let i = 0; i < mixed.length; i += 2)
    colour = mix(colour, colourOf(mixed[i] ?? '', brush), Number(mixed[i + 1]) / 100)
  return hex(colour)
}

function colourOf(name: string, { main, dark, light, skin, hair, tone }: Brush): Rgb {
  const own: Readonly<Record<string, Rgb | undefined>> = { main, dark, light, skin, hair, black, white }
  return own[name] ?? tone(rgb(`#${name}`))
}

const skins = ['#f3c9a8', '#e0a987', '#b97f58', '#8a5a3f'].map(rgb) as [Rgb, ...Rgb[]]
const hairs = ['#2e2524', '#5a3a28', '#8d5a2f', '#c89a55', '#3a3a40'].map(rgb) as [Rgb, ...Rgb[]]

/** Someone of whom there are two drawings: `part` of all people are like the first one. */
export function drawnPerson(first: string, second: string, part: number): Subject {
  const [one, other] = [drawnSubject(first), drawnSubject(second)]
  return {
    ...one,
    draw(brush) {
      const { tone, random } = brush
      const [skin, hair] = [tone(random.pick(skins)), tone(random.pick(hairs))]
      return (random.next() < part ? one : other).draw({ ...brush, skin, hair })
    },
  }
}

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
