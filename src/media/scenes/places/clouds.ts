import { mix, type Rgb, white } from '../../drawing/colour.ts'
import { sky } from '../parts/sky.ts'
import { fill, path, round } from '../shapes.ts'
import { type SceneRows, type SceneStage, type Setting, type Strip, strip } from '../stage.ts'

/** High above the clouds: banks of them behind each other. */
export function clouds(stage: SceneStage): Setting {
  const { line, height, light } = stage
  const tops = [line(0.5), line(0.66), line(0.78), line(0.9)]
  const calm = line(0.1)
  const first = tops[0] ?? height
  const colours = [0.5, 0.26, 0.1, 0.4].map((part, i) =>
    mix(mix(stage.tone(white), light.sky[2], part), light.sky[1], i === 3 ? 0.35 : 0.06),
  )
  const isFull = stage.words.subject !== undefined
  const high = strip({ top: 0, depth: 0.02 }, () => [sky(stage, first, { clouds: isFull ? 'none' : 'few' })])
  return {
    // A subject may float up into the sky, so the sky below a calm row moves with it.
    strips: [
      high,
      ...(isFull ? [{ ...high, top: calm, depth: 0.06 }] : []),
      ...tops.map((top, i) =>
        bank(stage, {
          top,
          bottom: tops[i + 1] ?? height,
          depth: [0.18, 0.4, 0.68, 1][i] ?? 1,
          above: colours[i - 1] ?? light.sky[2],
          colour: colours[i] ?? white,
        }),
      ),
    ],
    air: 'open',
    stand: { foot: line(0.72), tall: line(0.72) - calm - 4 },
  }
}

interface Bank extends SceneRows {
  depth: number
  above: Rgb
  colour: Rgb
}

/** Round heaps beside each other, one colour below, their upper edges in the light. */
function bank(stage: SceneStage, { top, bottom, depth, above, colour }: Bank): Strip {
  const { width, unit, random } = stage
  const draw = random(`bank ${depth}`)
  const tall = bottom - top
  const heaps = (lower: number) => {
    let d = `M0 ${round(bottom)}V${round(top + tall * 0.7 + lower)}H${round(width)}V${round(bottom)}Z`
    for (let x = -unit * 4; x < width + unit * 8; ) {
      const r = Math.min(unit * (3 + draw.next() ** 2 * 12), tall * 0.8)
      const y = top + r + tall * 0.04 + (tall - r) * draw.next() * 0.6 + lower
      d += `M${round(x - r)} ${round(bottom)}V${round(y)}a${round(r)} ${round(r)} 0 0 1 ${round(2 * r)} 0V${round(bottom)}Z`
      x += r * (0.6 + draw.next() * 0.5)
    }
    return d
  }
  return strip({ top, depth, floor: colour }, () => [
    stage.shade({ top, bottom }, [above, above]),
    path(heaps(0), fill(mix(colour, white, 0.35))),
    path(heaps(tall * 0.16), fill(colour)),
    stage.mist({ top: top + tall * 0.55, bottom }, colour),
  ])
}
