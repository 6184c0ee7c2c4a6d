import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fixturePath, type MediaFacts, type MediaKind } from '../../emulator/ground.ts'
import { createInputPlaces, once } from '../files/gate.ts'
import type { Digest } from '../render/recipe.ts'
import { type Address, eitherOf, type LinkRead, readLinkWithin, resolveName } from './download.ts'
import { InputError, shortReference, tryTwice } from './errors.ts'
import { hasSound } from './examine.ts'
import { type InputPolicy, parseLink } from './fetch-policy.ts'
import { namedByEnding } from './formats.ts'
import type { Prepare, Prepared } from './prepare-input.ts'

/** A file of the asset library. */
export interface AssetFile {
  kind: MediaKind
  /** The name it was uploaded under. */
  name: string
  /** True when the asset shows a person who has passed real-person certification. */
  certifiedPerson: boolean
  /** Known facts; with them, nothing is read or measured. */
  facts?: MediaFacts
  read(): Promise<Buffer>
}

/** A result of a task or a sample of this emulator, reached without HTTP. */
export interface SelfLinkFile {
  name: string
  /** May throw InputError, for example `unreachable` for a link that has expired. */
  read(): Promise<Buffer>
}

/** The surroundings of a request whose inputs are resolved. */
export interface InputContext {
  /** Measures files and keeps their posters. */
  prepare: Prepare
  places: ReturnType<typeof createInputPlaces>
  /** The world of the request: places are shared fairly between worlds. */
  world: string
  /** Keeps a file under its content digest. */
  keep(bytes: Buffer): Promise<Digest>
  /** Stops the reading. */
  signal?: AbortSignal
  policy: InputPolicy
  /** The most bytes that one file may have; more are not read. */
  maxBytes: number
  asset(id: string): AssetFile | undefined
  /** The file behind a link of this emulator; undefined for foreign links. */
  own(url: URL): SelfLinkFile | undefined
  /** Whether a reference without a scheme is plain base64, as on family K's older paths. */
  rawBase64?: boolean
  /** Whether the whole file is kept too, not only its posters. */
  keepWhole?: boolean
  /** Whether its sound is kept, for a rendering that uses it. */
  keepSound?: boolean
  /** For one download with all its redirects; 10 s when absent. Time in which this process has no processor does not count. */
  timeLimitMs?: number
  /** Name lookup; the operating system's when absent. */
  resolve?(host: string): Promise<readonly Address[]>
}

const defaultTimeLimitMs = 10_000

/**
 * Resolves a reference of a request (data URI, link, `asset://`, `mm_file://`, `oss://`) and reads the
 * properties of the file from its bytes. Links outside the policy and hosts that do not answer get assumed
 * properties, with a note for the story. Throws InputError with one of its reasons.
 */
export async function resolveInput(
  reference: string,
  want: MediaKind,
  context: InputContext,
): Promise<MediaFacts> {
  const scheme = /^([a-z][a-z0-9+._-]*):/i.exec(reference.slice(0, 40))?.[1]?.toLowerCase()
  const resolve = sources.get(scheme ?? (context.rawBase64 ? 'base64' : 'link')) ?? fromLink
  return resolve({ reference, want, context })
}

interface InputRequest {
  reference: string
  want: MediaKind
  context: InputContext
}

const sources = new Map<string, (request: InputRequest) => Promise<MediaFacts>>([
  ['data', request => fromInline(request, readDataUri)],
  ['base64', request => fromInline(request, readBase64)],
  ['asset', fromAsset],
  ['mm_file', fromOpaque],
  ['oss', fromOpaque],
])

function fromInline(
  { reference, want, context }: InputRequest,
  read: typeof readBase64,
): Promise<MediaFacts> {
  return inMemory(context, async () => {
    const prepared = await prepareAndKeep(
      read(reference, context.maxBytes),
      { kind: want, name: '' },
      context,
    )
    return withOrigin(prepared, 'data', '')
  })
}

async function prepareAndKeep(
  bytes: Buffer,
  want: { kind: MediaKind; name: string },
  context: InputContext,
): Promise<Prepared> {
  const { keepSound, signal } = context
  const prepared = await context.prepare(bytes, { ...want, ...(keepSound && { keepSound }) }, signal)
  if (context.keepWhole) await context.keep(bytes)
  return prepared
}

