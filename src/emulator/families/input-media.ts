import {
  type AssetFile,
  checkLimits,
  checkTotalSeconds,
  InputError,
  type LimitProblem,
  type MediaLimits,
} from '../../media/index.ts'
import { FaultError, invalid } from '../faults/fault.ts'
import { isForeign } from '../http/origin.ts'
import type { Call } from '../pipeline/endpoint.ts'
import { shown } from '../wording/shown.ts'
import type { MediaFacts, MediaKind } from '../worlds/media-facts.ts'

/** One reference of a request, with its limits. `param` is its path in the request body. */
export interface MediaReference {
  reference: string
  kind: MediaKind
  /** A second kind, tried when the file is not of the first kind. */
  orKind?: MediaKind
  param: string
  limits: MediaLimits
  /** True when plain base64 without `data:` is allowed. */
  rawBase64?: boolean
  /** The upstream's own store; references into it are allowed. */
  store?: VendorStore
  /** True when the whole file is needed later, not only its poster. */
  keepWhole?: boolean
  /** True when the video that is made carries the sound of the file. */
  keepSound?: boolean
}

/** Refuses data URIs where upstream takes links only. */
export function checkLinked(param: string, reference: string): void {
  if (/^data:/i.test(reference)) throw invalid(param, 'must be a link, inline files are not supported here')
}

/** How many bytes are read at most, so that the message can give the size of a file that is a little too large. */
const endlessBytes = 210 * 1024 * 1024

/**
 * Fetches and measures the files of a request, and checks each against its limits. Throws the first problem in the order of the
 * request: `invalid_parameter` for a file that cannot be used, `moderated` for a real face (Spec, "What the service does" 6).
 */
