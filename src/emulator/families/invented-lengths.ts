import { checkTotalSeconds } from '../../media/index.ts'
import { type FaultError, invalid } from '../faults/fault.ts'
import type { MediaFacts } from '../worlds/media-facts.ts'
import { limitReason } from './input-media.ts'

/**
 * Checks the total length of a request's inputs, sort by sort, and shortens invented lengths to fit. `sortOf` names the sort of an
 * input by its place. Throws `invalid_parameter` for `content` when a total is above `most` seconds.
 */
export function withinTotals<S extends string>(
  facts: readonly MediaFacts[],
  sorts: readonly S[],
  sortOf: (index: number) => string | undefined,
  { least, most }: Pick<Room, 'least' | 'most'>,
): MediaFacts[] {
  return sorts.reduce<MediaFacts[]>(
    (media, sort) => {
      const isOfSort = (index: number) => sortOf(index) === sort
      const found = media.filter((_, index) => isOfSort(index))
      const problem = checkTotalSeconds(found, { max: most, tolerance: 0.2 })
      if (problem) throw invalid('content', `${sort}: ${limitReason(problem)}`)
      const refuse = (shortest: number) =>
        invalid('content', `${sort}: the inputs have at least ${shortest} seconds, must be at most ${most}`)
      return fitInvented(media, isOfSort, { most, least, refuse })
    },
    [...facts],
  )
}

/** The limits of one sort of inputs, in seconds: all together and each. */
interface Room {
  most: number
  least: number
  /** Makes the error for inputs that do not fit even at their shortest length. */
  refuse(shortest: number): FaultError
}

/**
 * Shortens the invented lengths of inputs that were not read, so that the request keeps its limits (A-invented-lengths).
 * `counted` selects the inputs of the sort. Throws the error of `refuse` when even the shortest legal files do not fit.
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
