import type { IncomingHttpHeaders } from 'node:http'
import { invalid, oneOf, shown } from '../../http/errors.ts'
import { checkTotalSeconds, type MediaLimits } from '../../media/limits.ts'
import type { MediaFacts } from '../../media/media-facts.ts'
import type { Account } from '../../worlds/world.ts'
import { checkLinked, limitReason } from '../input-media.ts'
import { type Content, type MediaItem, sorts } from './content.ts'
import { type Resolution, resolutions } from './models.ts'
import { type CreateBody, createHeaders, type MediaType, type Parameters } from './schema.ts'

export const standardDuration = 5
export const shortestSeconds = 2
/** Of output and input videos together. */
export const longestSeconds = 30

/** Both headers, by the words that they may hold. */
export function checkAsyncHeaders(headers: IncomingHttpHeaders): void {
  for (const [name, { enum: allowed }] of Object.entries(createHeaders.properties)) {
    const value = headers[name.toLowerCase()]
    if (value !== undefined && !allowed.some(word => word === value))
      throw invalid(name, `${shown(value)} is not allowed, must be ${allowed.join(', ')} or left out`)
  }
}

/** Spec, "Events" 1 and "Errors" rule 2, wherever a client may put it. */
export function checkForbidden({ callback_url, input, parameters }: CreateBody): void {
  const found = {
    callback_url,
    'input.callback_url': input.callback_url,
    'parameters.callback_url': parameters?.callback_url,
  }
  for (const [param, value] of Object.entries(found)) {
    if (value !== undefined) throw invalid(param, 'callbacks are not supported, poll the task instead')
  }
}

/** Values that depend on each other or on the account's group (B-parameters); told at create, unlike upstream (B-late). */
export function checkOptions(parameters: Parameters, content: Content, account: Account): void {
  checkResolution(parameters.resolution ?? '1080P', account)
  const { duration = standardDuration } = parameters
  if (duration !== -1 && (duration < shortestSeconds || duration > longestSeconds)) {
    throw invalid(
      'parameters.duration',
      `${duration} is not allowed, must be -1 or from ${shortestSeconds} to ${longestSeconds} seconds`,
    )
  }
  const pages = content.media.find(({ type }) => type === 'file' || type === 'link')
  if (pages && parameters.prompt_extend === false)
    throw invalid('parameters.prompt_extend', `must be true with an item of type ${pages.type}`)
}

/** Spec, "Errors" rule 1. Groups are written in small letters for all families. */
function checkResolution(resolution: Resolution, account: Account): void {
  const group = account.resolutions?.map(value => value.toLowerCase())
  if (!group || group.includes(resolution.toLowerCase())) return
  const usable = resolutions.filter(value => group.includes(value.toLowerCase()))
  throw invalid('parameters.resolution', `${resolution} is outside the account's group, ${oneOf(usable)}`)
}

const megabyte = 1024 * 1024
const aspect = { min: 1 / 8, max: 8 }
const seconds = { min: 1, max: 15 }
const picture: MediaLimits = {
  formats: ['jpeg', 'png', 'bmp', 'webp'],
  maxBytes: 20 * megabyte,
  aspect,
  sidePx: { min: 240, max: 8000 },
}

/** What upstream allows of one input file, by type (B-media). */
export const limits: Readonly<Record<Exclude<MediaType, 'link'>, MediaLimits>> = {
  first_frame: picture,
  last_frame: picture,
  reference_image: picture,
  reference_video: {
    formats: ['mp4', 'mov'],
    maxBytes: 100 * megabyte,
    aspect,
    sidePx: { min: 240, max: 4096 },
    seconds,
    fps: { min: 16 },
  },
  reference_audio: { formats: ['wav', 'mp3'], maxBytes: 15 * megabyte, seconds },
  file: {
    formats: ['docx', 'doc', 'xlsx', 'xls', 'pptx', 'ppt', 'pdf', 'txt', 'key', 'pages', 'numbers', 'md'],
    maxBytes: 100 * megabyte,
    pages: { max: 50 },
  },
}

/** Where each item may come from: only pictures may be sent inline, and a page must be on the web. */
export function checkAddress({ type, url, param }: MediaItem): void {
  const { kind } = sorts[type]
  if (kind !== 'image') checkLinked(param, url)
  if (kind === 'page' && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw invalid(param, `${shown(url)} is not an http or https address`)
}

/** One item and what its file turned out to be. */
export interface Measured extends MediaItem {
  facts: MediaFacts
}

/** Limits that show only once everything has been measured (B-media). */
export function checkMeasured(media: readonly Measured[], duration = standardDuration): void {
  // Of the formats with transparency upstream refuses it for PNG alone.
  const seeThrough = media.find(({ facts }) => facts.format === 'png' && facts.hasAlpha)
  if (seeThrough)
    throw invalid(seeThrough.param, 'the picture has an alpha channel, must be a PNG without one')
  for (const type of ['reference_video', 'reference_audio'] as const) {
    const problem = checkTotalSeconds(factsOf(media, type), { max: seconds.max })
    if (problem) throw invalid('input.media', `${type}: ${limitReason(problem)}`)
  }
  const problem = checkTotalSeconds(factsOf(media, 'reference_video'), { max: longestSeconds - duration })
  if (problem && duration !== -1) {
    throw invalid(
      'parameters.duration',
      `${duration} seconds and ${problem.value} of input videos are more than ${longestSeconds} together`,
    )
  }
}

/** What is known of all items of one type, in order. */
export function factsOf(media: readonly Measured[], type: MediaType): MediaFacts[] {
  return media.filter(item => item.type === type).map(({ facts }) => facts)
}
