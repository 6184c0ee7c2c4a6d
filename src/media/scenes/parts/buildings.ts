import { mix, rgb, white } from '../../drawing/colour.ts'
import { type Point, round } from '../shapes.ts'
import type { SceneStage } from '../stage.ts'
import { thing } from '../templates.ts'

/** A small house with a pitched roof; snow lies on it in winter and its windows are lit in the dark. */
export function farmhouse(
  stage: SceneStage,
  { at, tall, far }: { at: Point; tall: number; far: number },
): string {
  const { tone, materials, light } = stage
  const roof = materials.snow ? mix(tone(white, far), light.haze, 0.1) : tone(rgb('#b4553f'), far)
  return thing(stage, 'farmhouse', { at, tall, far, main: roof })
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
