import type { VideoRecipe } from '../recipe.ts'
import type { Stop } from './storyboard.ts'

/** A picture that a video passes through. */
export interface Station {
  /** What is behind it: a given picture, or a drawn slate. */
  ground: 'first' | 'last' | 'slate'
  /** With prompt and time code over it; without, a given picture is shown as it was given. */
  captioned: boolean
}

/** For so long a given picture is shown as it was given, and so long the caption takes to come and go. */
const untouchedSeconds = 0.5

/**
 * The pictures of a video and when it leaves them. A given first frame opens the video untouched and a given last frame
 * closes it untouched; between them there is a caption.
 */
export function journeyOf(recipe: VideoRecipe): { stations: Station[]; stops: Stop[] } {
  const { firstFrame, lastFrame, frames, fps } = recipe
  const length = frames / fps
  const pause = Math.min(untouchedSeconds, length / 8)
  const ground = firstFrame === undefined ? 'slate' : 'first'
  const places: (Station & { from: number; to: number })[] = []
  if (firstFrame !== undefined) places.push({ ground, captioned: false, from: 0, to: pause })
  const opened = firstFrame === undefined ? 0 : 2 * pause
  if (lastFrame === undefined) {
    places.push({ ground, captioned: true, from: opened, to: length })
  } else {
    const closing = length - 2 * pause
    places.push({ ground, captioned: true, from: opened, to: opened + pause })
    places.push({ ground: 'last', captioned: true, from: closing - pause, to: closing })
    places.push({ ground: 'last', captioned: false, from: length - pause, to: length })
  }
  return {
    stations: places.map(({ ground, captioned }) => ({ ground, captioned })),
    stops: places.flatMap(({ from, to }, picture) => [
      { picture, seconds: from },
      { picture, seconds: to },
    ]),
  }
}
