import type { OverlayOptions, Sharp } from 'sharp'
import { hex, paletteOf, paper } from '../drawing/colour.ts'
import { captionBlock, layoutOf, svg } from '../drawing/svg.ts'
import { loadSharp, type Pixels, pictureOf, pixelsOf } from '../render/pixels.ts'
import type { ImageRecipe } from '../render/recipe.ts'
import { markFrame, markSvg } from './caption.ts'
import { type EditLook, type EditWords, editLookOf, editWords, readRemoval } from './edit-look.ts'
import type { InputPicture } from './input-picture.ts'
import { type Frame, placeFrames, placesSvg } from './places.ts'
import { withoutThings } from './removal.ts'
import { skyFrames, weatherSvg } from './weather.ts'

/** Draws the input without what its prompt removes, with the changes that its prompt names, a frame, and a plate with the prompt where it hides least. */
export async function drawEdit(recipe: ImageRecipe, input: InputPicture): Promise<Sharp> {
  const sharp = await loadSharp()
  const { width, height, prompt, seed, transparent } = recipe
  const frame = frameOf(recipe, input)
  const { removal, rest } = readRemoval(prompt)
  const emptied = removal && (await withoutThings(input, removal, { size: frame, recipe }))
  const words = editWords(rest)
  const look = emptied && isEmpty(words) ? unchanged : editLookOf(words, seed)
  const { picture, given } = await changed(recipe, { input: emptied ?? input, frame, look })
  const overlay: OverlayOptions = { input: Buffer.from(await overlaySvg(recipe, { frame, words, given })) }
  if (frame.width === width && frame.height === height) return picture.composite([overlay])
  const { bytes, ...raw } = await pixelsOf(picture)
  const placed: OverlayOptions = { input: bytes, raw, left: frame.left, top: frame.top }
  const ground = transparent
    ? sharp({ create: { width, height, channels: 4, background: '#0000' } })
    : await blurred(recipe, input)
  return ground.composite([placed, overlay])
}

/** An edit that only removes things leaves the colours as they are. */
const unchanged: EditLook = picture => picture

function isEmpty(words: EditWords): boolean {
  return Object.keys(words).length === 0
}

/**
 * The input in its new colours, at the size of its place, and its pixels before the second of these steps. The colours are changed
 * before enlarging or after shrinking, whichever has fewer pixels.
 */
async function changed(
  { transparent }: ImageRecipe,
  { input, frame, look }: { input: InputPicture; frame: Frame; look: EditLook },
): Promise<{ picture: Sharp; given: Pixels }> {
  const size = { width: frame.width, height: frame.height, fit: 'fill' } as const
  const open = () => {
    const picture = input.open()
    return transparent ? picture.ensureAlpha() : picture.flatten({ background: paper })
  }
  const grows = input.widthPx * input.heightPx < frame.width * frame.height
  const first = grows ? look(open()) : open().resize(size)
  const given = await pixelsOf(first)
  const second = await pictureOf(given)
  return { picture: grows ? second.resize(size) : look(second), given }
}

/** The place of the input in the output: the whole output when the proportions nearly agree, else the middle of it, without cropping. */
function frameOf({ width, height }: ImageRecipe, { widthPx, heightPx }: InputPicture): Frame {
  const aspect = widthPx / heightPx
  const offBy = Math.abs(Math.log(aspect / (width / height)))
  if (offBy < 0.035) return { left: 0, top: 0, width, height }
  const scale = Math.min(width / widthPx, height / heightPx)
  const inner = {
    width: Math.max(1, Math.round(widthPx * scale)),
    height: Math.max(1, Math.round(heightPx * scale)),
  }
  return {
    ...inner,
    left: Math.floor((width - inner.width) / 2),
    top: Math.floor((height - inner.height) / 2),
  }
}

