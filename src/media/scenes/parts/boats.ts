import type { Rgb } from '../../video/yuv.ts'
import { rgb, white } from '../colour.ts'
import { ellipse, fill, type Point, path, round } from '../shapes.ts'
import type { SceneStage } from '../stage.ts'

/** A small sailing boat; the point is the middle of its water line. */
export function sailingBoat(
  stage: SceneStage,
  { at: [x, y], tall, colour = rgb('#c8473f') }: { at: Point; tall: number; colour?: Rgb },
): string {
  const { tone } = stage
  const to = (dx: number, dy: number) => `${round(x + dx * tall)} ${round(y + dy * tall)}`
  return (
    ellipse([x, y + tall * 0.03], [tall * 0.4, tall * 0.035], fill(tone(white), 0.35)) +
    path(
      `M${to(0.02, -0.98)}Q${to(0.3, -0.5)} ${to(0.36, -0.2)}L${to(0.02, -0.2)}Z`,
      fill(tone(rgb('#fdf6ea'))),
    ) +
    path(
      `M${to(-0.03, -0.9)}Q${to(-0.12, -0.45)} ${to(-0.3, -0.2)}L${to(-0.03, -0.2)}Z`,
      fill(tone(rgb('#f0dcc0'))),
    ) +
    path(
      `M${to(-0.02, -1)}h${round(tall * 0.025)}V${round(y - tall * 0.12)}h${round(-tall * 0.025)}Z`,
      fill(tone(rgb('#6b4a38'))),
    ) +
    path(
      `M${to(-0.4, -0.15)}L${to(0.44, -0.15)}Q${to(0.36, 0.02)} ${to(0.22, 0.02)}L${to(-0.24, 0.02)}Q${to(-0.36, 0)} ${to(-0.4, -0.15)}Z`,
      fill(tone(colour)),
    ) +
    path(
      `M${to(-0.4, -0.15)}L${to(0.44, -0.15)}L${to(0.42, -0.11)}L${to(-0.385, -0.11)}Z`,
      fill(tone(white), 0.75),
    )
  )
}
