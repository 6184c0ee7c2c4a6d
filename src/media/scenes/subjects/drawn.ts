import { readFileSync } from 'node:fs'
import { fixturePath } from '../../../package/files.ts'
import type { Rgb } from '../../video/yuv.ts'
import { black, hex, mix, rgb, white } from '../colour.ts'
import type { Materials } from '../materials.ts'
import type { Brush, Subject } from './subject.ts'

/**
 * A subject that is a drawing in `fixtures/subjects/`, which a browser shows in its first colour. In it #rrggbb is seen in the light of the
 * scene, and `white` always. `main`, `dark` and `light` are the subject's own colours, `main-dark-35` a mixture with 35 % of the second;
 * `lit` shines by itself, and `lamp-rrggbb` is a colour of lit lamps.
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

function colourOf(name: string, { main, dark, light, tone }: Brush): Rgb {
  const own: Readonly<Record<string, Rgb>> = { main, dark, light, black, white }
  return own[name] ?? tone(rgb(`#${name}`))
}