/** A blurred copy of the picture fills the space around it. It is blurred at a small size, which is fast. */
async function blurred({ width, height }: ImageRecipe, input: InputPicture): Promise<Sharp> {
  const small = {
    width: Math.max(8, Math.round(width / 24)),
    height: Math.max(8, Math.round(height / 24)),
    fit: 'cover',
  } as const
  const copy = input.open().resize(small).flatten({ background: paper })
  const pixels = await pixelsOf(copy.blur(2.5).modulate({ brightness: 0.7 }))
  return (await pictureOf(pixels)).resize(width, height, { fit: 'fill', kernel: 'cubic' })
}

async function overlaySvg(
  recipe: ImageRecipe,
  { frame, words, given }: { frame: Frame; words: EditWords; given: Pixels },
): Promise<string> {
  const { width, height, seed, transparent, mark } = recipe
  const { unit } = layoutOf(recipe)
  const inset = unit * 1.6
  const line = `<rect x="${inset}" y="${inset}" width="${width - 2 * inset}" height="${height - 2 * inset}" rx="${unit}" fill="none" stroke="${hex(paletteOf(seed).accent)}" stroke-opacity=".8" stroke-width="${unit * 0.35}"/>`
  const taken = [
    ...placeFrames(recipe.places, frame, unit),
    ...(transparent ? [] : skyFrames(words, frame)),
    ...(mark ? [markFrame(recipe)] : []),
  ]
  const parts = [
    transparent ? '' : weatherSvg(words, frame, seed) + line,
    placesSvg(recipe.places, { frame, unit, seed }),
    await editPlate(recipe, { picture: given, frame, taken }),
    mark ? markSvg(recipe) : '',
  ]
  return svg(recipe, parts.join(''))
}

/**
 * The prompt on a small translucent plate, at the place where it hides least of the given picture, as SVG.
 * @param given the picture, the part of the output that it fills, and parts of the output that must stay visible
 */
async function editPlate(
  recipe: ImageRecipe,
  given: { picture: Pixels; frame: Frame; taken: readonly Frame[] },
): Promise<string> {
  const { width, height, seed, prompt } = recipe
  const { unit } = layoutOf(recipe)
  const [across, down] = [unit * 1.3, unit * 0.9]
  const margin = unit * 3.4
  const facts = [`${width}×${height}`, `seed ${seed}`]
  const room = {
    left: 0,
    top: 0,
    // Less than half of a narrow picture: the other half may be the subject's.
    width: Math.min(unit * 42, width * 0.46 - 2 * across),
    height: unit * 16,
    unit,
  }
  const caption = captionBlock(
    { prompt, caption: { title: 'Edit', facts } },
    { ...room, largest: 2.4, maxLines: height > width ? 3 : 2 },
    hex(paletteOf(seed).accent),
  )
  const size = { width: caption.width + 2 * across, height: caption.height + 2 * down }
  const { left, top } = await calmPlace({ width, height, margin }, size, given)
  return `<rect x="${left}" y="${top}" width="${size.width}" height="${size.height}" rx="${unit}" fill="#14161c" fill-opacity=".6"/>
    <g transform="translate(${left + across} ${top + down})">${caption.svg}</g>`
}

/** The places of a picture that a plate may have, in pixels. */
export interface Room {
  width: number
  height: number
  /** The distance from the edges. */
  margin: number
}

/**
 * The spot at an edge of the picture where a plate of this size hides least: smooth parts that reach the picture's edge are
 * background, everything else is not. Of equal spots the first one is taken: lower left, upper left, lower right and so on.
 * @param picture with 3 channels, or 4 with transparency; it may be smaller than the room, which it fills or, in `frame`, fills in part.
 * @param taken parts of the room that must stay visible
 */
async function calmPlace(
  room: Room,
  size: { width: number; height: number },
  { picture, frame, taken }: { picture: Pixels; frame: Frame; taken: readonly Frame[] },
): Promise<{ left: number; top: number }> {
  const map = await careMap(picture)
  const costs = spots(room, size).map((spot, i) => {
    const place = { ...spot, ...size }
    const isTaken = taken.some(other => meet(place, other))
    return { spot, cost: hidden(map, place, frame) + i * 0.003 + (isTaken ? 10 : 0) }
  })
  return costs.reduce((best, each) => (each.cost < best.cost ? each : best)).spot
}

