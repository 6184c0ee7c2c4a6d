import { black, mix, oklch, type Rgb, rgb, tinted, white } from '../../drawing/colour.ts'
import { ellipse, fill, path, rect, round } from '../shapes.ts'
import { type SceneRows, type SceneStage, type Setting, type Strip, strip } from '../stage.ts'
import { isSmall } from '../subjects.ts'
import { thing } from '../templates.ts'

/** Wall, sofa and rug that go together. */
const rooms: readonly [Codes, ...Codes[]] = [
  { wall: '#b9c4b4', sofa: '#c8794f', rug: '#e7d5bd', floor: '#b98a63' },
  { wall: '#d9b8a4', sofa: '#4f7480', rug: '#efe0cd', floor: '#a9764f' },
  { wall: '#a9b9c6', sofa: '#d3a04a', rug: '#d7dde0', floor: '#b59373' },
  { wall: '#c9b9cf', sofa: '#6a5f94', rug: '#eadfe6', floor: '#b08a70' },
  { wall: '#7f9c9a', sofa: '#e0c9a6', rug: '#c9633f', floor: '#8f6548' },
]

type Codes = Readonly<Record<keyof Room, string>>

interface Room {
  wall: Rgb
  sofa: Rgb
  rug: Rgb
  floor: Rgb
}

/** A living room: window, sofa, plant and lamp, a rug, a table in front. */
export function interior(stage: SceneStage): Setting {
  const inside = indoors(stage)
  const { line, height } = stage
  const { subject } = stage.words
  const isSeated = subject !== undefined && isSmall(subject.kind)
  const [first, floor, near] = isSeated
    ? [line(0.3), line(0.84), line(0.93)]
    : [line(0.38), line(0.74), line(0.88)]
  const room = roomOf(inside)
  const seat = { foot: first + (floor - first) * 0.66, tall: (floor - first) * 0.6 }
  return {
    strips: [
      strip({ top: 0, depth: 0.1 }, () => [
        wall(inside, { top: 0, bottom: first }, room),
        window(inside, { top: height * 0.055, bottom: first - first * 0.07 }),
        frames(inside, first),
        shine(inside, { top: first, bottom: floor }),
      ]),
      strip({ top: first, depth: 0.3 }, () => [seating(inside, { top: first, bottom: floor }, room)]),
      rugs(inside, { top: floor, bottom: near }, room),
      table(inside, { top: near, bottom: height }, room),
    ],
    air: 'closed',
    stand: { foot: line(0.86), tall: height * 0.46 },
    seat,
  }
}

/** The light in a room is softer than outside, and warm where lamps are lit. */
function indoors(stage: SceneStage): SceneStage {
  const { light } = stage
  const lamp = rgb('#ffdfb0')
  const ambient =
    light.time === 'night'
      ? mix(light.ambient, lamp, 0.42)
      : light.time === 'evening'
        ? mix(light.ambient, lamp, 0.6)
        : mix(light.ambient, white, 0.3)
  const tone = (colour: Rgb) =>
    [0, 1, 2].map(i => Math.round(((colour[i] ?? 0) * (ambient[i] ?? 0)) / 255)) as unknown as Rgb
  return { ...stage, light: { ...light, ambient }, tone }
}

function roomOf({ random, words }: SceneStage): Room {
  const room = random('room').pick(rooms)
  const colour = (code: string, part: number) =>
    words.tint ? tinted(rgb(code), words.tint, part) : rgb(code)
  return {
    wall: colour(room.wall, 0.6),
    sofa: colour(room.sofa, 0.35),
    rug: colour(room.rug, 0.25),
    floor: rgb(room.floor),
  }
}

/** The wall is lighter below, where the light of the window falls; its upper edge is calm and dark enough for type. */
function wall(stage: SceneStage, { top, bottom }: SceneRows, room: Room): string {
  const colour = stage.tone(room.wall)
  const at = (row: number) =>
    mix(mix(colour, black, 0.24), mix(colour, white, 0.06), Math.min(1, row / (stage.height * 0.6)))
  return stage.shade({ top, bottom }, [at(top), at(bottom)])
}

