import { readFileSync } from 'node:fs'
import { fixturePath } from '../../../emulator/ground.ts'
import { loadSharp } from '../../../media/index.ts'
import { isObject, readLeftOut } from '../../spec/json.ts'
import { isMediaDescription, type MediaDescription } from '../describe-media.ts'
import { linkOf } from '../read/steps.ts'
import { isPromptName } from '../redact/json.ts'
import { filesOrigin } from '../redact/link.ts'
import { standInPrompt, standInWord } from '../redact/prompt.ts'

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
  const own = known.get(text) ?? known.get(linkOf(text))
  if (own !== undefined) return own
  const left = readLeftOut(text)
  if (left) return left.words !== '' || isPromptName(key) ? standInPrompt(left) : standInWord(left)
  if (text.startsWith('asset://')) return asset(text, kindOf(key))
  if (text.startsWith(`${filesOrigin}/__emulator/`)) return base + text.slice(filesOrigin.length)
  // A prompt tag would act once more: what it did is planned from the replies.
  return text.replaceAll('[[', '((').replaceAll(']]', '))')
}

function kindOf(key: string): 'image' | 'video' | 'audio' {
  if (/video/.test(key)) return 'video'
  return /audio|sound|voice/.test(key) ? 'audio' : 'image'
}

const samples: Readonly<Record<string, string>> = {
  'image/bmp': 'landscape.bmp',
  'image/heic': 'landscape.heic',
  'video/mp4': 'clip-720p-5s.mp4',
  'video/quicktime': 'clip-2s.mov',
  'video/webm': 'clip-2s.webm',
  'audio/mpeg': 'voice-8s.mp3',
  'audio/wav': 'voice-8s.wav',
  'audio/aac': 'voice-8s.aac',
  'audio/mp4': 'voice-8s.m4a',
}
const drawn = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const
const mostSide = 16_000
/** The gateway may have refused a file for its size. Above this size, the stand-in is as large as the file was. */
const largeBytes = 5_000_000
const mostPadding = 80_000_000

/** The text that replaces a file in a request: a data URI or base64 of a file with the same type and size in pixels. */
async function standInFile(media: MediaDescription): Promise<string> {
  const bytes = padded(await bytesFor(media), media.bytes)
  const text = bytes.toString('base64')
  return media.form === 'base64' ? text : `data:${media.type};base64,${text}`
}

async function bytesFor(media: MediaDescription): Promise<Buffer> {
  const format = drawn.find(name => media.type === `image/${name}`)
  // A picture without measures was broken.
  if (format && media.width === undefined)
    return Buffer.alloc(Math.min(Math.max(1, media.bytes), mostPadding), 1)
  if (format && (media.width ?? 1) <= mostSide && (media.height ?? 1) <= mostSide) return draw(media, format)
  const sample = samples[media.type]
  return sample === undefined
    ? Buffer.alloc(Math.min(Math.max(1, media.bytes), mostPadding), 1)
    : readFileSync(fixturePath(`media/samples/${sample}`))
}

async function draw(
  { width = 1280, height = 720, transparent }: MediaDescription,
  format: (typeof drawn)[number],
) {
  const sharp = await loadSharp()
  const background = { r: 120, g: 140, b: 160, alpha: transparent ? 0.5 : 1 }
  const picture = sharp({ create: { width, height, channels: transparent ? 4 : 3, background } })
  return picture.toFormat(format).toBuffer()
}

function padded(bytes: Buffer, wanted: number): Buffer {
  if (wanted < largeBytes || bytes.length >= wanted || wanted > mostPadding) return bytes
  return Buffer.concat([bytes, Buffer.alloc(wanted - bytes.length)])
}
