import type { PointedPlace } from '../../../media/index.ts'
import { invalid } from '../../faults/fault-error.ts'
import { shown } from '../../wording/shown.ts'

/** A prompt and the places in it. */
export interface Pointing {
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
