import { black, mix, oklch, type Rgb, rgb, tinted, under, white } from '../../drawing/colour.ts'
import { flecks } from '../parts/ground.ts'
import { ellipse, fill, path, rect, round } from '../shapes.ts'
import { type Band, type Rows, type SceneStage, type Setting, stripsOf } from '../stage.ts'
import { isSmall } from '../subjects.ts'
import { thing } from '../templates.ts'

/** Wall, sofa, rug and floor that go together. */
const rooms: readonly [Codes, ...Codes[]] = [
  ['#b9c4b4', '#c8794f', '#e7d5bd', '#b98a63'],
  ['#d9b8a4', '#4f7480', '#efe0cd', '#a9764f'],
  ['#a9b9c6', '#d3a04a', '#d7dde0', '#b59373'],
  ['#c9b9cf', '#6a5f94', '#eadfe6', '#b08a70'],
  ['#7f9c9a', '#e0c9a6', '#c9633f', '#8f6548'],
]

type Codes = readonly [wall: string, sofa: string, rug: string, floor: string]

/** The colours of a room in its light. */
interface Room {
  wall: Rgb
  sofa: Rgb
  rug: Rgb
  floor: Rgb
}

/** A living room: window, sofa, plant and lamp, a rug, a table in front. */
export function interior(stage: SceneStage): Setting {
  const inside = indoors(stage)
  const { line, height, width, tone } = inside
  const { subject } = stage.words
  const [first, floor, near] = subject && isSmall(subject.kind) ? [0.3, 0.84, 0.93] : [0.38, 0.74, 0.88]
  const room = roomOf(inside)
  const sofa = { top: line(first), tall: line(floor) - line(first) }
  const boards = mix(room.floor, white, 0.06)
  const wood = tone(rgb('#7d553c'))
  const edge = mix(wood, black, 0.3)
  return {
    strips: stripsOf(stage, [
      [
        0,
        0.1,
        rows => [wall(inside, rows, room), window(inside, rows), frames(inside, rows), shine(inside, sofa)],
      ],
      [first, 0.3, rows => [seating(inside, rows, room)]],
      [
        floor,
        0.62,
        rows => [
          stage.shade(rows, [room.floor, boards]),
          thing(inside, 'rug', {
            at: [width / 2, rows.at(0.92)],
            tall: rows.tall * 0.84,
            wide: seenOf(inside) * 0.8,
            main: room.rug,
          }),
        ],
      ],
      [
        near,
        1,
        rows => {
          const [top, at] = [rows.at(0.58), inside.margin + seenOf(inside) * 0.16]
          return [
            stage.shade({ top: rows.top, bottom: top }, [boards, mix(boards, black, 0.1)]),
            thing(inside, 'books-and-cup', { at: [at, top], tall: rows.tall }),
            stage.shade({ top, bottom: rows.bottom }, [mix(wood, white, 0.12), edge]),
          ]
        },
        edge,
      ],
    ]),
    air: 'closed',
    stand: { foot: line(0.86), tall: height * 0.46 },
    seat: { foot: sofa.top + sofa.tall * 0.66, tall: sofa.tall * 0.6 },
  }
}

/** The width without the margins. */
function seenOf({ width, margin }: SceneStage): number {
  return width - 2 * margin
}

/** The light in a room is softer than outside, and warm where lamps are lit. */
function indoors(stage: SceneStage): SceneStage {
  const { light } = stage
  const lamp = rgb('#ffdfb0')
  const ambient = {
    night: mix(light.ambient, lamp, 0.42),
    evening: mix(light.ambient, lamp, 0.6),
    morning: mix(light.ambient, white, 0.3),
    noon: mix(light.ambient, white, 0.3),
  }[light.time]
  return { ...stage, light: { ...light, ambient }, tone: colour => under(colour, ambient) }
}

function roomOf({ random, words, tone }: SceneStage): Room {
  const [wall, sofa, rug, floor] = random('room').pick(rooms)
  const colour = (code: string, part: number) =>
    tone(words.tint ? tinted(rgb(code), words.tint, part) : rgb(code))
  return {
    wall: colour(wall, 0.6),
    sofa: colour(sofa, 0.35),
    rug: colour(rug, 0.25),
    floor: tone(rgb(floor)),
  }
}

/** The wall is lighter below, where the light of the window falls; its upper edge is calm and dark enough for type. */
function wall(stage: SceneStage, { top, bottom }: { top: number; bottom: number }, room: Room): string {
  const at = (row: number) =>
    mix(mix(room.wall, black, 0.24), mix(room.wall, white, 0.06), Math.min(1, row / (stage.height * 0.6)))
  return stage.shade({ top, bottom }, [at(top), at(bottom)])
}

/** Two pictures, where the room is wide. */
function frames(stage: SceneStage, { bottom }: Rows): string {
  const { margin, unit, height } = stage
  const seen = seenOf(stage)
  if (seen < height * 1.2) return ''
  const tall = Math.min(bottom * 0.42, unit * 14)
  const x = margin + seen * 0.24
  return (
    thing(stage, 'framed-picture', { at: [x, bottom * 0.52 + tall / 2], tall }) +
    thing(stage, 'framed-picture', { at: [x + tall * 1.05, bottom * 0.6 + tall * 0.36], tall: tall * 0.72 })
  )
}

