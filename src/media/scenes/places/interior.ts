import { black, mix, type Rgb, rgb, tinted, white } from '../../drawing/colour.ts'
import { circle, ellipse, fill, path, rect, round, stroke } from '../shapes.ts'
import { type SceneRows, type SceneStage, type Setting, type Strip, strip } from '../stage.ts'
import { isSmall } from '../subjects.ts'

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
    picture(stage, { x: margin + seen * 0.24, y: bottom * 0.52, tall }) +
    picture(stage, { x: margin + seen * 0.24 + tall * 1.05, y: bottom * 0.6, tall: tall * 0.72 })
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
  return (
    wall(stage, { top, bottom: ground }, room) +
    rect(
      [0, ground - unit * 0.9],
      [width, unit * 0.9],
      fill(mix(stage.tone(white), stage.tone(room.wall), 0.35)),
    ) +
    stage.shade({ top: ground, bottom: Math.max(bottom, height * 0.1) }, [mix(floor, black, 0.12), floor]) +
    shine(stage, { top, bottom }) +
    floorLamp(stage, { x: middle + wide * 0.62, top: top + tall * 0.06, bottom: bottom - tall * 0.06 }) +
    pottedPlant(stage, { x: middle - wide * 0.64, top: top + tall * 0.1, bottom: bottom - tall * 0.06 }) +
    ellipse([middle, bottom - tall * 0.05], [wide * 0.52, tall * 0.04], fill(black, 0.16)) +
    sofa(
      stage,
      { x: middle, wide, top: top + tall * 0.17, bottom: bottom - tall * 0.06 },
      stage.tone(room.sofa),
    )
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
  const x = margin + (width - 2 * margin) * 0.16
  const book = (dy: number, wide: number, colour: string) =>
    rect([x - wide / 2, edge - tall * dy], [wide, tall * 0.13], fill(tone(rgb(colour))), tall * 0.02)
  const cup = margin + (width - 2 * margin) * 0.16 + tall * 1.6
  const c = tall * 0.2
  return strip({ top, depth: 1, floor }, () => [
    stage.shade({ top, bottom: edge }, [boards, mix(boards, black, 0.1)]),
    book(0.13, tall * 1.5, '#3f6d78'),
    book(0.26, tall * 1.3, '#d9a05b'),
    path(
      `M${round(cup - c)} ${round(edge - c * 2)}h${round(c * 2)}v${round(c * 1.2)}q0 ${round(c * 0.8)} ${round(-c)} ${round(c * 0.8)}t${round(-c)} ${round(-c * 0.8)}Z`,
      fill(tone(rgb('#f4efe6'))),
    ),
    ellipse(
      [cup + c * 1.05, edge - c * 1.2],
      [c * 0.4, c * 0.5],
      `fill="none" stroke="#e8e0d4" stroke-width="${round(c * 0.22)}"`,
    ),
    stage.shade({ top: edge, bottom }, [mix(wood, white, 0.12), floor]),
  ])
}

/** A window in the middle of the wall, with the sky of the scene behind it. */
function window(stage: SceneStage, { top, bottom }: SceneRows): string {
  const { width, margin, light, tone, words, materials } = stage
  const hill = words.season ? mix(materials.meadow, materials.leaves[2], 0.3) : rgb('#3f6b5a')
  const tall = bottom - top
  const seen = width - 2 * margin
  const wide = Math.min(tall * 1.25, seen * 0.42)
  const x = margin + seen * 0.56 - wide / 2
  const frame = tone(rgb('#f4efe6'))
  const rows = 12
  const panes = Array.from({ length: rows }, (_, i) => {
    const part = i / (rows - 1)
    const colour =
      part < 0.5 ? mix(light.sky[0], light.sky[1], part * 2) : mix(light.sky[1], light.sky[2], part * 2 - 1)
    return rect([x, top + (tall * i) / rows], [wide, tall / rows + 1], fill(colour))
  })
  const bar = Math.max(2, tall * 0.03)
  const sun = circle(
    [x + wide * 0.66, top + tall * (0.82 - light.sun.high * 0.6)],
    tall * 0.09,
    fill(light.sun.disc),
  )
  const hills = path(
    `M${round(x)} ${round(bottom)}V${round(bottom - tall * 0.2)}q${round(wide * 0.25)} ${round(-tall * 0.16)} ${round(wide * 0.5)} ${round(-tall * 0.02)}t${round(wide * 0.5)} ${round(-tall * 0.04)}V${round(bottom)}Z`,
    fill(mix(light.sky[2], hill, light.time === 'night' ? 0.4 : 0.62)),
  )
  const curtain = (left: number) =>
    rect(
      [left, top - bar * 1.4],
      [wide * 0.17, tall + bar * 3],
      fill(mix(frame, tone(rgb('#d8cbb8')), 0.5), 0.95),
      bar,
    )
  return (
    panes.join('') +
    sun +
    hills +
    rect([x, top], [wide, tall], `fill="none" ${strokeOnly(frame, bar * 1.6)}`) +
    path(
      `M${round(x + wide / 2)} ${round(top)}V${round(bottom)}M${round(x)} ${round(top + tall * 0.42)}h${round(wide)}`,
      stroke(frame, bar),
    ) +
    rect([x - bar * 2, bottom], [wide + bar * 4, bar * 1.6], fill(frame)) +
    curtain(x - wide * 0.13) +
    curtain(x + wide * 0.96)
  )
}

function strokeOnly(colour: Rgb, width: number): string {
  return stroke(colour, width).replace('fill="none" ', '')
}

