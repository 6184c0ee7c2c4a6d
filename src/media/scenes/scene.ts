import { sceneSvg } from './mountains.ts'
import type { SceneWords } from './scene-words.ts'

export { type SceneWords, sceneWords } from './scene-words.ts'

/** What is drawn. All lengths are pixels. */
export interface SceneOrder {
  words: SceneWords
  seed: number
  width: number
  height: number
  /** Added on the left and on the right, for a background that moves sideways. */
  margin: number
}

/** Rows that move sideways together, from `top` to the next band. */
export interface Band {
  /** Pixels from the upper edge, a multiple of 16. The first band begins at 0. */
  top: number
  /** 0 stands still, 1 is nearest and moves most. */
  depth: number
}

/** A scene as SVG, `width + 2 * margin` by `height` pixels, and its bands from top to bottom. */
export interface SceneDrawing {
  svg: string
  bands: readonly Band[]
}

/** Draws a scene. The same order gives the same SVG on every machine. */
export function drawScene({ seed, width, height, margin }: SceneOrder): SceneDrawing {
  const size = { width: width + 2 * margin, height }
  const row = (part: number) => Math.max(16, Math.round((height * part) / 16) * 16)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${height}">${sceneSvg(size, seed)}</svg>`
  const bands = [
    { top: 0, depth: 0 },
    { top: row(0.57), depth: 0.3 },
    { top: row(0.75), depth: 0.7 },
    { top: row(0.88), depth: 1 },
  ]
  return { svg, bands: bands.filter(({ top }, i) => top < height && top > (bands[i - 1]?.top ?? -1)) }
}
