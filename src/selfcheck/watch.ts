import type { Answer, Gateway } from './gateway.ts'
import { at, must, type Rule, same } from './rule.ts'

const mostPolls = 400

/** Polls until the state is not in `going`, and returns the states in order; repeated states count once. */
export async function pollUntil(
  gateway: Gateway,
  path: string,
  stateOf: (body: unknown) => string,
  going: readonly string[],
): Promise<{ seen: string[]; body: unknown }> {
  const seen: string[] = []
  for (let poll = 0; poll < mostPolls; poll++) {
    if (poll > 0) await gateway.pause()
    const { status, body } = await gateway.ask('GET', path)
    same(`The status of a poll (${JSON.stringify(body)})`, status, 200)
    const state = stateOf(body)
    if (seen.at(-1) !== state) seen.push(state)
    if (!going.includes(state)) return { seen, body }
  }
  must(false, `It was still ${seen.at(-1)} after ${mostPolls} polls`)
}

/** Makes rules that share one paid result. */
export function reads<T>(family: Rule['family'], get: (gateway: Gateway) => Promise<T>) {
  return (
    id: string,
    says: string,
    cites: string,
    look: (found: T, gateway: Gateway) => void | Promise<void>,
    needs?: Rule['needs'],
  ): Rule => ({
    id: `${family}.${id}`,
    family,
    says,
    cites,
    costs: true,
    ...(needs && { needs }),
    check: async gateway => look(await get(gateway), gateway),
  })
}

/**
 * Rejects unless the list at `path` can be filtered by `name`. There must be a task with the first value; a task with the second is
 * not needed: without a filter, the list for the second value would show the first task.
 */
export async function isFiltered(
  gateway: Gateway,
  path: string,
  name: string,
  [held, other]: readonly [string, string],
): Promise<void> {
  for (const value of [held, other]) {
    const { status, body } = await gateway.ask('GET', `${path}?filter.${name}=${value}`)
    same('The status', status, 200)
    const items = at(body, 'items')
    must(Array.isArray(items), 'There is no list of items')
    must(value === other || items.length > 0, `Nothing is listed by filter.${name}=${held}, but there is one`)
    for (const item of items) same(`The ${name} of an item by filter.${name}=${value}`, at(item, name), value)
  }
}

/** Rejects unless the file is an MP4 or MOV. */
export function isVideo({ status, bytes }: Answer): void {
  same('The status of the download', status, 200)
  same('The kind of file', Buffer.from(bytes).toString('latin1', 4, 8), 'ftyp')
}

/** Rejects unless the file is a PNG. */
export function isPng({ status, bytes }: Answer): void {
  same('The status of the download', status, 200)
  same('The kind of file', Buffer.from(bytes).toString('latin1', 1, 4), 'PNG')
}

/** The size of a PNG, from its head: `1280x720`. */
export function pngSize(bytes: Uint8Array): string {
  const png = Buffer.from(bytes)
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`
}

/** The size of an MP4 or MOV: that of its first track that has one, which its head ends with. ISO/IEC 14496-12, 8.3.2. */
export function videoSize(bytes: Uint8Array): string {
  const movie = Buffer.from(bytes)
  for (let at = movie.indexOf('tkhd'); at >= 4; at = movie.indexOf('tkhd', at + 4)) {
    const end = at - 4 + movie.readUInt32BE(at - 4)
    const [width, height] = [movie.readUInt16BE(end - 8), movie.readUInt16BE(end - 4)]
    if (width > 0) return `${width}x${height}`
  }
  return 'unknown'
}
