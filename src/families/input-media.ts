import type { Call } from '../http/endpoint.ts'
import { ApiError, invalid } from '../http/errors.ts'
import { isForeign } from '../http/origin.ts'
import { checkLimits, type LimitProblem, type MediaLimits } from '../media/limits.ts'
import type { MediaFacts, MediaKind } from '../media/media-facts.ts'
import { MediaFault } from '../media/media-fault.ts'
import { assetIn } from './asset-files.ts'
import { checkLabel, checkReference, type VendorStore } from './references.ts'

/** One reference of a request, what it must be, and how the caller would point at it. */
export interface WantedMedia {
  reference: string
  kind: MediaKind
  /** What else it may be: tried when the file turns out not to be of the first kind. */
  orKind?: MediaKind
  param: string
  limits: MediaLimits
  /** Plain base64 without `data:` is understood too. */
  rawBase64?: boolean
  /** The upstream's own store, whose references are understood too. */
  store?: VendorStore
  /** The label of a data URI must name the format that its bytes have. */
  isLabelChecked?: boolean
  /** Keep the file as it is, too, for renderings that need more than its poster. */
  keepWhole?: boolean
}

/** What must be told by a link: upstream takes no inline files there. */
export function checkLinked(param: string, reference: string): void {
  if (/^data:/i.test(reference)) throw invalid(param, 'must be a link, inline files are not supported here')
}

/** Read past a size limit far enough to tell a file that is too large from an endless one. */
const endlessBytes = 210 * 1024 * 1024

/**
 * Resolves and measures what a request refers to, and checks each file against its limits. The first problem in the request's
 * order is thrown: `invalid_parameter` for files that cannot be used, `moderated` for a real face (Spec, "What the service does" 6).
 */
export async function resolveMedia(call: Call, wanted: readonly WantedMedia[]): Promise<MediaFacts[]> {
  const settled = await Promise.allSettled(wanted.map(one => resolveOne(call, one)))
  const facts = settled.map(result => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
  facts.forEach((found, index) => {
    if (found.realFace) throw realFace(wanted[index]?.param ?? 'content')
  })
  return facts
}

async function resolveOne(
  call: Call,
  { reference, kind, orKind, param, limits, rawBase64, keepWhole, store, isLabelChecked }: WantedMedia,
): Promise<MediaFacts> {
  checkReference(param, reference, { ...(store && { store }), ...(rawBase64 && { rawBase64 }) })
  const resolve = (as: MediaKind) =>
    call.services.inputs.resolve(reference, as, {
      maxBytes: limits.maxBytes ?? endlessBytes,
      asset: id => assetIn(call, id),
      own: url => call.services.ownFile(call, url),
      world: call.world.id,
      ...(call.gone && { signal: call.gone() }),
      ...(rawBase64 && { rawBase64 }),
      ...(keepWhole && { keepWhole }),
    })
  let facts: MediaFacts
  try {
    facts = await resolve(kind).catch(error => {
      if (orKind === undefined || !isOfAnotherKind(error)) throw error
      return resolve(orKind)
    })
  } catch (error) {
    if (call.gone?.().aborted)
      throw new ApiError('unavailable', { reason: 'the client left before its inputs were read' })
    if (orKind !== undefined && isOfAnotherKind(error))
      throw refusal(call, { reference, param, reason: `the file is neither ${kind} nor ${orKind}` })
    if (error instanceof MediaFault) throw refusal(call, { reference, param, reason: error.message })
    throw error
  }
  // Of a file that was not read only the ending of its URL is known; the rest is invented, and no reason for a refusal.
  const { formats } = limits
  const [problem] = checkLimits(facts, facts.origin === 'stand_in' ? { ...(formats && { formats }) } : limits)
  if (problem) throw refusal(call, { reference, param, reason: limitReason(problem) })
  if (isLabelChecked) checkLabel(param, reference, facts.format)
  return facts
}

/**
 * A page of another site reads the reply, and must not learn from it what listens on this machine: for such a page there is one
 * answer, whatever was met behind a link.
 */
function refusal(
  { headers, services }: Call,
  { reference, param, reason }: { reference: string; param: string; reason: string },
): ApiError {
  const isHidden = /^https?:/i.test(reference) && isForeign(headers.origin, services.options)
  return new ApiError('invalid_parameter', { param, reason: isHidden ? 'the link cannot be used' : reason })
}

function isOfAnotherKind(error: unknown): boolean {
  return error instanceof MediaFault && error.reason === 'wrong_kind'
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
  alpha: 'picture',
  videoCodec: 'video codec',
  audioCodec: 'audio codec',
  count: 'number of files',
  totalSeconds: 'total length in seconds',
}

/** A broken limit as an error message says it. */
export function limitReason({ property, value, allowed }: LimitProblem): string {
  return `the ${properties[property]} is ${value}, must be ${allowed}`
}

function realFace(param: string): ApiError {
  return new ApiError('moderated', {
    param,
    reason: 'the input may contain a real person',
    code: 'real_face',
  })
}

/** Sentences for the story about inputs that were not really read. */
export function notesOn(facts: readonly MediaFacts[]): string[] {
  return facts.flatMap(({ note }) => note ?? [])
}