/** A framed picture; the point is its middle. */
function picture(stage: SceneStage, { x, y, tall }: { x: number; y: number; tall: number }): string {
  const { tone } = stage
  const wide = tall * 0.8
  const [left, top] = [x - wide / 2, y - tall / 2]
  const [x0, y0, high] = [left + wide * 0.16, top + tall * 0.13, tall * 0.74]
  return (
    rect([left + tall * 0.02, top + tall * 0.03], [wide, tall], fill(black, 0.14)) +
    rect([left, top], [wide, tall], fill(tone(rgb('#5f4535')))) +
    rect([left + wide * 0.05, top + tall * 0.04], [wide * 0.9, tall * 0.92], fill(tone(rgb('#f6f1e7')))) +
    rect([x0, y0], [wide * 0.68, high], fill(tone(rgb('#d8c7a8')))) +
    circle([x + wide * 0.1, y - tall * 0.1], tall * 0.12, fill(tone(rgb('#d6744a')))) +
    path(
      `M${round(x0)} ${round(y0 + high)}v${round(-high * 0.3)}q${round(wide * 0.2)} ${round(-tall * 0.18)} ${round(wide * 0.34)} 0t${round(wide * 0.34)} ${round(-tall * 0.05)}V${round(y0 + high)}Z`,
      fill(tone(rgb('#54706a'))),
    )
  )
}

/** A sofa with two cushions to sit on and two to lean on. */
function sofa(
  stage: SceneStage,
  { x, wide, top, bottom }: SceneRows & { x: number; wide: number },
  colour: Rgb,
): string {
  const tall = bottom - top
  const legs = stage.tone(rgb('#6b4b37'))
  const [dark, light] = [mix(colour, black, 0.16), mix(colour, white, 0.12)]
  const left = x - wide / 2
  const leg = (part: number) =>
    rect([left + wide * part, bottom - tall * 0.12], [wide * 0.022, tall * 0.12], fill(legs))
  const arm = (at: number) =>
    rect([at, top + tall * 0.32], [wide * 0.13, tall * 0.58], fill(mix(colour, white, 0.05)), wide * 0.05)
  const half = wide * 0.39
  const cushion = (at: number, look: string, rows: SceneRows) =>
    rect([at, rows.top], [half, rows.bottom - rows.top], look, wide * 0.03)
  const seat = { top: top + tall * 0.52, bottom: top + tall * 0.76 }
  const pillow = (at: number, look: string) =>
    rect([at, top + tall * 0.24], [tall * 0.3, tall * 0.3], look, tall * 0.06)
  return (
    leg(0.06) +
    leg(0.92) +
    rect([left + wide * 0.06, top], [wide * 0.88, tall * 0.8], fill(dark), wide * 0.05) +
    cushion(x - half, fill(colour), { top: top + tall * 0.06, bottom: top + tall * 0.6 }) +
    cushion(x, fill(mix(colour, black, 0.04)), { top: top + tall * 0.06, bottom: top + tall * 0.6 }) +
    pillow(x + half - tall * 0.36, fill(stage.tone(rgb('#f2e3c9')))) +
    rect([left + wide * 0.05, top + tall * 0.66], [wide * 0.9, tall * 0.23], fill(dark), wide * 0.02) +
    cushion(x - half, fill(light), seat) +
    cushion(x, fill(mix(light, colour, 0.4)), seat) +
    arm(left) +
    arm(left + wide * 0.87)
  )
}

/** A lamp on a tall foot. */
function floorLamp(stage: SceneStage, { x, top, bottom }: SceneRows & { x: number }): string {
  const { tone, light } = stage
  const tall = bottom - top
  const [w, shade] = [tall * 0.11, light.lamps ? rgb('#ffe3a8') : tone(rgb('#efe2cc'))]
  const metal = tone(rgb('#4c4a4c'))
  return (
    rect([x - tall * 0.008, top + tall * 0.2], [tall * 0.016, tall * 0.8], fill(metal)) +
    ellipse([x, bottom], [w * 0.8, tall * 0.016], fill(metal)) +
    path(
      `M${round(x - w * 0.62)} ${round(top)}h${round(w * 1.24)}l${round(w * 0.5)} ${round(tall * 0.22)}h${round(-w * 2.24)}Z`,
      fill(shade),
    )
  )
}

/** A plant with long leaves in a pot. */
function pottedPlant(stage: SceneStage, { x, top, bottom }: SceneRows & { x: number }): string {
  const { tone } = stage
  const tall = bottom - top
  const pot = tall * 0.26
  const leaf = (lean: number, high: number, colour: Rgb) => {
    const [tipX, tipY] = [x + lean * tall, bottom - pot - high * tall]
    const base = bottom - pot * 0.9
    const bend = lean * tall * 0.15
    return path(
      `M${round(x)} ${round(base)}Q${round(x + bend - tall * 0.09)} ${round((base + tipY) / 2)} ${round(tipX)} ${round(tipY)}Q${round(tipX * 0.35 + (x + bend + tall * 0.1) * 0.65)} ${round((base + tipY) / 2)} ${round(x)} ${round(base)}Z`,
      fill(colour),
    )
  }
  const [a, b] = [tone(rgb('#4f8a5b')), tone(rgb('#6da96a'))]
  return (
    leaf(-0.24, 0.42, a) +
    leaf(0.26, 0.4, a) +
    leaf(-0.12, 0.62, b) +
    leaf(0.15, 0.6, a) +
    leaf(0.01, 0.72, b) +
    path(
      `M${round(x - pot * 0.5)} ${round(bottom - pot)}h${round(pot)}l${round(-pot * 0.16)} ${round(pot)}h${round(-pot * 0.68)}Z`,
      fill(tone(rgb('#c98f6b'))),
    ) +
    rect([x - pot * 0.55, bottom - pot], [pot * 1.1, pot * 0.18], fill(tone(rgb('#d9a380'))))
  )
}
