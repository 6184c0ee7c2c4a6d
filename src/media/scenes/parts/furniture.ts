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
    return rect({ x, y: top + (tall * i) / rows, width: wide, height: tall / rows + 1 }, fill(colour))
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
      { x: left, y: top - bar * 1.4, width: wide * 0.17, height: tall + bar * 3, round: bar },
      fill(mix(frame, tone(rgb('#d8cbb8')), 0.5), 0.95),
    )
  return (
    panes.join('') +
    sun +
    hills +
    rect({ x, y: top, width: wide, height: tall }, `fill="none" ${strokeOnly(frame, bar * 1.6)}`) +
    path(
      `M${round(x + wide / 2)} ${round(top)}V${round(bottom)}M${round(x)} ${round(top + tall * 0.42)}h${round(wide)}`,
      stroke(frame, bar),
    ) +
    rect({ x: x - bar * 2, y: bottom, width: wide + bar * 4, height: bar * 1.6 }, fill(frame)) +
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
  const inner = { x: left + wide * 0.16, y: top + tall * 0.13, width: wide * 0.68, height: tall * 0.74 }
  return (
    rect({ x: left + tall * 0.02, y: top + tall * 0.03, width: wide, height: tall }, fill(black, 0.14)) +
    rect({ x: left, y: top, width: wide, height: tall }, fill(tone(rgb('#5f4535')))) +
    rect(
      { x: left + wide * 0.05, y: top + tall * 0.04, width: wide * 0.9, height: tall * 0.92 },
      fill(tone(rgb('#f6f1e7'))),
    ) +
    rect(inner, fill(tone(rgb('#d8c7a8')))) +
    circle([x + wide * 0.1, y - tall * 0.1], tall * 0.12, fill(tone(rgb('#d6744a')))) +
    path(
      `M${round(inner.x)} ${round(inner.y + inner.height)}v${round(-inner.height * 0.3)}q${round(wide * 0.2)} ${round(-tall * 0.18)} ${round(wide * 0.34)} 0t${round(wide * 0.34)} ${round(-tall * 0.05)}V${round(inner.y + inner.height)}Z`,
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
    rect(
      { x: left + wide * part, y: bottom - tall * 0.12, width: wide * 0.022, height: tall * 0.12 },
      fill(legs),
    )
  const arm = (at: number) =>
    rect(
      { x: at, y: top + tall * 0.32, width: wide * 0.13, height: tall * 0.58, round: wide * 0.05 },
      fill(mix(colour, white, 0.05)),
    )
  const half = wide * 0.39
  const cushion = (at: number, look: string, rows: SceneRows) =>
    rect({ x: at, y: rows.top, width: half, height: rows.bottom - rows.top, round: wide * 0.03 }, look)
  const seat = { top: top + tall * 0.52, bottom: top + tall * 0.76 }
  const pillow = (at: number, look: string) =>
    rect({ x: at, y: top + tall * 0.24, width: tall * 0.3, height: tall * 0.3, round: tall * 0.06 }, look)
  return (
    leg(0.06) +
    leg(0.92) +
    rect(
      { x: left + wide * 0.06, y: top, width: wide * 0.88, height: tall * 0.8, round: wide * 0.05 },
      fill(dark),
    ) +
    cushion(x - half, fill(colour), { top: top + tall * 0.06, bottom: top + tall * 0.6 }) +
    cushion(x, fill(mix(colour, black, 0.04)), { top: top + tall * 0.06, bottom: top + tall * 0.6 }) +
    pillow(x + half - tall * 0.36, fill(stage.tone(rgb('#f2e3c9')))) +
    rect(
      {
        x: left + wide * 0.05,
        y: top + tall * 0.66,
        width: wide * 0.9,
        height: tall * 0.23,
        round: wide * 0.02,
      },
      fill(dark),
    ) +
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
    rect({ x: x - tall * 0.008, y: top + tall * 0.2, width: tall * 0.016, height: tall * 0.8 }, fill(metal)) +
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
    rect(
      { x: x - pot * 0.55, y: bottom - pot, width: pot * 1.1, height: pot * 0.18 },
      fill(tone(rgb('#d9a380'))),
    )
  )
}
