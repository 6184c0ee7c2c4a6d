import { black, mix, rgb, white } from '../../drawing/colour.ts'
import type { Rgb } from '../../video/yuv.ts'
import { circle, ellipse, fill, path, rect, round, stroke } from '../shapes.ts'
import type { SceneRows, SceneStage } from '../stage.ts'

/** A window in the middle of the wall, with the sky of the scene behind it. */
export function window(stage: SceneStage, { top, bottom }: SceneRows): string {
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
export function picture(stage: SceneStage, { x, y, tall }: { x: number; y: number; tall: number }): string {
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
export function sofa(
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
export function floorLamp(stage: SceneStage, { x, top, bottom }: SceneRows & { x: number }): string {
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
export function pottedPlant(stage: SceneStage, { x, top, bottom }: SceneRows & { x: number }): string {
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
