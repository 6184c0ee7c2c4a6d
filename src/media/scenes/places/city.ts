import type { Random } from '../../../emulator/ground.ts'
import { mix, rgb, white } from '../../drawing/colour.ts'
import { glints, mistOf } from '../parts/ground.ts'
import { sky, sunAt } from '../parts/sky.ts'
import { fill, path, rect, round } from '../shapes.ts'
import { many, type Rows, rowsOf, type SceneStage, type Setting, stripsOf } from '../stage.ts'
import { thing } from '../templates.ts'

/** Towers in haze, houses along a river, a promenade with lamps. */
export function city(stage: SceneStage): Setting {
  const { line, height, width, unit, tone, light, materials, words } = stage
  const mist = mistOf(stage)
  const stone = (code: string) => tone(materials.snow ? mix(rgb(code), white, 0.75) : rgb(code))
  const [quay, paving] = [stone('#a9a29b'), stone('#c6bdb2')]
  const river = mix(light.sky[1], tone(rgb('#4c7f98')), 0.5)
  const floor = mix(paving, light.sky[0], 0.3)
  return {
    strips: stripsOf(stage, [
      [0, 0.03, ({ bottom }) => [sky(stage, bottom, 3), towers(stage, rowsOf(height * 0.14, bottom))]],
      [
        0.4,
        0.18,
        rows => {
          const foot = rows.at(0.93)
          return [
            stage.shade(rows, [mist]),
            blocks(stage, rowsOf(rows.top + 6, foot), { far: 0.36, lowest: 0.55 }),
            stage.mist({ top: rows.at(0.3), bottom: foot }, mist, 0.75),
            blocks(stage, rowsOf(rows.at(0.34), foot), { far: 0.08, lowest: 0.45 }),
            rect([0, foot], [width, rows.bottom - foot], fill(mix(quay, light.sky[0], 0.25))),
          ]
        },
      ],
      [
        0.66,
        0.36,
        rows => [
          stage.shade(rows, [mix(river, light.haze, 0.25), river]),
          glints(stage, rows, { name: 'river', x: sunAt(stage, rows.top)[0] }),
        ],
      ],
      [
        0.76,
        0.68,
        rows => {
          const ground = rowsOf(rows.at(0.16), rows.bottom)
          const seam = (i: number) =>
            `M${round(i * unit * 14)} ${round(ground.top)}l${round(-unit * 5)} ${round(ground.tall)}`
          const seams = many(stage, { name: 'seams', apart: 14 }, (_, i) => seam(i)).join('')
          return [
            stage.shade(rows, [mix(quay, light.sky[0], 0.2)]),
            stage.shade(ground, [mix(paving, light.haze, 0.15), paving]),
            path(seams, `stroke="#000" stroke-opacity=".08" stroke-width="${round(unit * 0.2)}"`),
            words.subject ? '' : lamps(stage, rows),
          ]
        },
      ],
      [
        0.92,
        1,
        rows => {
          const dark = fill(mix(tone(rgb('#37424d')), light.sky[0], 0.35))
          const posts = many(stage, { name: 'posts', apart: 5 }, (_, i) =>
            box(i * unit * 5, unit * 0.5, rowsOf(rows.at(0.3), rows.bottom)),
          )
          return [
            stage.shade(rows, [paving, floor]),
            path(posts.join(''), dark),
            rect([0, rows.at(0.22)], [width, Math.min(rows.tall * 0.16, unit * 1.1)], dark),
          ]
        },
        floor,
      ],
    ]),
    air: 'open',
    stand: { foot: line(0.9), tall: height * 0.46 },
  }
}

/** Towers far away, one colour and without windows. */
function towers(stage: SceneStage, rows: Rows): string {
  const { width, unit, random, tone, light } = stage
  const draw = random('towers')
  let d = ''
  for (let x = -unit * 2; x < width; ) {
    const wide = unit * (2.5 + draw.next() * 4.5)
    d += tower(x, wide, { rows: rowsOf(rows.at(0.7 - 0.66 * draw.next() ** 1.6), rows.bottom), draw })
    x += wide + unit * draw.next() * 2.2
  }
  const colour = mix(tone(rgb('#7188a4'), 0.45), light.sky[1], 0.15)
  return path(d, fill(colour)) + stage.mist({ top: rows.at(0.4), bottom: rows.bottom }, mistOf(stage))
}