function frames(stage: SceneStage, bottom: number): string {
  const { width, margin, unit } = stage
  const seen = width - 2 * margin
  if (seen < stage.height * 1.2) return ''
  const tall = Math.min(bottom * 0.42, unit * 14)
  return (
    thing(stage, 'framed-picture', { at: [margin + seen * 0.24, bottom * 0.52 + tall / 2], tall }) +
    thing(stage, 'framed-picture', {
      at: [margin + seen * 0.24 + tall * 1.05, bottom * 0.6 + tall * 0.36],
      tall: tall * 0.72,
    })
  )
}

function seating(stage: SceneStage, { top, bottom }: SceneRows, room: Room): string {
  const { width, margin, height, unit } = stage
  const seen = width - 2 * margin
  const tall = bottom - top
  const ground = bottom - tall * 0.2
  const middle = margin + seen * 0.5
  const wide = Math.min(seen * 0.78, tall * 2.1)
  const floor = stage.tone(room.floor)
  const foot = bottom - tall * 0.06
  return (
    wall(stage, { top, bottom: ground }, room) +
    rect(
      [0, ground - unit * 0.9],
      [width, unit * 0.9],
      fill(mix(stage.tone(white), stage.tone(room.wall), 0.35)),
    ) +
    stage.shade({ top: ground, bottom: Math.max(bottom, height * 0.1) }, [mix(floor, black, 0.12), floor]) +
    shine(stage, { top, bottom }) +
    thing(stage, 'floor-lamp', { at: [middle + wide * 0.62, foot], tall: tall * 0.88 }) +
    thing(stage, 'potted-plant', { at: [middle - wide * 0.64, foot], tall: tall * 0.84 }) +
    ellipse([middle, bottom - tall * 0.05], [wide * 0.52, tall * 0.04], fill(black, 0.16)) +
    thing(stage, 'sofa', { at: [middle, foot], tall: tall * 0.77, wide, main: stage.tone(room.sofa) })
  )
}

/** The light of the lamp on the wall; it reaches into the strip above. */
function shine(stage: SceneStage, { top, bottom }: SceneRows): string {
  if (!stage.light.lamps) return ''
  const tall = bottom - top
  const wide = Math.min((stage.width - 2 * stage.margin) * 0.78, tall * 2.1)
  return stage.glow(
    { x: stage.width / 2 + wide * 0.62, y: top + tall * 0.16, radius: tall * 0.8 },
    rgb('#ffd890'),
    0.6,
  )
}

function rugs(stage: SceneStage, { top, bottom }: SceneRows, room: Room): Strip {
  const { width, margin } = stage
  const floor = stage.tone(room.floor)
  const [x, y, tall] = [width / 2, (top + bottom) / 2, bottom - top]
  const rug = stage.tone(room.rug)
  const wide = (width - 2 * margin) * 0.4
  return strip({ top, depth: 0.62 }, () => [
    stage.shade({ top, bottom }, [floor, mix(floor, white, 0.06)]),
    ellipse([x, y], [wide, tall * 0.42], fill(mix(rug, black, 0.1))),
    ellipse([x, y - tall * 0.02], [wide, tall * 0.4], fill(rug)),
    ellipse(
      [x, y - tall * 0.02],
      [wide * 0.84, tall * 0.32],
      `fill="none" stroke="#fff" stroke-opacity=".45" stroke-width="${round(tall * 0.03)}"`,
    ),
  ])
}

/** The edge of a table in front, with a cup and books. */
function table(stage: SceneStage, { top, bottom }: SceneRows, room: Room): Strip {
  const { width, margin, tone } = stage
  const tall = bottom - top
  const edge = top + tall * 0.58
  const boards = mix(tone(room.floor), white, 0.06)
  const wood = tone(rgb('#7d553c'))
  const floor = mix(wood, black, 0.3)
  return strip({ top, depth: 1, floor }, () => [
    stage.shade({ top, bottom: edge }, [boards, mix(boards, black, 0.1)]),
    thing(stage, 'books-and-cup', { at: [margin + (width - 2 * margin) * 0.16, edge], tall }),
    stage.shade({ top: edge, bottom }, [mix(wood, white, 0.12), floor]),
  ])
}

