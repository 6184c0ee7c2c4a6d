import type { MediaLimits, PointedPlace } from '../../../media/index.ts'
import { type FaultError, invalid, missing } from '../../faults/fault.ts'
import { shown } from '../../wording/shown.ts'
import { checkNoCallback } from '../create-rules.ts'
import type { GenerateBody } from './schema.ts'

/** The mode that the fields of a request select, in the words of the scenario language. */
export const modes = ['text', 'edit', 'reference', 'layers'] as const
export type Mode = (typeof modes)[number]

/** `layers` when requested, else by the number of images. */
export function modeOf(body: Partial<GenerateBody>): Mode {
  if (body.layer_decomposition === true) return 'layers'
  const images = imagesOf(body).length
  return images === 0 ? 'text' : images === 1 ? 'edit' : 'reference'
}

/** The references to pictures, in order. */
export function imagesOf({ image }: Partial<GenerateBody>): readonly string[] {
  return image === undefined ? [] : typeof image === 'string' ? [image] : image
}

/** The error for a field or value that the model does not have, in upstream's words. */
function unsupported(field: string, value: unknown, allowed: string): FaultError {
  return invalid(field, `${shown(value)} is not supported by the current model, must be ${allowed}`)
}

/**
 * Refuses fields that the model does not support (Spec, "Not supported"; "Errors" rules 2 and 3). `n: 1` and an empty `tools` ask
 * for nothing; the fields of group generation are refused whatever they say (I-nothing).
 */
export function checkUnsupported(body: GenerateBody): void {
  const { stream, n, tools, sequential_image_generation: group } = body
  const { sequential_image_generation_options: groupOptions } = body
  checkNoCallback({ callback_url: body.callback_url })
  if (stream === true) throw unsupported('stream', stream, 'false or left out')
  if (n !== undefined && n !== 1) throw unsupported('n', n, '1 or left out')
  if (group !== undefined) throw unsupported('sequential_image_generation', group, 'left out')
  if (groupOptions !== undefined)
    throw unsupported('sequential_image_generation_options', groupOptions, 'left out')
  const asksForTools = tools !== undefined && !(Array.isArray(tools) && tools.length === 0)
  if (asksForTools) throw unsupported('tools', tools, 'left out')
}

/** Returns the prompt. Normal mode requires one; blanks alone do not count. */
export function checkPrompt({ prompt = '' }: GenerateBody, mode: Mode): string {
  if (prompt.trim() === '' && mode !== 'layers') throw missing('prompt')
  return prompt.trim()
}

const mostImages = 10

/** Spec, "Limits": at most 10 images in normal mode, exactly one in layer mode. */
export function checkCount(images: readonly string[], mode: Mode): void {
  if (mode === 'layers' && images.length === 0) throw missing('image')
  if (mode === 'layers' && images.length > 1)
    throw invalid('image', `layer decomposition takes exactly one image, and there are ${images.length}`)
  if (images.length > mostImages)
    throw invalid(
      'image',
      `number of reference images cannot exceed ${mostImages}, and there are ${images.length}`,
    )
}

/** `transparent` needs an edit of exactly one image and PNG output (I-transparent). */
export function checkBackground({ background, output_format }: GenerateBody, mode: Mode): void {
  if (background !== 'transparent') return
  if (mode === 'layers')
    throw invalid('background', 'transparent background is not supported with layer decomposition')
  if (mode !== 'edit') throw invalid('background', 'transparent background requires exactly one input image')
  if (output_format !== 'png')
    throw invalid(
      'output_format',
      `must be png when background is transparent, and it is ${output_format ?? 'left out (jpeg)'}`,
    )
}

const anyFormat = ['jpeg', 'png', 'webp', 'bmp', 'tiff', 'gif', 'heic', 'heif']
const layerFormats = ['jpeg', 'png']

/** Spec, "Limits", image file: 30 MB, sides above 14 px, pixels, aspect. Layer mode takes jpeg and png only. */
export function limitsFor(mode: Mode): MediaLimits {
  return {
    formats: mode === 'layers' ? layerFormats : anyFormat,
    maxBytes: 30 * 1024 * 1024,
    sidePx: { min: 15 },
    pixels: { min: 196, max: 36_000_000 },
    aspect: { min: 1 / 16, max: 16 },
  }
}

/** A prompt and the places in it. */
interface Pointing {
  /** The prompt with a number in brackets for each tag, as the picture shows it. */
  caption: string
  places: readonly PointedPlace[]
}

const tag = /<(point|bbox)>([^<]*)<\/\1>/gi
const counts: Readonly<Record<string, number>> = { point: 2, bbox: 4 }
const nameBefore = /(?:图片?|image|picture|reference)\s*(\d{1,2})\s*$/i

/**
 * Reads `<point>x y</point>` and `<bbox>x1 y1 x2 y2</bbox>` (I-places). A tag points into the picture named before it ("图2",
 * "image 2"), else into the first. Throws `invalid_parameter` for coordinates outside 0 to 999 (Spec, "Limits") and for
 * incomplete tags.
 */
export function readPointing(prompt: string, images: number): Pointing {
  const places: PointedPlace[] = []
  const caption = prompt.replace(tag, (_whole, kind: string, inside: string, at: number) => {
    const named = Number(nameBefore.exec(prompt.slice(0, at))?.[1] ?? 1)
    places.push(
      pointedPlaceOf(coordinates(kind.toLowerCase(), inside), named >= 1 && named <= images ? named - 1 : 0),
    )
    return `[${places.length}]`
  })
  const rest = /<\/?(?:point|bbox)>/i.exec(caption)
  if (rest) throw invalid('prompt', `the tag ${rest[0]} has no counterpart`)
  return { caption, places }
}

function coordinates(kind: string, inside: string): number[] {
  const count = counts[kind] ?? 0
  const numbers = inside.trim().split(/\s+/)
  if (numbers.length !== count || !numbers.every(number => /^-?\d+$/.test(number))) {
    throw invalid(
      'prompt',
      `<${kind}> must hold ${count} whole numbers with blanks between them, and holds ${shown(inside)}`,
    )
  }
  const outside = numbers.find(number => Number(number) < 0 || Number(number) > 999)
  if (outside !== undefined)
    throw invalid('prompt', `the coordinate ${outside} in <${kind}> is outside 0 to 999`)
  return numbers.map(Number)
}

function pointedPlaceOf([x1 = 0, y1 = 0, x2 = x1, y2 = y1]: number[], input: number): PointedPlace {
  return {
    input,
    left: Math.min(x1, x2),
    top: Math.min(y1, y2),
    right: Math.max(x1, x2),
    bottom: Math.max(y1, y2),
  }
}
