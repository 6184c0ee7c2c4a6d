import { mix, rgb, white } from '../../drawing/colour.ts'
import { fill, type Point, path, rect, round } from '../shapes.ts'
import type { SceneStage } from '../stage.ts'

/** A small house with a pitched roof; snow lies on it in winter and its windows are lit in the dark. */
export function farmhouse(
  stage: SceneStage,
  { at: [x, y], tall, far }: { at: Point; tall: number; far: number },
): string {
  const { tone, materials, light } = stage
  const [wide, wall] = [tall * 1.15, tall * 0.56]
  const roof = materials.snow ? mix(tone(white, far), light.haze, 0.1) : tone(rgb('#b4553f'), far)
  const window = light.lamps ? rgb('#ffd98a') : tone(rgb('#6f93a6'), far)
  const pane = (dx: number) => rect([x + dx * wide, y - wall * 0.74], [wide * 0.13, wall * 0.3], fill(window))
  const left = round(x - wide / 2)
  return (
    rect([x + wide * 0.18, y - tall * 0.98], [wide * 0.1, tall * 0.4], fill(tone(rgb('#8a5a48'), far))) +
    rect([left, y - wall], [wide, wall], fill(tone(rgb('#f3e6d2'), far))) +
    rect([left, y - wall], [wide * 0.36, wall], fill(tone(rgb('#d9c4ab'), far))) +
    path(
      `M${round(x - wide * 0.6)} ${round(y - wall)}L${round(x - wide * 0.34)} ${round(y - tall * 0.95)}H${round(x + wide * 0.36)}L${round(x + wide * 0.6)} ${round(y - wall)}Z`,
      fill(roof),
    ) +
    rect([x + wide * 0.24, y - wall * 0.6], [wide * 0.15, wall * 0.6], fill(tone(rgb('#7a4e3a'), far))) +
    pane(-0.42) +
    pane(-0.04)
  )
}

/** The front of a house that gets windows. Lengths are pixels. */
interface Front {
  left: number
  top: number
  wide: number
  bottom: number
  /** The part of the windows that are seen. */
  shown: number
}

/** The windows of a block as one path. */
export function windowsPath(
  { left, top, wide, bottom, shown }: Front,
  { size, next }: { size: number; next: () => number },
): string {
  const [columns, rows] = [
    Math.floor((wide - size) / (size * 2)),
    Math.floor((bottom - top - size) / (size * 2.6)),
  ]
  const inset = (wide - columns * size * 2 + size) / 2
  let out = ''
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      if (next() > shown) continue
      const [x, y] = [left + inset + column * size * 2, top + size * 1.2 + row * size * 2.6]
      out += `M${round(x)} ${round(y)}h${round(size)}v${round(size * 1.4)}h${round(-size)}Z`
    }
  return out
}
