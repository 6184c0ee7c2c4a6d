import type { ApiError } from '../http/errors.ts'
import type { MediaFacts } from '../media/media-facts.ts'

/** The seconds that inputs of one sort may have together, and each of them at least. */
interface Room {
  most: number
  least: number
  /** The refusal when even the shortest inputs do not fit. */
  refuse(shortest: number): ApiError
}

/**
 * Shortens the invented lengths of inputs that were not read, so that the request keeps its own limits (A-invented-lengths).
 * `counted` tells which inputs share the room. Throws what `refuse` gives when not even the shortest legal files would fit.
 */
export function fitInvented(
  media: readonly MediaFacts[],
  counted: (index: number) => boolean,
  { most, least, refuse }: Room,
): MediaFacts[] {
  const isInvented = ({ origin }: MediaFacts, index: number) => origin === 'stand_in' && counted(index)
  const invented = media.filter(isInvented).length
  if (invented === 0) return [...media]
  const measured = media.reduce(
    (sum, facts, index) => sum + (counted(index) && facts.origin !== 'stand_in' ? (facts.seconds ?? 0) : 0),
    0,
  )
  const shortest = measured + least * invented
  if (shortest > most) throw refuse(shortest)
  const each = Math.floor(((most - measured) / invented) * 1000) / 1000
  return media.map((facts, index) => (isInvented(facts, index) ? shortened(facts, each) : facts))
}

function shortened(facts: MediaFacts, most: number): MediaFacts {
  const { seconds, fps, note } = facts
  if (seconds === undefined || seconds <= most) return facts
  return {
    ...facts,
    seconds: most,
    ...(fps !== undefined && { frames: Math.round(most * fps) }),
    ...(note !== undefined && { note: note.replace(`, ${seconds} s`, `, ${most} s`) }),
  }
}