async function withOrigin(
  prepared: Prepared,
  origin: MediaFacts['origin'],
  name: string,
): Promise<MediaFacts> {
  return { ...prepared, origin, realFace: await mayShowFace(prepared, name) }
}

/** Only pictures and videos can show a face, whatever the name of a file says. */
async function mayShowFace({ kind, digest }: Pick<MediaFacts, 'kind' | 'digest'>, name: string) {
  return kind !== 'audio' && (await showsRealFace(digest, name))
}

/** References to a store that only the vendor can open: the file is unknown, so its properties are assumed. */
function fromOpaque({ reference, want }: InputRequest): Promise<MediaFacts> {
  return assume(reference, want, 'only the vendor can open such references')
}

async function assume(reference: string, want: MediaKind, reason: string): Promise<MediaFacts> {
  const facts = await standIn(reference, want, reason)
  return { ...facts, realFace: await mayShowFace(facts, reference) }
}

async function fromAsset({ reference, want, context }: InputRequest): Promise<MediaFacts> {
  const id = /^asset:\/\/([A-Za-z0-9_-]{1,128})$/.exec(reference)?.[1]
  if (id === undefined) {
    throw new InputError(
      'malformed_reference',
      `"${shortReference(reference)}" is not of the form asset://<asset id>`,
    )
  }
  const asset = context.asset(id)
  if (!asset) throw new InputError('unknown_asset', `The specified asset ${id} is not found`)
  if (asset.kind !== want) {
    throw new InputError(
      'wrong_kind',
      `the specified asset ${id} is not ${want === 'video' ? 'a' : 'an'} ${want}, it is ${asset.kind}`,
    )
  }
  // The sound of a file must be extracted from it.
  const needsSound = context.keepSound && asset.facts && hasSound(asset.facts)
  const facts: MediaFacts =
    asset.facts && !needsSound
      ? { ...asset.facts, origin: asset.facts.origin === 'stand_in' ? 'stand_in' : 'asset' }
      : await fromFile(asset, { reference, want, context }, 'asset')
  // Spec, "What the service does" 6: a certified person's face may be used, by its asset reference.
  return asset.certifiedPerson ? { ...facts, realFace: false } : facts
}

function fromFile(
  file: AssetFile | SelfLinkFile,
  request: InputRequest,
  origin: MediaFacts['origin'],
): Promise<MediaFacts> {
  return inMemory(request.context, async () => {
    const bytes = await file.read()
    const { maxBytes } = request.context
    if (bytes.length > maxBytes) {
      throw new InputError(
        'too_large',
        `${file.name} has ${bytes.length} bytes; at most ${maxBytes} are allowed`,
      )
    }
    const prepared = await prepareAndKeep(bytes, { kind: request.want, name: file.name }, request.context)
    return withOrigin(prepared, origin, file.name)
  })
}

async function fromLink(request: InputRequest): Promise<MediaFacts> {
  const { reference, want, context } = request
  const url = parseLink(reference)
  const own = context.own(url)
  if (own) return fromFile(own, request, 'own')
  const read = await context.places.downloads.run(
    context.world,
    () => readInTime(url, context),
    context.signal,
  )
  if (read.kind === 'stand_in') return assume(reference, want, read.reason)
  const named = { kind: want, name: pathOf(reference) }
  const prepared = await inMemory(context, () => prepareAndKeep(read.bytes, named, context))
  return withOrigin(prepared, 'http', reference)
}

function inMemory<T>({ places, world, signal }: InputContext, work: () => Promise<T>): Promise<T> {
  return places.inMemory.run(world, work, signal)
}

function readInTime(url: URL, context: InputContext): Promise<LinkRead> {
  const { policy, maxBytes, signal, timeLimitMs = defaultTimeLimitMs, resolve = resolveName } = context
  return tryTwice(() => readLinkWithin(url, { policy, maxBytes, signal, timeLimitMs, resolve }))
}

/** The reader of inputs, with everything that is the same for all requests. */
export interface Inputs {
  resolve(reference: string, want: MediaKind, request: RequestContext): Promise<MediaFacts>
  /** Stops all reading, and resolves when its processes have ended and its files are removed. */
  close(): Promise<void>
}

