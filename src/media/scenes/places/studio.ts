import { black, mix, oklch, type Rgb, tinted, white } from '../../drawing/colour.ts'
import { ellipse, fill, path, rect, round } from '../shapes.ts'
import { type SceneRows, type SceneStage, type Setting, type Strip, strip } from '../stage.ts'

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
      strip({ top: 0, depth: 0.06 }, () => [wall(stage, { top: 0, bottom: first }, colours)]),
      strip({ top: first, depth: 0.3 }, () => [
        wall(stage, { top: first, bottom: table }, colours),
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
function wall(stage: SceneStage, { top, bottom }: SceneRows, { wall: colour }: Colours): string {
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