/** A window in the middle of the wall, with the sky of the scene behind it. */
function window(stage: SceneStage, { top, bottom }: SceneRows): string {
  const { width, margin, light, words, materials } = stage
  const hill = words.season ? mix(materials.meadow, materials.leaves[2], 0.3) : rgb('#3f6b5a')
  const seen = width - 2 * margin
  const tall = Math.min(bottom - top, seen * 0.336)
  return thing(stage, 'window', {
    at: [margin + seen * 0.56, (top + bottom + tall) / 2],
    tall,
    main: mix(light.sky[2], hill, light.time === 'night' ? 0.4 : 0.62),
    numbers: { sun: -18 - light.sun.high * 60 },
  })
}

/** Hues of backdrops; dark yellow and olive are not among them. */
const hues = [22, 48, 158, 196, 232, 262, 300, 345] as const

/** A calm backdrop with an arch of another tone, a round stage, a table in front. */
export function studio(stage: SceneStage): Setting {
  const { line, height, words } = stage
  const [first, table, near] = [line(0.16), line(0.8), line(0.92)]
  const colours = coloursOf(stage)
  const isBust = words.subject?.kind === 'portrait'
  return {
    strips: [
      strip({ top: 0, depth: 0.06 }, () => [backdrop(stage, { top: 0, bottom: first }, colours)]),
      strip({ top: first, depth: 0.3 }, () => [
        backdrop(stage, { top: first, bottom: table }, colours),
        arch(stage, { top: first, bottom: table }, colours),
        isBust ? '' : podium(stage, { top: first, bottom: table }, colours),
      ]),
      plate(stage, { top: table, bottom: near, depth: 0.66 }, colours),
      plate(stage, { top: near, bottom: height, depth: 1 }, colours),
    ],
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
function backdrop(stage: SceneStage, { top, bottom }: SceneRows, { wall: colour }: Colours): string {
  const edge = mix(colour, black, stage.words.white ? 0 : 0.2)
  const at = (row: number) => mix(edge, mix(colour, white, 0.16), row / (stage.height * 0.8))
  return stage.shade({ top, bottom }, [at(top), at(bottom)])
}

function arch(stage: SceneStage, { top, bottom }: SceneRows, { arch: colour }: Colours): string {
  const { width, margin, random } = stage
  const tall = (bottom - top) * 0.95
  const wide = Math.min(tall * 0.86, (width - 2 * margin) * 0.74)
  const x = width / 2 + (random('arch').next() - 0.5) * wide * 0.2
  const r = wide / 2
  const shape = (by: number) =>
    `M${round(x - r - by)} ${round(bottom)}V${round(bottom - tall + r)}a${round(r + by)} ${round(r + by)} 0 0 1 ${round(2 * (r + by))} 0V${round(bottom)}Z`
  return path(shape(0), fill(mix(colour, white, 0.08)))
}

function podium(stage: SceneStage, { top, bottom }: SceneRows, { arch: colour }: Colours): string {
  const { width, margin } = stage
  const tall = bottom - top
  const wide = Math.min(tall * 0.42, (width - 2 * margin) * 0.4)
  const y = top + tall * 0.83
  const side = mix(colour, black, 0.18)
  return (
    ellipse([width / 2, bottom], [wide * 1.16, tall * 0.035], fill(black, 0.14)) +
    rect([width / 2 - wide, y], [wide * 2, bottom - y], fill(side)) +
    rect([width / 2 + wide * 0.3, y], [wide * 0.7, bottom - y], fill(black, 0.08)) +
    ellipse([width / 2, y], [wide, tall * 0.05], fill(mix(colour, white, 0.35)))
  )
}

/** The table, in two rows of planks. */
function plate(
  stage: SceneStage,
  { top, bottom, depth }: SceneRows & { depth: number },
  { table }: Colours,
): Strip {
  const [from, to] =
    depth === 1 ? [mix(table, black, 0.22), mix(table, black, 0.4)] : [mix(table, white, 0.14), table]
  const { width, unit, random } = stage
  const draw = random(`plate ${depth}`)
  const shine = Array.from({ length: 5 }, () => {
    const wide = unit * (8 + draw.next() * 18)
    const y = top + (bottom - top) * (0.15 + draw.next() * 0.7)
    return ellipse([draw.next() * width, y], [wide, unit * 0.25], fill(white, 0.1))
  })
  return strip({ top, depth, floor: to }, () => [stage.shade({ top, bottom }, [from, to]), shine.join('')])
}
