import { isObject } from '../../spec/json.ts'
import { headerOf } from '../har.ts'
import { idOf, linkOf, type Step } from '../read/steps.ts'
import type { Replayed } from './ask-emulator.ts'

/** Learns which link, voice or output of the emulator belongs to a recorded one: both are at the same place of two replies. */
export function pairLinks(recorded: unknown, own: unknown, known: Map<string, string>, key = ''): void {
  if (typeof recorded === 'string' && typeof own === 'string') {
    if (/^https?:\/\//.test(recorded) && /^https?:\/\//.test(own)) known.set(linkOf(recorded), own)
    else if (/^(?:voice_id|id)$/.test(key) && recorded !== '' && !known.has(recorded))
      known.set(recorded, own)
  } else if (Array.isArray(recorded) && Array.isArray(own)) {
    for (const item of recorded)
      pairLinks(item, counterpart(item, recorded.indexOf(item), own, known), known, key)
  } else if (isObject(recorded) && isObject(own)) {
    for (const [name, inner] of Object.entries(recorded)) pairLinks(inner, own[name], known, name)
  }
}

/** Learns which entity tag of the emulator belongs to a recorded one. */
export function pairTags(step: Step, own: Pick<Replayed, 'headers'>, known: Map<string, string>): void {
  const recorded = headerOf(step.entry.response.headers, 'etag')
  const tag = own.headers.get('etag')
  if (recorded && tag !== null) known.set(recorded, tag)
}

/** The row of the same task when rows have ids, else the row at the same place. */
export function counterpart(
  item: unknown,
  place: number,
  others: readonly unknown[],
  known: ReadonlyMap<string, string>,
): unknown {
  const own = known.get(idOf(item) ?? '')
  return own === undefined
    ? others[place]
    : (others.find(other => idOf(other) === own) ?? (others.some(isObject) ? undefined : others[place]))
}
