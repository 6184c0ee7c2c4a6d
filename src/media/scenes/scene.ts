import { randomFor } from '../../emulator/ground.ts'
import { lightOf } from './light.ts'
import { seasonAir } from './parts/sky.ts'
import { clouds, space } from './places/air-and-space.ts'
import { city } from './places/city.ts'
import { field, forest, village } from './places/countryside.ts'
import { desert } from './places/desert.ts'
import { interior, studio } from './places/indoors.ts'
import { lake, mountains, snow } from './places/mountains.ts'
import { sea, underwater } from './places/sea.ts'
import type { SceneWords } from './scene-words.ts'
import { fill, rect, round } from './shapes.ts'
import { createStage, type SceneRows, type SceneStage, type Setting, type Strip } from './stage.ts'
import { spotOf, subjectSvg } from './subjects.ts'
import type { ScenePlace } from './words/lexicon.ts'

export { sceneWords } from './scene-words.ts'

/** The scene to draw. All lengths are pixels. */
interface SceneOrder {
  words: SceneWords
  seed: number
  width: number
  height: number
  /** Added on the left and on the right, for a background that moves sideways. */
  margin: number
  /** Rows below the scene in the colour of its lower edge, as ground for a caption. None when absent. */
  below?: number
}

/** Rows that move sideways together, from `top` to the next band. */
export interface Band {
  /** Pixels from the upper edge, a multiple of 16. The first band begins at 0. */
  top: number
  /** 0 does not move; 1 is nearest and moves most. */
  depth: number
}

/** A scene as SVG, `width + 2 * margin` by `height + below` pixels, and its bands from top to bottom. */
export interface SceneDrawing {
  svg: string
  bands: readonly Band[]
  /** The rows that the subject covers, in pixels from the upper edge; absent without a subject. */
  subject?: SceneRows
}

/** Draws a scene. The same order gives the same SVG on every machine. */
export function drawScene({ words, seed, width, height, margin, below = 0 }: SceneOrder): SceneDrawing {
  const random = randomFor(seed, 'scene light', 0)
  const light = lightOf(words.time, {
    turn: (random.next() - 0.5) * 16,
    ...(words.tint && { tint: words.tint }),
  })
  const stage = createStage({ words, seed, width, height, margin, light })
  const setting = settings[words.place](stage)
  const { strips, subject } = composed(stage, setting)
  const cut = strips.map(({ top, content }, i) => {
    const tall = (strips[i + 1]?.top ?? height) - top
    const isOpen = setting.air === 'open' && i < strips.length - 1
    const air = isOpen ? seasonAir(stage, { top: Math.max(top, stage.unit * 9), bottom: top + tall }) : ''
    return `<svg y="${top}" width="${round(stage.width)}" height="${tall}" viewBox="0 ${top} ${round(stage.width)} ${tall}">${content()}${air}</svg>`
  })
  const floor = strips.at(-1)?.floor
  if (below > 0 && floor) cut.push(rect([0, height], [stage.width, below], fill(floor)))
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${stage.width}" height="${height + below}">${cut.join('')}</svg>`,
    bands: strips.map(({ top, depth }) => ({ top, depth })),
    ...(subject && { subject }),
  }
}

/** The place with its subject; without it in a picture that is so low that fewer than three bands would remain. */
function composed(stage: SceneStage, setting: Setting): { strips: readonly Strip[]; subject?: SceneRows } {
  const alone = { strips: shown(setting.strips, stage.height) }
  const { subject } = stage.words
  if (!subject) return alone
  const spot = spotOf(subject, stage, setting)
  const rows = { top: spot.foot - spot.tall, bottom: spot.foot }
  const strips = shown(
    withSubject(stage, setting, { rows, svg: () => subjectSvg(subject, stage, spot) }),
    stage.height,
  )
  return strips.length < 3 ? alone : { strips, subject: rows }
}

/** The strips that have rows in a picture of this height: in a low picture several begin on the same line, and only the last of them is used. */
function shown(strips: readonly Strip[], height: number): Strip[] {
  return strips.filter(({ top }, i) => top < height && top < (strips[i + 1]?.top ?? height))
}

/** Joins the strips behind the subject, so that the subject never crosses the edge of a band. */
function withSubject(
  stage: SceneStage,
  { strips }: Setting,
  { rows, svg }: { rows: SceneRows; svg(): string },
): readonly Strip[] {
  const isBehind = ({ top }: Strip, i: number) =>
    top < rows.bottom && (strips[i + 1]?.top ?? stage.height) > rows.top && i > 0
  const behind = strips.filter(isBehind)
  const [first, last] = [behind[0], behind.at(-1)]
  if (!first || !last) return strips
  const merged: Strip = {
    top: first.top,
    depth: (first.depth + last.depth) / 2,
    content: () => behind.map(({ content }) => content()).join('') + svg(),
  }
  return [...strips.slice(0, strips.indexOf(first)), merged, ...strips.slice(strips.indexOf(last) + 1)]
}

/** The places that scenes are drawn of. Their words are in `words/`. */
export const settings = {
  mountains,
  lake,
  sea,
  underwater,
  city,
  forest,
  desert,
  field,
  village,
  snow,
  space,
  clouds,
  interior,
  studio,
} satisfies Record<ScenePlace, (stage: SceneStage) => Setting>
