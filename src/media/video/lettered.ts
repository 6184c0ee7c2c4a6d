import { captionBlock } from '../drawing/caption-block.ts'
import { css, paletteOf } from '../drawing/palette.ts'
import type { Caption, VideoRecipe } from '../recipe.ts'
import type { SceneDrawing } from '../scenes/scene.ts'
import { framedSvg, frameSvg, type Sky } from './framed.ts'
import { clockRows, type Labels, labelRoom, type Stage, thumbsIn } from './stage.ts'
import { cellsOf, type Ink, unchangingSvg } from './time-code.ts'

/** Caption, references and the plate of the time code, as SVG. They are on the part of the scene that does not move. */
export async function skySvg(
  recipe: VideoRecipe,
  stage: Stage,
  { scene, references }: { scene: SceneDrawing; references: readonly Buffer[] },
): Promise<string> {
  const { picture, layout, code } = stage
  const { margin, unit } = layout
  const still = scene.bands[1]?.top ?? picture.height
  const isTall = picture.height > picture.width
  const clock = { left: code.left * 16, top: code.top * 16, high: clockRows(stage) * 16 }
  const from = isTall ? clock.top + clock.high + unit * 2 : clock.top
  const wide = isTall ? picture.width - 2 * margin : Math.min(clock.left - margin - unit * 4, unit * 80)
  const sky: Sky = {
    isTall,
    clock,
    still,
    width: picture.width,
    margin,
    unit,
    room: { left: margin, top: from, width: wide },
  }
  const { svg, captionWidth, captionBottom } = await framedSvg(references, sky)
  const card = cardSvg(recipe, unit, { ...sky.room, width: captionWidth, height: captionBottom - from })
  return `${card}${svg}${plateSvg(recipe, stage)}`
}

/** The caption on a translucent card. */
function cardSvg(
  recipe: VideoRecipe,
  unit: number,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): string {
  const ink = inkOf(recipe)
  const [across, down] = [unit * 1.5, unit * 1.1]
  const room = {
    left: left + across,
    top: top + down,
    width: width - 2 * across,
    height: height - 2 * down,
    unit,
  }
  const caption = captionBlock(recipe.caption, { ...room, largest: 3.4, maxLines: 12 }, ink.light)
  const size = `width="${caption.width + 2 * across}" height="${caption.height + 2 * down}"`
  return `<rect x="${left}" y="${top - unit * 0.2}" ${size} rx="${unit}" fill="${ink.ground}" fill-opacity=".5"/>${caption.svg}`
}

/** The plate of the time code and the level bar, rounded because nothing moves behind it, and the signs that do not change. */
function plateSvg(recipe: VideoRecipe, stage: Stage): string {
  const { code } = stage
  const ink = inkOf(recipe)
  const pad = 4 * code.scale
  const wide = cellsOf(code.form) * 16 * code.scale
  return `<rect x="${code.left * 16 - pad}" y="${code.top * 16 - pad / 2}" width="${wide + 2 * pad}" height="${clockRows(stage) * 16 + pad}" rx="${9 * code.scale}" fill="${ink.ground}"/>${unchangingSvg(code, code.form, ink)}`
}

/** The size of the drawing of labels, in pixels. */
export function labelSize({ rows, caption, clock }: Labels): { width: number; height: number } {
  return { width: (caption.columns + clock.columns) * 16, height: rows * 16 }
}

/** The labels as SVG: the caption with the references, and at the right the plate of the time code. */
export async function labelSvg(
  { code, layout }: Stage,
  labels: Labels,
  { caption, references, ink }: { caption: Caption; references: readonly Buffer[]; ink: Ink },
): Promise<string> {
  const { width, height } = labelSize(labels)
  const plate = `<rect width="${width}" height="${height}" fill="${ink.ground}"/>`
  const drawn = captionBlock(caption, labelRoom(layout), ink.light)
  const { step, ...size } = thumbsIn(labels.rows, layout)
  const from = layout.margin + drawn.width + layout.unit * 2
  const count = Math.floor((labels.caption.columns * 16 - from) / step)
  const thumbs = await Promise.all(
    references.slice(0, Math.max(0, count)).map((picture, i) => {
      const place = { left: Math.round(from + i * step), top: Math.round(layout.unit) }
      return frameSvg(picture, { ...size, ...place }, layout.unit)
    }),
  )
  const clock = { left: labels.clock.left, top: 0, scale: code.scale }
  return plate + drawn.svg + thumbs.join('') + unchangingSvg(clock, code.form, ink)
}

/** The colours of time code and labels. */
export function inkOf({ seed }: Pick<VideoRecipe, 'seed'>): Ink {
  return { ground: '#14171f', sign: '#ffffff', light: css(paletteOf(seed).accent) }
}