type RequestContext = Pick<
  InputContext,
  'maxBytes' | 'asset' | 'own' | 'rawBase64' | 'keepWhole' | 'keepSound' | 'world' | 'signal'
>

export function createInputs(surroundings: Omit<InputContext, keyof RequestContext | 'places'>): Inputs {
  const stopping = new AbortController()
  const running = new Set<Promise<MediaFacts>>()
  const places = createInputPlaces()
  return {
    resolve(reference, want, request) {
      const end = eitherOf([stopping.signal, request.signal])
      const context = { ...surroundings, ...request, places, signal: end.signal }
      const resolved = resolveInput(reference, want, context)
      const forget = () => {
        end.end()
        running.delete(resolved)
      }
      running.add(resolved)
      resolved.then(forget, forget)
      return resolved
    },
    async close() {
      stopping.abort()
      await Promise.allSettled(running)
    },
  }
}

/**
 * Whether a content is registered as the face of a real person in `fixtures/media/real-faces.json`, or its link or file name
 * says `real-face`. The emulator does not detect faces (an assumption; Spec, "What the service does" 6).
 */
async function showsRealFace(digest: Digest, name: string): Promise<boolean> {
  return /real-face/i.test(name) || (await readRegistered()).has(digest)
}

type Invented = Omit<MediaFacts, 'kind' | 'digest' | 'origin' | 'realFace' | 'note'>

/**
 * Assumed properties for a file that is not read, always the same for the same reference. The ending of the
 * path gives the format, if it has one; an ending of another kind is refused as the file would be.
 * Throws InputError `wrong_kind`.
 */
async function standIn(
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
function pathOf(reference: string): string {
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

/** The registered faces, read once. Saves 30 µs for each input. */
const readRegistered = once(async (): Promise<ReadonlySet<Digest>> => {
  const entries: { sha256: Digest }[] = JSON.parse(
    await readFile(fixturePath('media/real-faces.json'), 'utf8'),
  )
  return new Set(entries.map(entry => entry.sha256))
})

/**
 * The bytes of `data:<kind>/<format>;base64,…`. Only the form of the label is checked; whether it is true is the caller's question;
 * line breaks inside are allowed. The size is checked before decoding. Throws InputError `malformed_reference` or `too_large`.
 */
function readDataUri(uri: string, maxBytes: number): Buffer {
  const head = /^data:(image|video|audio|application|text)\/[a-z0-9][a-z0-9.+-]*;base64,/.exec(
    uri.slice(0, 200),
  )
  if (head) return readBase64(uri.slice(head[0].length), maxBytes)
  throw malformed(uri, 'not of the form data:<kind>/<format in lower case>;base64,<data>')
}

/** The bytes of plain base64, with or without padding. Throws InputError `malformed_reference` or `too_large`. */
function readBase64(text: string, maxBytes: number): Buffer {
  // Four characters are three bytes; some more are allowed for line breaks, which are removed next.
  if (text.length > maxBytes * 1.5 + 1024) throw tooLarge(Math.floor(text.length * 0.75), maxBytes)
  const packed = /\s/.test(text) ? text.replace(/\s+/g, '') : text
  const padding = packed.endsWith('==') ? 2 : packed.endsWith('=') ? 1 : 0
  const expected = Math.floor(((packed.length - padding) * 3) / 4)
  if (expected > maxBytes) throw tooLarge(expected, maxBytes)
  // The decoder takes the URL-safe alphabet too; upstreams take the standard one only (A-labels).
  if (/[-_]/.test(packed))
    throw malformed(packed, 'URL-safe base64 (- and _), must be standard base64 (+ and /)')
  const bytes = Buffer.from(packed, 'base64')
  // The decoder skips invalid characters, so that they appear as missing bytes.
  if (bytes.length === expected && expected > 0) return bytes
  throw malformed(packed, 'not valid base64')
}

function malformed(text: string, what: string): InputError {
  return new InputError('malformed_reference', `"${shortReference(text)}" is ${what}`)
}

function tooLarge(size: number, maxBytes: number): InputError {
  return new InputError('too_large', `the inline file has ${size} bytes; at most ${maxBytes} are allowed`)
}
