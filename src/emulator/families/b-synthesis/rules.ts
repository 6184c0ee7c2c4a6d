import type { IncomingHttpHeaders } from 'node:http'
import { checkTotalSeconds, type MediaLimits } from '../../../media/index.ts'
import { invalid } from '../../faults/fault.ts'
import { shown } from '../../wording/shown.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import type { Account } from '../../worlds/world.ts'
import { checkGroup, checkNoCallback } from '../create-rules.ts'
import { checkLinked, checkReference, fitInvented, limitReason } from '../input-media.ts'
import { type Content, type MediaItem, sorts } from './content.ts'
import { resolutions } from './models.ts'
import { type CreateBody, createHeaders, type MediaType, type Parameters } from './schema.ts'

export const standardDuration = 5
const shortestSeconds = 2
/** Longest length of output and input videos together, seconds. */
export const longestSeconds = 30

/** Both headers and the values that each may hold. */
export function checkAsyncHeaders(headers: IncomingHttpHeaders): void {
  for (const [name, { enum: allowed }] of Object.entries(createHeaders.properties)) {
    const value = headers[name.toLowerCase()]
    if (value !== undefined && !allowed.some(word => word === value))
      throw invalid(name, `${shown(value)} is not allowed, must be ${allowed.join(', ')} or left out`)
  }
}

/** Every place where a client may put a callback. */
export function checkForbidden({ callback_url, input, parameters }: CreateBody): void {
  checkNoCallback({
    callback_url,
    'input.callback_url': input.callback_url,
    'parameters.callback_url': parameters?.callback_url,
  })
}

/**
 * Checks values that depend on each other or on the account's group (B-parameters). Upstream reports them after create (B-late).
 */
export function checkOptions(parameters: Parameters, content: Content, account: Account): void {
  const { resolution = '1080P' } = parameters
  checkGroup({ param: 'parameters.resolution', resolution, offered: resolutions }, account)
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

/** Checks where an item may come from: only pictures may be sent inline, and a page must be on the web. */
export function checkAddress({ type, url, param }: MediaItem): void {
  const { kind } = sorts[type]
  checkReference(param, url, { store: 'oss' })
  if (kind !== 'image') checkLinked(param, url)
  if (kind === 'page' && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw invalid(param, `${shown(url)} is not an http or https address`)
}

/** A media item and the facts of its file. */
export interface Measured extends MediaItem {
  facts: MediaFacts
}

/** Checks the limits that depend on measured files (B-media). Returns the items; invented lengths are shortened to fit. */
export function checkMeasured(media: readonly Measured[], duration = standardDuration): Measured[] {
  // Upstream refuses transparency in PNG only.
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
  return fitted(media, duration)
}

/** Shortens invented lengths to the same limits: 15 s of each sort, and 30 s of input and output videos together. */
function fitted(media: readonly Measured[], duration: number): Measured[] {
  const output = duration === -1 ? shortestSeconds : duration
  const rooms = {
    reference_video: Math.min(seconds.max, longestSeconds - output),
    reference_audio: seconds.max,
  } as const
  let facts = media.map(item => item.facts)
  for (const type of ['reference_video', 'reference_audio'] as const) {
    const most = rooms[type]
    const refuse = (shortest: number) =>
      most < seconds.max
        ? invalid(
            'parameters.duration',
            `${duration} seconds and at least ${shortest} of input videos are more than ${longestSeconds} together`,
          )
        : invalid(
            'input.media',
            `${type}: the inputs have at least ${shortest} seconds, must be at most ${most}`,
          )
    facts = fitInvented(facts, index => media[index]?.type === type, { most, least: seconds.min, refuse })
  }
  return media.map((item, index) => ({ ...item, facts: facts[index] ?? item.facts }))
}

/** The facts of all items of one type, in order. */
export function factsOf(media: readonly Measured[], type: MediaType): MediaFacts[] {
  return media.filter(item => item.type === type).map(({ facts }) => facts)
}