/** The four corners, then the middles of the edges. */
function spots({ width, height, margin }: Room, size: { width: number; height: number }) {
  const [left, top] = [margin, margin]
  const [right, bottom] = [width - margin - size.width, height - margin - size.height]
  const [across, down] = [(width - size.width) / 2, (height - size.height) / 2]
  const outer = [left, right, across].flatMap(x => [[x, bottom] as const, [x, top] as const])
  return [...outer, [left, down] as const, [right, down] as const].map(([x, y]) => ({
    left: Math.round(x),
    top: Math.round(y),
  }))
}

/** The mean importance of the cells under a place; 0 outside the frame. */
function hidden({ columns, rows, care }: CareMap, place: Frame, frame: Frame): number {
  const wide = frame.width / columns
  const high = frame.height / rows
  let sum = 0
  for (let row = 0; row < rows; row++) {
    const top = frame.top + row * high
    const tall = Math.min(top + high, place.top + place.height) - Math.max(top, place.top)
    for (let column = 0; tall > 0 && column < columns; column++) {
      const left = frame.left + column * wide
      const across = Math.min(left + wide, place.left + place.width) - Math.max(left, place.left)
      if (across > 0) sum += (care[row * columns + column] as number) * across * tall
    }
  }
  return sum / (place.width * place.height)
}

function meet(a: Frame, b: Frame): boolean {
  const isBeside = a.left + a.width <= b.left || b.left + b.width <= a.left
  return !isBeside && a.top + a.height > b.top && b.top + b.height > a.top
}

/** How much a cell of a picture should stay visible: 0 is empty background, about 1 is a thing with many details. */
interface CareMap {
  columns: number
  rows: number
  care: Float64Array
}

/** Cells along the longer side of a picture. */
const cells = 80

/** A step in brightness or colour that is clearly visible, of 255. */
const clearStep = 40

/** A background changes less than this from one cell to the next. */
const gentleStep = 9

/** Smooth parts that reach the picture's edge are background, everything else is a thing. A cell is judged by one of its pixels. */
async function careMap(picture: Pixels): Promise<CareMap> {
  const scale = cells / Math.max(picture.width, picture.height)
  const columns = Math.max(1, Math.round(picture.width * scale))
  const rows = Math.max(1, Math.round(picture.height * scale))
  const small = (await pictureOf(picture)).resize(columns, rows, { fit: 'fill', kernel: 'nearest' })
  const { bytes } = await pixelsOf(small.flatten({ background: paper }).toColourspace('srgb'))
  const detail = new Float64Array(columns * rows)
  const meet = (one: number, other: number) => {
    let step = 0
    for (let c = 0; c < 3; c++)
      step = Math.max(step, Math.abs((bytes[one * 3 + c] as number) - (bytes[other * 3 + c] as number)))
    for (const i of [one, other]) detail[i] = Math.max(detail[i] as number, step)
  }
  for (let i = 0; i < detail.length; i++) {
    if ((i + 1) % columns > 0) meet(i, i + 1)
    if (i + columns < detail.length) meet(i, i + columns)
  }
  const besides = (i: number) => [
    i - columns,
    i + columns,
    ...(i % columns > 0 ? [i - 1] : []),
    ...((i + 1) % columns > 0 ? [i + 1] : []),
  ]
  const isSmooth = (i: number) => (detail[i] ?? clearStep) < gentleStep
  const isEdge = (i: number) => besides(i).length < 4 || i < columns || i >= detail.length - columns
  const background = new Set<number>()
  const open = [...detail.keys()].filter(i => isSmooth(i) && isEdge(i))
  for (let i = open.pop(); i !== undefined; i = open.pop()) {
    if (background.has(i)) continue
    background.add(i)
    open.push(...besides(i).filter(isSmooth))
  }
  const care = detail.map((most, i) => Math.min(1, most / clearStep) + (background.has(i) ? 0 : 0.5))
  return { columns, rows, care }
}
