import { readFileSync } from 'node:fs'
import { fixturePath } from '../../emulator/ground.ts'
import { black, hex, mix, type Rgb, rgb, white } from '../drawing/colour.ts'
import { type Point, round, thousandths } from './shapes.ts'
import type { SceneStage } from './stage.ts'

/** The colours that a template is drawn with, by the names in it, and what else it asks for. */
export interface Palette {
  colours: Readonly<Record<string, Rgb | undefined>>
  /** Any other colour in the light of the scene. */
  tone(colour: Rgb): Rgb
  /** Windows and lamps are lit. */
  lamps: boolean
  /** Numbers of which the template has a first value. */
  numbers?: Readonly<Record<string, number>>
}

/** The facts at the head of a template, and what it draws in a box that is 100 high, from -100 at the top to 0 under its foot, its middle at 0. */
interface Template {
  fact(key: string): string
  draw(palette: Palette): string
}

/** The templates of this process, so that each file is read once. */
const templates = new Map<string, Template>()

/**
 * A drawing of `fixtures/`, which a browser shows in its first colours; each is read once. In it #rrggbb is seen in the light of the scene,
 * and `white` always. `main` and other names are colours of the palette, `main-dark-35` is a mixture with 35 % of the second; `lit`
 * shines by itself, and `lamp-rrggbb` is a colour of lit lamps.
 */
export function templateOf(path: string): Template {
  const known = templates.get(path)
  if (known) return known
  const [head = '', content = ''] = readFileSync(fixturePath(`${path}.svg`), 'utf8').split('</title>')
  const shapes = content.replace('</svg>', '').replaceAll(/\n */g, '')
  const template: Template = {
    fact: key => new RegExp(` ${key}="([^"]*)"`).exec(head)?.[1] ?? '',
    draw: palette =>
      shapes.replaceAll(
        /var\(--([\w-]+), ([^)]+)\)|#[\da-f]{6}/g,
        (literal, name?: string, otherwise = '') =>
          name === undefined ? hex(palette.tone(rgb(literal))) : replacementOf(name, otherwise, palette),
      ),
  }
  templates.set(path, template)
  return template
}

function replacementOf(name: string, otherwise: string, palette: Palette): string {
  if (name === 'lit') return otherwise
  const number = palette.numbers?.[name]
  if (number !== undefined) return String(round(number))
  const [first = '', ...mixed] = name.split('-')
  if (first === 'lamp')
    return palette.lamps
      ? `#${mixed[0]}`
      : otherwise === 'none'
        ? otherwise
        : hex(palette.tone(rgb(otherwise)))
  let colour = colourOf(first, palette)
  for (let i = 0; i < mixed.length; i += 2)
    colour = mix(colour, colourOf(mixed[i] ?? '', palette), Number(mixed[i + 1]) / 100)
  return hex(colour)
}

function colourOf(name: string, { colours, tone }: Palette): Rgb {
  return colours[name] ?? { black, white }[name] ?? tone(rgb(`#${name}`))
}

/** Where a thing of a place stands: the middle of its foot, its height, and its width where that is not in proportion. */
interface Spot {
  at: Point
  tall: number
  wide?: number
  /** How far it has faded into the air. */
  far?: number
  /** Its own colour, and others that are its own. */
  main?: Rgb
  colours?: Palette['colours']
  numbers?: Palette['numbers']
}

/** A thing that belongs to a place, as `fixtures/scenery/` draws it. */
export function thing(
  { light, tone }: SceneStage,
  name: string,
  { at: [x, y], tall, wide, far, main, colours: own, numbers }: Spot,
): string {
  const template = templateOf(`scenery/${name}`)
  const [high, middle, low] = light.sky
  const colours = { main, high, middle, low, disc: light.sun.disc, glow: light.sun.glow, ...own }
  const drawn = template.draw({
    colours,
    tone: colour => tone(colour, far),
    lamps: light.lamps,
    ...(numbers && { numbers }),
  })
  const across = wide === undefined ? '' : ` ${thousandths(tall / 100)}`
  const natural = Number(template.fact('viewBox').split(' ')[2])
  const scale = wide === undefined ? tall / 100 : wide / natural
  return `<g transform="translate(${round(x)} ${round(y)}) scale(${thousandths(scale)}${across})">${drawn}</g>`
}
