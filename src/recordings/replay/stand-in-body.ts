import { isObject } from '../../spec/json.ts'
import { isMediaDescription } from '../describe-media.ts'
import { linkOf } from '../read/steps.ts'
import { filesOrigin } from '../redact/link.ts'
import { isRedactedPrompt, standInPrompt } from '../redact/prompt.ts'
import { standInFile } from './stand-in-files.ts'

/** What a recorded body needs to be sent again. */
export interface StandIns {
  /** The address of the emulator. */
  base: string
  /** The emulator's ids and links by the recorded ones, complete texts. */
  known: ReadonlyMap<string, string>
  /** The reference of an asset of the replay world, by the recorded one. */
  asset(reference: string, kind: 'image' | 'video' | 'audio'): Promise<string>
}

/** A recorded body in which stand-ins replace redacted texts and files, and links and ids of the recorded gateway. */
export async function standInBody(value: unknown, how: StandIns, key = ''): Promise<unknown> {
  if (typeof value === 'string') return standInText(value, how, key)
  if (isMediaDescription(value)) return standInFile(value)
  if (Array.isArray(value)) return Promise.all(value.map(item => standInBody(item, how, key)))
  if (!isObject(value)) return value
  const name = (own: string) => (typeof value.type === 'string' && own === 'url' ? value.type : own)
  const entries = await Promise.all(
    Object.entries(value).map(async ([own, inner]) => [
      own,
      await standInBody(inner, how, keyBelow(own, key, name(own))),
    ]),
  )
  return Object.fromEntries(entries)
}

/** `image_url: {url}`: the outer key shows the kind of the link. */
function keyBelow(own: string, outer: string, name: string): string {
  return own === 'url' && /image|video|audio|frame/.test(outer) ? outer : name
}

async function standInText(text: string, { base, known, asset }: StandIns, key: string): Promise<string> {
  if (isRedactedPrompt(text)) return standInPrompt(text)
  const own = known.get(text) ?? known.get(linkOf(text))
  if (own !== undefined) return own
  if (text.startsWith('asset://')) return asset(text, kindOf(key))
  if (text.startsWith(`${filesOrigin}/__emulator/`)) return base + text.slice(filesOrigin.length)
  // A prompt tag would act once more: what it did is planned from the replies.
  return text.replaceAll('[[', '((').replaceAll(']]', '))')
}

function kindOf(key: string): 'image' | 'video' | 'audio' {
  if (/video/.test(key)) return 'video'
  return /audio|sound|voice/.test(key) ? 'audio' : 'image'
}
