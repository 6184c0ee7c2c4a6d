import { captionBlock } from '../drawing/caption-block.ts'
import { css, paletteOf } from '../drawing/palette.ts'
import type { VideoRecipe } from '../recipe.ts'
import type { SceneDrawing } from '../scenes/scene.ts'
import { framedSvg } from './framed.ts'
import { labelRoom, type Stage } from './stage.ts'
import { type Ink, storeSvg, writtenAt, writtenSvg } from './time-code.ts'

/** Caption, references and the plate of the time code, on the part that stands still. */
export async function skySvg(
  recipe: VideoRecipe,
  stage: Stage,
  { scene, references }: { scene: SceneDrawing; references: readonly Buffer[] },
): Promise<string> {
  const { picture, layout, code } = stage
  const [left, top] = [picture.margin * 16, picture.above * 16]
  const { margin, unit } = layout
  const still = scene.bands.find(band => band.depth > 0)?.top ?? picture.height
  const isTall = picture.height > picture.width
  const clock = { left: code.left * 16 - left, top: code.top * 16 - top, high: 32 * code.scale }
  const from = isTall ? clock.top + clock.high + unit * 2.5 : clock.top
  const room = {
    left: margin,
    top: from,
    width: isTall ? picture.width - 2 * margin : Math.min(clock.left - margin - unit * 5, unit * 90),
    height: Math.max(still - from - unit * 2, unit * 8),
    unit,
    largest: 3.8,
    maxLines: 12,
  }
  const framed = await framedSvg(references, {
    isTall,
    room,
    clock,
    still,
    width: picture.width,
    margin,
    unit,
  })
  const caption = captionBlock(
    recipe.caption,
    { ...room, height: framed.captionHeight, width: framed.captionWidth },
    inkOf(recipe).light,
  )
  return `<g transform="translate(${left} ${top})">${caption.svg}${framed.svg}</g>${plateSvg(recipe, stage)}`
}

/** The plate of the time code, rounded because nothing moves behind it, and the signs that do not change. */
function plateSvg(recipe: VideoRecipe, { code }: Stage): string {
  const ink = inkOf(recipe)
  const pad = 4 * code.scale
  const written = writtenAt(0, 1, code.form)
  const wide = written.length * 16 * code.scale
  return `<rect x="${code.left * 16 - pad}" y="${code.top * 16 - pad / 2}" width="${wide + 2 * pad}" height="${32 * code.scale + pad}" rx="${9 * code.scale}" fill="${ink.ground}"/>${writtenSvg(code, written, ink)}`
}

/** The store of signs, and labels where there are any, in pixels of the coded picture. */
export function shelfSvg({ picture, code, labels, layout }: Stage, recipe: VideoRecipe, ink: Ink): string {
  const plain = `<rect width="${picture.columns * 16}" height="${picture.above * 16}" fill="${ink.ground}"/>`
  const store = storeSvg(code, ink)
  if (!labels) return plain + store
  const caption = captionBlock(recipe.caption, labelRoom(layout), ink.light).svg
  const clock = writtenSvg({ ...code, top: labels.shelf }, writtenAt(0, 1, code.form), ink)
  const [left, top] = [labels.caption.left * 16, labels.shelf * 16]
  return `${plain}<g transform="translate(${left} ${top})">${caption}</g>${clock}${store}`
}

/** The colours of time code and labels. */
export function inkOf({ seed }: VideoRecipe): Ink {
  return { ground: '#14171f', sign: '#ffffff', light: css(paletteOf(seed).accent) }
}
