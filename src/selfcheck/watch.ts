import type { Answer, Gateway } from './gateway.ts'
import { must, type Rule, same } from './rule.ts'

const mostPolls = 400

/** Polls until the state is none of `going`, and tells every state that was seen, each once in a row. */
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

/** Makes rules that look at something that was paid for once. */
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

/** Rejects unless an MP4 or MOV came. */
export function isVideo({ status, bytes }: Answer): void {
  same('The status of the download', status, 200)
  same('The kind of file', Buffer.from(bytes).toString('latin1', 4, 8), 'ftyp')
}

/** Rejects unless a PNG came. */
export function isPng({ status, bytes }: Answer): void {
  same('The status of the download', status, 200)
  same('The kind of file', Buffer.from(bytes).toString('latin1', 1, 4), 'PNG')
}
