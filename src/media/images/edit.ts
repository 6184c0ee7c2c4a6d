import type { OverlayOptions, Sharp } from 'sharp'
import { captionBlock } from '../drawing/caption-block.ts'
import { hex, paletteOf, paper } from '../drawing/colour.ts'
import { layoutOf, svg } from '../drawing/svg.ts'
import { loadSharp, type Pixels, pictureOf, pixelsOf } from '../render/pixels.ts'
import type { ImageRecipe } from '../render/recipe.ts'
import { calmPlace } from './calm-place.ts'
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
  const overlay: OverlayOptions = { input: Buffer.from(overlaySvg(recipe, { frame, words, given })) }
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

function overlaySvg(
  recipe: ImageRecipe,
  { frame, words, given }: { frame: Frame; words: EditWords; given: Pixels },
): string {
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
    editPlate(recipe, { picture: given, frame, taken }),
    mark ? markSvg(recipe) : '',
  ]
  return svg(recipe, parts.join(''))
}

/**
 * The prompt on a small translucent plate, at the place where it hides least of the given picture, as SVG.
 * @param given the picture, the part of the output that it fills, and parts of the output that must stay visible
 */
function editPlate(
  recipe: ImageRecipe,
  given: { picture: Pixels; frame: Frame; taken: readonly Frame[] },
): string {
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
  const { left, top } = calmPlace({ width, height, margin }, size, given)
  return `<rect x="${left}" y="${top}" width="${size.width}" height="${size.height}" rx="${unit}" fill="#14161c" fill-opacity=".6"/>
    <g transform="translate(${left + across} ${top + down})">${caption.svg}</g>`
}
