import type { Random } from '../../emulator/ground.ts'
import { black, hex, mix, type Rgb, rgb, white } from '../drawing/colour.ts'
import { text } from '../drawing/svg.ts'
import type { Materials } from './light.ts'
import { circle, ellipse, fill, round, stroke, thousandths } from './shapes.ts'
import type { SceneStage, Setting, Spot } from './stage.ts'
import { templateOf } from './templates.ts'
import type { SubjectKind, SubjectWord } from './words/lexicon.ts'

/** The colours that a subject is drawn with, in the light of its scene. */
interface Brush {
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
interface Subject {
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

/** A subject that is a drawing in `fixtures/subjects/`. */
function drawnSubject(name: string): Subject {
  const { fact, draw } = templateOf(`subjects/${name}`)
  const [first = white, ...others] = fact('data-colours').split(' ').map(rgb)
  const inSeason = seasons[fact('data-season')]
  return {
    wide: Number(fact('viewBox').split(' ')[2]),
    size: Number(fact('data-size')),
    rests: fact('data-rests') as Subject['rests'],
    colours: [first, ...others],
    ...(inSeason && { inSeason }),
    draw: ({ main, dark, light, skin, hair, ...palette }) =>
      draw({ ...palette, colours: { main, dark, light, skin, hair } }),
  }
}

const seasons: Readonly<Record<string, Subject['inSeason']>> = {
  snow: ({ snow }: Materials) => (snow ? [rgb('#eef4fa')] : undefined),
  leaves: ({ leaves }: Materials) => leaves,
}

const skins = ['#f3c9a8', '#e0a987', '#b97f58', '#8a5a3f'].map(rgb) as [Rgb, ...Rgb[]]
const hairs = ['#2e2524', '#5a3a28', '#8d5a2f', '#c89a55', '#3a3a40'].map(rgb) as [Rgb, ...Rgb[]]

/** Someone of whom there are two drawings: `part` of all people are like the first one. */
function drawnPerson(first: string, second: string, part: number): Subject {
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
const sticker: Subject = {
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

/** The drawings of this process, so that each file is read once. */
const drawings = new Map<SubjectKind, Subject>([['sticker', sticker]])

/** How a subject is drawn. */
function subjectOf(kind: SubjectKind): Subject {
  const subject = drawings.get(kind) ?? (people[kind] ?? drawnSubject)(kind)
  drawings.set(kind, subject)
  return subject
}

const people: Readonly<Record<string, () => Subject>> = {
  person: () => drawnPerson('person-in-dress', 'person-in-coat', 0.5),
  portrait: () => drawnPerson('portrait-with-long-hair', 'portrait-with-short-hair', 0.55),
}

export function isAnimal(kind: SubjectKind): boolean {
  return animals.has(kind)
}

const animals: ReadonlySet<SubjectKind> = new Set([
  ...(['cat', 'dog', 'rabbit', 'fox', 'bear', 'panda', 'lion', 'wolf', 'horse', 'deer', 'elephant'] as const),
  ...(['bird', 'butterfly', 'fish', 'whale'] as const),
])

/** Whether a subject sits where there is a seat. */
export function isSmall(kind: SubjectKind): boolean {
  const subject = subjectOf(kind)
  return subject.rests === 'seat' && subject.size < 0.9
}

/** The place of a subject in a setting, and its height. */
export function spotOf(
  { kind }: SubjectWord,
  stage: SceneStage,
  { strips, stand, seat, afloat }: Setting,
): Spot {
  const subject = subjectOf(kind)
  const room = seat && isSmall(kind) ? seat : afloat && kind === 'boat' ? afloat : stand
  const highest = (strips[1]?.top ?? 0) + 2
  const seen = stage.width - 2 * stage.margin
  const wanted = room.tall * (room === seat ? 1 : subject.size)
  const tall = Math.max(8, Math.min(wanted, room.foot - highest, (seen * 0.86 * 100) / subject.wide))
  const lift = subject.rests === 'air' ? (room.foot - highest - tall) * 0.6 : 0
  return { foot: room.foot - lift, tall }
}

/** A subject in its place, with its shadow. */
export function subjectSvg(
  { kind, sign, colour }: SubjectWord,
  stage: SceneStage,
  { foot, tall }: Spot,
): string {
  const subject = subjectOf(kind)
  const random = stage.random('subject')
  const colours = subject.inSeason?.(stage.materials) ?? subject.colours
  const own = colours[random.integer(0, colours.length - 1)] ?? colours[0]
  const lit = (plain: Rgb) => mix(stage.tone(plain), white, stage.light.time === 'night' ? 0.06 : 0)
  const main = lit(colour ?? own)
  const x = stage.margin + (stage.width - 2 * stage.margin) * (0.5 + (random.next() - 0.5) * 0.08)
  const drawn = subject.draw({
    main,
    dark: mix(main, mix(stage.light.sky[0], black, 0.5), 0.3),
    light: mix(main, lit(white), 0.38),
    tone: lit,
    random,
    lamps: stage.light.lamps,
    sign,
  })
  const scale = tall / 100
  const shadow =
    subject.rests === 'air' || kind === 'portrait' || kind === 'boat'
      ? ''
      : ellipse(
          [x + tall * 0.05, foot - tall * 0.004],
          [subject.wide * scale * 0.46, Math.max(2, tall * 0.035)],
          fill(mix(stage.light.sky[0], rgb('#000000'), 0.6), 0.26),
        )
  return `${shadow}<g transform="translate(${round(x)} ${round(foot)}) scale(${thousandths(scale)})">${drawn}</g>`
}
