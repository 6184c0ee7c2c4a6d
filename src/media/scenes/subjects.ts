import { black, mix, rgb, white } from '../drawing/colour.ts'
import type { Rgb } from '../video/yuv.ts'
import { drawnPerson, drawnSubject, type Subject, sticker } from './drawn-subject.ts'
import type { Place } from './places.ts'
import type { SubjectWord } from './scene-words.ts'
import { ellipse, fill, round } from './shapes.ts'
import type { SceneStage, Setting, Spot } from './stage.ts'

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

export type SubjectKind = keyof typeof homes

/** Where each subject is shown when the prompt names no place. */
const homes = {
  cat: 'interior',
  dog: 'interior',
  rabbit: 'field',
  fox: 'forest',
  bear: 'forest',
  panda: 'forest',
  lion: 'desert',
  wolf: 'mountains',
  horse: 'field',
  deer: 'forest',
  elephant: 'desert',
  bird: 'clouds',
  butterfly: 'field',
  fish: 'underwater',
  whale: 'underwater',
  person: 'city',
  portrait: 'studio',
  astronaut: 'space',
  robot: 'studio',
  train: 'field',
  bicycle: 'city',
  car: 'city',
  boat: 'sea',
  plane: 'clouds',
  balloon: 'clouds',
  rocket: 'space',
  bottle: 'studio',
  cup: 'studio',
  flowers: 'studio',
  fruit: 'studio',
  castle: 'mountains',
  temple: 'mountains',
  lighthouse: 'sea',
  house: 'field',
  tree: 'field',
  sticker: 'studio',
} as const satisfies Record<string, Place>

export function homeOf(kind: SubjectKind): Place {
  return homes[kind]
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
  return `${shadow}<g transform="translate(${round(x)} ${round(foot)}) scale(${Math.round(scale * 1000) / 1000})">${drawn}</g>`
}
