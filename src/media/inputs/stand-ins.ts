import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fixturePath, type MediaFacts, type MediaKind } from '../../emulator/ground.ts'
import { once } from '../files/once.ts'
import { InputError, shortReference } from './errors.ts'
import { namedByEnding } from './formats.ts'

type Invented = Omit<MediaFacts, 'kind' | 'digest' | 'origin' | 'realFace' | 'note'>

/**
 * Assumed properties for a file that is not read, always the same for the same reference. The ending of the
 * path gives the format, if it has one; an ending of another kind is refused as the file would be.
 * Throws InputError `wrong_kind`.
 */
export async function standIn(
  reference: string,
  want: MediaKind,
  reason: string,
): Promise<Omit<MediaFacts, 'realFace'>> {
  const promised = await namedByEnding(filePathOf(reference))
  if (promised && promised.kind !== want) {
    const message = `"${shortReference(reference)}" has the ending of ${promised.kind} (${promised.format}), and ${want} is needed`
    throw new InputError('wrong_kind', message)
  }
  const digest = createHash('sha256').update(`stand-in ${reference}`).digest('hex')
  const choices = (await readTable())[want]
  const draw = Number.parseInt(digest.slice(0, 8), 16)
  const chosen = choices[draw % choices.length]
  if (!chosen) throw new Error(`fixtures/media/stand-ins.json has no stand-in for ${want}`)
  const facts = { ...inFormat(chosen, promised?.format), bytes: chosen.bytes + (draw % 4096) }
  const note = `${shortReference(reference)} was not read: ${reason}. Assumed: ${describe(facts, want)}.`
  return { ...facts, kind: want, digest, origin: 'stand_in', note }
}

/** Another format may have other codecs, so the codecs are left out then. */
function inFormat(chosen: Invented, format: string | undefined): Invented {
  if (format === undefined || format === chosen.format) return chosen
  const { videoCodec: _video, audioCodec: _audio, ...others } = chosen
  return { ...others, format }
}

/** The path alone: the host of `https://example.com` has no ending. */
function filePathOf(reference: string): string {
  const url = /^https?:/i.test(reference) && URL.canParse(reference) ? new URL(reference) : undefined
  return url ? url.pathname : pathOf(reference)
}

/** The path of a link without its query; any other reference unchanged. */
export function pathOf(reference: string): string {
  return reference.replace(/[?#].*$/, '')
}

/** The assumed facts, read once. Saves 70 µs for each input that is not fetched. */
const readTable = once(
  async (): Promise<Record<MediaKind, readonly Invented[]>> =>
    JSON.parse(await readFile(fixturePath('media/stand-ins.json'), 'utf8')),
)

function describe(facts: Invented, kind: MediaKind): string {
  const size = facts.widthPx === undefined ? '' : `, ${facts.widthPx}x${facts.heightPx}`
  const length = facts.seconds === undefined ? '' : `, ${facts.seconds} s`
  const rate = facts.fps === undefined ? '' : `, ${facts.fps} fps`
  return `${kind} in ${facts.format}${size}${length}${rate}`
}