export async function resolveMedia(call: Call, references: readonly MediaReference[]): Promise<MediaFacts[]> {
  const settled = await Promise.allSettled(references.map(one => resolveOne(call, one)))
  const facts = settled.map(result => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
  facts.forEach((found, index) => {
    if (found.realFace) throw realFace(references[index]?.param ?? 'content')
  })
  return facts
}

async function resolveOne(
  call: Call,
  { reference, kind, orKind, param, limits, rawBase64, keepWhole, keepSound, store }: MediaReference,
): Promise<MediaFacts> {
  checkReference(param, reference, { ...(store && { store }), ...(rawBase64 && { rawBase64 }) })
  const resolve = (as: MediaKind) =>
    call.services.inputs.resolve(reference, as, {
      maxBytes: limits.maxBytes ?? endlessBytes,
      asset: id => assetIn(call, id),
      own: url => call.services.selfLink(call, url),
      world: call.world.id,
      ...(call.disconnected && { signal: call.disconnected() }),
      ...(rawBase64 && { rawBase64 }),
      ...(keepWhole && { keepWhole }),
      ...(keepSound && { keepSound }),
    })
  let facts: MediaFacts
  try {
    facts = await resolve(kind).catch(error => {
      if (orKind === undefined || !isOfAnotherKind(error)) throw error
      return resolve(orKind)
    })
  } catch (error) {
    if (call.disconnected?.().aborted)
      throw new FaultError('unavailable', { reason: 'the client left before its inputs were read' })
    if (orKind !== undefined && isOfAnotherKind(error))
      throw refusal(call, { reference, param, reason: `the file is neither ${kind} nor ${orKind}` })
    if (error instanceof InputError) throw refusal(call, { reference, param, reason: error.message })
    throw error
  }
  // Of a file that was not read, only the ending of its URL is known. The other facts are invented, so they cannot be a reason to
  // refuse it.
  const { formats } = limits
  const [problem] = checkLimits(facts, facts.origin === 'stand_in' ? { ...(formats && { formats }) } : limits)
  if (problem) throw refusal(call, { reference, param, reason: limitReason(problem) })
  checkLabel(param, reference, facts)
  return facts
}

/**
 * A page of a foreign origin could use create calls to find open ports of this machine. Such a page gets the same message for
 * every failure to read a link.
 */
function refusal(
  { headers, services }: Call,
  { reference, param, reason }: { reference: string; param: string; reason: string },
): FaultError {
  const isHidden = /^https?:/i.test(reference) && isForeign(headers.origin, services.options)
  return new FaultError('invalid_parameter', { param, reason: isHidden ? 'the link cannot be used' : reason })
}

function isOfAnotherKind(error: unknown): boolean {
  return error instanceof InputError && error.reason === 'wrong_kind'
}

const properties: Readonly<Record<LimitProblem['property'], string>> = {
  format: 'format',
  bytes: 'size in bytes',
  width: 'width in pixels',
  height: 'height in pixels',
  aspect: 'aspect ratio (width / height)',
  pixels: 'number of pixels',
  seconds: 'length in seconds',
  fps: 'frame rate',
  pages: 'number of pages',
  videoCodec: 'video codec',
  audioCodec: 'audio codec',
  totalSeconds: 'total length in seconds',
}

/** A broken limit as a phrase for an error message. */
export function limitReason({ property, value, allowed }: LimitProblem): string {
  return `the ${properties[property]} is ${value}, must be ${allowed}`
}

function realFace(param: string): FaultError {
  return new FaultError('moderated', {
    param,
    reason: 'the input may contain a real person',
    about: 'real_face',
  })
}

/** Sentences for the story about inputs that were not read. */
export function notesOn(facts: readonly MediaFacts[]): string[] {
  return facts.flatMap(({ note }) => note ?? [])
}

/**
 * The file behind an `asset://` reference of the caller's account. Undefined for an unknown asset and for another account's
 * asset.
 */
function assetIn(
  { world, account, services }: Pick<Call, 'world' | 'account' | 'services'>,
  id: string,
): AssetFile | undefined {
  const asset = world.state.assets.get(id)
  if (!asset || asset.account !== account.id) return undefined
  return {
    kind: asset.kind,
    name: asset.url ?? asset.id,
    certifiedPerson: asset.certifiedPerson,
    facts: asset.facts,
    async read() {
      const bytes = await services.library.kept(asset.facts.digest)
      if (!bytes) throw new InputError('unreachable', `the bytes of the asset ${id} are gone`)
      return bytes
    },
  }
}

/** The store of one upstream: `oss` belongs to family B, `mm_file` to family C. */
type VendorStore = 'oss' | 'mm_file'

/** The forms of a reference that a field allows besides a link, a data URI and an asset. */
interface ReferenceForms {
  store?: VendorStore
  /** Plain base64 without `data:`. */
  rawBase64?: boolean
}

/**
 * Checks the form of a reference: an http or https URL, a data URI or an `asset://` reference, without a blank before it
 * (A-references). Throws `invalid_parameter`.
 */
export function checkReference(param: string, reference: string, forms: ReferenceForms = {}): void {
  const scheme = schemeOf(reference.trimStart())
  if (scheme === undefined && forms.rawBase64) return
  const usable = ['http', 'https', 'data', 'asset', ...(forms.store ? [forms.store] : [])]
  if (scheme === undefined || !usable.includes(scheme)) throw notAReference(param, reference, forms)
  if (hasBlanks(reference, scheme))
    throw invalid(param, `${shown(reference)} has blanks around it, must be ${allowed(forms)} without blanks`)
}

function schemeOf(reference: string): string | undefined {
  return /^([a-z][a-z0-9+._-]*):/i.exec(reference.slice(0, 40))?.[1]?.toLowerCase()
}

/** Blanks after a data URI are allowed: tools that write base64 add line breaks, inside it too. */
function hasBlanks(reference: string, scheme: string): boolean {
  return reference.trimStart() !== reference || (scheme !== 'data' && reference.trimEnd() !== reference)
}

function notAReference(param: string, reference: string, forms: ReferenceForms): FaultError {
  return invalid(param, `${shown(reference)} is not allowed, must be ${allowed(forms)}`)
}

function allowed({ store, rawBase64 }: ReferenceForms): string {
  const forms = ['an http or https URL', 'a data URI', 'an asset:// reference']
  if (store) forms.push(`${/^o/.test(store) ? 'an' : 'a'} ${store}:// reference`)
  if (rawBase64) forms.push('base64')
  return `${forms.slice(0, -1).join(', ')} or ${forms.at(-1)}`
}

/** Other names that labels of data URIs have for a format, without `x-`. */
const sameFormat: Readonly<Record<string, string>> = {
  jpg: 'jpeg',
  pjpeg: 'jpeg',
  tif: 'tiff',
  'ms-bmp': 'bmp',
  heif: 'heic',
  mpeg: 'mp3',
  mpeg3: 'mp3',
  'mpeg-3': 'mp3',
  mpg: 'mp3',
  wave: 'wav',
  'vnd.wave': 'wav',
  'pn-wav': 'wav',
  aacp: 'aac',
  m4a: 'mp4',
  m4v: 'mp4',
  quicktime: 'mov',
  opus: 'ogg',
}

/**
 * Refuses a data URI whose label names another format than its bytes have (A-labels). application/octet-stream names none. Throws
 * `invalid_parameter`.
 */
export function checkLabel(
  param: string,
  reference: string,
  { kind, format }: Pick<MediaFacts, 'kind' | 'format'>,
): void {
  const label = /^data:([^;,]*)/i.exec(reference.slice(0, 200))?.[1]
  if (label === undefined || label === 'application/octet-stream') return
  const [type = '', name = ''] = label.split('/')
  if ([kind, 'application'].includes(type) && formatNamed(name) === formatNamed(format)) return
  throw new FaultError('invalid_parameter', {
    param,
    reason: `the data URI says ${label} and holds ${format}, must be ${kind}/${format}`,
    about: 'false_label',
  })
}

function formatNamed(name: string): string {
  const plain = name.replace(/^x-/, '')
  return sameFormat[plain] ?? plain
}

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