function seating(stage: SceneStage, { top, bottom, tall, at }: Rows, room: Room): string {
  const { width, unit, tone } = stage
  const [ground, foot, middle] = [at(0.8), at(0.94), width / 2]
  const wide = sofaWidth(stage, tall)
  return [
    wall(stage, { top, bottom: ground }, room),
    rect([0, ground - unit * 0.9], [width, unit * 0.9], fill(mix(tone(white), room.wall, 0.35))),
    stage.shade({ top: ground, bottom }, [mix(room.floor, black, 0.12), room.floor]),
    shine(stage, { top, tall }),
    thing(stage, 'floor-lamp', { at: [middle + wide * 0.62, foot], tall: tall * 0.88 }),
    thing(stage, 'potted-plant', { at: [middle - wide * 0.64, foot], tall: tall * 0.84 }),
    ellipse([middle, at(0.95)], [wide * 0.52, tall * 0.04], fill(black, 0.16)),
    thing(stage, 'sofa', { at: [middle, foot], tall: tall * 0.77, wide, main: room.sofa }),
  ].join('')
}

function sofaWidth(stage: SceneStage, tall: number): number {
  return Math.min(seenOf(stage) * 0.78, tall * 2.1)
}

/** The light of the lamp on the wall beside the sofa; it reaches into the strip above. */
function shine(stage: SceneStage, { top, tall }: { top: number; tall: number }): string {
  if (!stage.light.lamps) return ''
  const x = stage.width / 2 + sofaWidth(stage, tall) * 0.62
  return stage.glow({ x, y: top + tall * 0.16, radius: tall * 0.8 }, rgb('#ffd890'), 0.6)
}

/** A window in the middle of the wall, with the sky of the scene behind it. */
function window(stage: SceneStage, { bottom }: Rows): string {
  const { margin, light, words, materials, height } = stage
  const hill = words.season ? mix(materials.meadow, materials.leaves[2], 0.3) : rgb('#3f6b5a')
  const [high, low] = [height * 0.055, bottom * 0.93]
  const tall = Math.min(low - high, seenOf(stage) * 0.336)
  return thing(stage, 'window', {
    at: [margin + seenOf(stage) * 0.56, (high + low + tall) / 2],
    tall,
    main: mix(light.sky[2], hill, light.time === 'night' ? 0.4 : 0.62),
    numbers: { sun: -18 - light.sun.high * 60 },
  })
}

/** Hues of backdrops; dark yellow and olive are not among them. */
const hues = [22, 48, 158, 196, 232, 262, 300, 345] as const

/** A calm backdrop with an arch of another tone, a round stage, a table in front. */
export function studio(stage: SceneStage): Setting {
  const { line, words, width } = stage
  const [first, table] = [line(0.16), line(0.8)]
  const colours = coloursOf(stage)
  const isBust = words.subject?.kind === 'portrait'
  const podium = (rows: Rows) =>
    thing(stage, 'podium', {
      at: [width / 2, rows.bottom],
      tall: rows.tall * 0.17,
      wide: 2 * Math.min(rows.tall * 0.42, seenOf(stage) * 0.4),
      main: colours.arch,
    })
  const planks = (from: number, depth: number, [upper, lower]: readonly [Rgb, Rgb]): Band => {
    const look = fill(white, 0.1)
    const shine = { name: `shine ${depth}`, apart: 26, wide: [8, 18], thick: [0.25, 0], look } as const
    return [from, depth, rows => [stage.shade(rows, [upper, lower]), flecks(stage, rows, shine)], lower]
  }
  const wood = colours.table
  return {
    strips: stripsOf(stage, [
      [0, 0.06, rows => [backdrop(stage, rows, colours)]],
      [
        0.16,
        0.3,
        rows => [backdrop(stage, rows, colours), arch(stage, rows, colours), isBust ? '' : podium(rows)],
      ],
      planks(0.8, 0.66, [mix(wood, white, 0.14), wood]),
      planks(0.92, 1, [mix(wood, black, 0.22), mix(wood, black, 0.4)]),
    ]),
    air: 'open',
    stand: isBust
      ? { foot: table, tall: (table - first) * 0.94 }
      : { foot: first + (table - first) * 0.83, tall: (table - first) * 0.66 },
  }
}

interface Colours {
  wall: Rgb
  arch: Rgb
  table: Rgb
}

function coloursOf({ random, words, light }: SceneStage): Colours {
  if (words.white) return { wall: white, arch: white, table: white }
  const hue = random('studio').pick(hues)
  const dark = { morning: 0.04, noon: 0, evening: 0.1, night: 0.24 }[light.time]
  const colour = (lightness: number, chroma: number, turn: number) => {
    const plain = oklch(lightness - dark, chroma, hue + turn)
    return words.tint ? tinted(plain, words.tint, 0.7) : plain
  }
  return { wall: colour(0.66, 0.075, 0), arch: colour(0.8, 0.08, 38), table: colour(0.56, 0.085, 12) }
}

/** One gradient from the upper edge to the table. */
function backdrop(stage: SceneStage, rows: Rows, { wall: colour }: Colours): string {
  const edge = mix(colour, black, stage.words.white ? 0 : 0.2)
  const at = (row: number) => mix(edge, mix(colour, white, 0.16), row / (stage.height * 0.8))
  return stage.shade(rows, [at(rows.top), at(rows.bottom)])
}

function arch(stage: SceneStage, rows: Rows, { arch: colour }: Colours): string {
  const r = Math.min(rows.tall * 0.41, seenOf(stage) * 0.37)
  const x = stage.width / 2 + (stage.random('arch').next() - 0.5) * r * 0.4
  const d = `M${round(x - r)} ${round(rows.bottom)}V${round(rows.at(0.05) + r)}a${round(r)} ${round(r)} 0 0 1 ${round(2 * r)} 0V${round(rows.bottom)}Z`
  return path(d, fill(mix(colour, white, 0.08)))
}
