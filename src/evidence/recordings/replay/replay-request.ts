import { readFileSync } from 'node:fs'
import { validateHeaderValue } from 'node:http'
import type { Choice } from '../../../emulator/gateway.ts'
import { fixturePath } from '../../../emulator/ground.ts'
import { loadSharp } from '../../../media/index.ts'
import { at, isObject, readLeftOut, withValue } from '../../spec/json.ts'
import { isMediaDescription, type MediaDescription } from '../describe-media.ts'
import { headerOf } from '../har.ts'
import { endpointOf, factsOf } from '../operation.ts'
import type { TaskObservation } from '../read/observed.ts'
import { linkOf, type Step } from '../read/steps.ts'
import { isPromptName } from '../redact/json.ts'
import { filesOrigin } from '../redact/link.ts'
import { standInPrompt, standInWord } from '../redact/prompt.ts'
import { type ReplayWorld, replayHeader } from './replay-world.ts'

const repeated = [
  'content-type',
  'accept',
  'range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'x-vendor-async',
  'x-dashscope-async',
  'x-client-request-id',
  'sec-fetch-dest',
]

/** The key with which a recorded request is repeated. It exists, unless the gateway refused the recorded key from then on. */
export function keyToSend(step: Step, world: ReplayWorld): string {
  return world.isDead(step) ? 'sk-unknown-0000' : world.client.keyFor(world.accountOf(step))
}

/** The headers of a recorded request that decide the reply, with a key of the emulator instead of the redacted one. */
export function headersToSend(
  { entry, number }: Step,
  key: string,
  known: ReadonlyMap<string, string>,
): Record<string, string> {
  const { headers } = entry.request
  const sent: Record<string, string> = { [replayHeader]: String(number) }
  for (const name of repeated) {
    const value = headerOf(headers, name)
    if (value !== undefined && canBeSent(name, value)) sent[name] = known.get(value) ?? value
  }
  const authorization = authorizationOf(entry, key)
  if (authorization !== undefined && canBeSent('authorization', authorization))
    sent.authorization = authorization
  return sent
}

/** A file of another program may have a header that HTTP does not allow, such as one with a line break. */
function canBeSent(name: string, value: string): boolean {
  try {
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}

/** Browsers leave keys out of their HAR files: their requests count as made with a valid key. */
function authorizationOf(entry: Step['entry'], key: string): string | undefined {
  const recorded = headerOf(entry.request.headers, 'authorization')
  if (entry._gateway?.authorization === 'none') return undefined
  if (entry._gateway === undefined) return `Bearer ${key}`
  return recorded?.replace(/key-\d+/g, () => key) ?? `Bearer ${key}`
}

const tooDeep = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`

/** The body of a recorded request, with stand-ins for redacted parts; undefined without a body. */
export async function bodyToSend(
  step: Step,
  task: TaskObservation | undefined,
  world: ReplayWorld,
): Promise<string | undefined> {
  // The gateway reads no body of these methods.
  if (step.body.kind === 'none' || /^(GET|HEAD)$/i.test(step.method)) return undefined
  if (step.body.kind === 'broken') return '{"broken'
  if (step.body.kind === 'too_deep') return tooDeep
  const account = world.accountOf(step)
  const isMade = step.status < 300
  const value = task ? withChoices(step, task) : step.body.value
  return JSON.stringify(
    await standInBody(value, {
      base: world.base,
      known: world.known,
      // In a refused request, the asset counts as missing.
      asset: async (reference, kind) => (isMade ? world.asset(reference, kind, account) : reference),
    }),
  )
}

/**
 * A body that asks for the values that the service chose, so that numbers can be compared: a random length or shape would
 * differ. Returns the body itself when the request left nothing open, or an input decides it.
 */
function withChoices(step: Step, { seen }: TaskObservation): unknown {
  if (step.body.kind !== 'json') return undefined
  const made = seen.find(({ status }) => status === 'succeeded')
  if (!made) return step.body.value
  return choicesIn(step).reduce((changed, { asked, told }) => {
    const value = at({ ...Object(made.step.reply), ...made.record }, ...told.split('.'))
    return isAllowed(step, asked, value) ? withValue(changed, asked, value) : changed
  }, step.body.value)
}

/** The values that a request leaves to the service. */
export function choicesIn({ family, operation, body }: Step): Choice[] {
  const rows = factsOf(family).choices?.[operation] ?? []
  if (rows.length === 0 || body.kind !== 'json') return []
  const { value } = body
  const read = [endpointOf(operation)?.reads?.mode?.(value) ?? []].flat()
  return rows.filter(
    ({ asked, open, modes }) =>
      read.some(mode => modes.includes(mode)) && open.includes(at(value, ...asked.split('.')) ?? undefined),
  )
}

function isAllowed({ operation }: Step, asked: string, value: unknown): boolean {
  const path = asked.split('.').flatMap(name => ['properties', name])
  const allowed = at(endpointOf(operation)?.body, ...path, 'enum')
  return Array.isArray(allowed) ? allowed.includes(value) : Number.isInteger(value)
}

/** What a recorded body needs to be sent again. */
interface StandIns {
  /** The address of the emulator. */
  base: string
  /** The emulator's ids and links by the recorded ones, complete texts. */
  known: ReadonlyMap<string, string>
  /** The reference of an asset of the replay world, by the recorded one. */
  asset(reference: string, kind: 'image' | 'video' | 'audio'): Promise<string>
}

/** A recorded body in which stand-ins replace redacted texts and files, and links and ids of the recorded gateway. */
async function standInBody(value: unknown, how: StandIns, key = ''): Promise<unknown> {
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