/** Flat, stepped, pointed or slanting. */
function tower(x: number, wide: number, { rows, draw }: { rows: Rows; draw: Random }): string {
  const half = rowsOf(rows.top + wide * 0.5, rows.bottom)
  const kinds = [
    box(x, wide, rows),
    box(x, wide, rowsOf(rows.top + wide * 0.9, rows.bottom)) + box(x + wide * 0.2, wide * 0.6, rows),
    `${box(x, wide, half)}M${round(x)} ${round(half.top)}l${round(wide / 2)} ${round(-wide * 0.8)}l${round(wide / 2)} ${round(wide * 0.8)}Z`,
    `${box(x, wide, half)}M${round(x)} ${round(half.top)}h${round(wide)}v${round(-wide * 0.5)}Z`,
  ] as const
  return draw.pick(kinds)
}

function box(left: number, wide: number, { top, bottom }: Rows): string {
  return `M${round(left)} ${round(bottom)}V${round(top)}h${round(wide)}V${round(bottom)}Z`
}

const walls = ['#c9d3dc', '#a9bccb', '#d8c3ae', '#b88a76', '#8fa5b8', '#e4dccf', '#98a9a6'].map(rgb)

/** Houses beside each other with windows. The lowest has a part of the height of the highest. */
function blocks(stage: SceneStage, rows: Rows, { far, lowest }: { far: number; lowest: number }): string {
  const { width, unit, random, tone, light, materials } = stage
  const draw = random(`houses ${far}`)
  const groups = walls.map(colour => ({ colour: tone(colour, far), bodies: '', sides: '' }))
  let [panes, roofs, last] = ['', '', 0]
  for (let left = -unit * 3; left < width; ) {
    const wide = unit * (6 + draw.next() * 7)
    const house = rowsOf(rows.at((1 - lowest) * draw.next()), rows.bottom)
    // Neighbours have different colours.
    last = (last + draw.integer(1, walls.length - 1)) % walls.length
    const group = groups[last]
    if (group) group.bodies += box(left, wide, house)
    if (group) group.sides += box(left + wide * 0.74, wide * 0.26, house)
    roofs += box(left - unit * 0.2, wide + unit * 0.4, rowsOf(house.top, house.top + unit * 0.7))
    panes += windows({ left, wide, rows: house }, { unit, draw, shown: light.lamps ? 0.62 : 1 })
    left += wide + (draw.next() < 0.3 ? unit * draw.next() * 2 : 0)
  }
  const dark = mix(light.sky[0], tone(rgb('#3f5468'), far), 0.7)
  const glass = mix(dark, light.haze, far)
  const body = groups.map(
    ({ colour, bodies, sides }) => path(bodies, fill(colour)) + path(sides, fill(mix(colour, dark, 0.22))),
  )
  const roof = path(roofs, materials.snow ? fill(tone(white, far * 0.5)) : fill(glass, 0.4))
  return body.join('') + roof + path(panes, light.lamps ? fill(rgb('#ffd483'), 0.9) : fill(glass, 0.55))
}

/** The windows of a house as a path; only a part of them is lit at night. */
function windows(
  { left, wide, rows }: { left: number; wide: number; rows: Rows },
  { unit, draw, shown }: { unit: number; draw: Random; shown: number },
): string {
  const size = unit * 0.62
  const columns = Math.floor((wide - size) / (size * 2))
  const inset = (wide - columns * size * 2 + size) / 2
  let out = ''
  for (let y = rows.top + unit * 1.4; y < rows.bottom - unit * 1.6; y += size * 2.6)
    for (let i = 0; i < columns; i++)
      if (draw.next() < shown)
        out += `M${round(left + inset + i * size * 2)} ${round(y)}h${round(size)}v${round(size * 1.4)}h${round(-size)}Z`
  return out
}

function lamps(stage: SceneStage, rows: Rows): string {
  const { unit, light } = stage
  const tall = Math.min(rows.tall * 0.75, unit * 12)
  const top = rows.at(0.78) - tall * 0.8
  return many(stage, { name: 'lamps', apart: 46 }, (_, i) => {
    const x = unit * (20 + i * 46)
    const glow = light.lamps ? stage.glow({ x, y: top, radius: tall / 2 }, rgb('#ffdc96'), 0.75) : ''
    return thing(stage, 'street-lamp', { at: [x, rows.at(0.78)], tall }) + glow
  }).join('')
}
