import { invalid, missing, oneOf } from '../../http/errors.ts'
import { checkTotalSeconds, type MediaLimits } from '../../media/limits.ts'
import type { MediaFacts } from '../../media/media-facts.ts'
import type { Account } from '../../worlds/world.ts'
import { limitReason } from '../input-media.ts'
import type { Content, MediaItem, Mode } from './content.ts'
import { baseFrames, fps, isBaseFrames, pixels, type Resolution, ratios } from './pixels.ts'
import type { CreateBody } from './schema.ts'

/** Spec, "Events" 1 and "Errors" rule 2. Null never gets here; `""` is how some clients spell an unset option (C-callback). */
export function checkForbidden({ callback_url }: { callback_url?: unknown }): void {
  if (callback_url !== undefined && callback_url !== '')
    throw invalid('callback_url', 'callbacks are not supported, poll the query endpoint instead')
}

/** Spec, "Errors" rule 1: "Resolution not allowed for the model or group gives 400 and no charge" (C-group). */
export function checkGroup(resolution: Resolution, { resolutions }: Account): void {
  if (resolutions === null || resolutions.includes(resolution)) return
  throw invalid('resolution', `${resolution} is outside the account's group (${resolutions.join(', ')})`)
}

/** With text alone nothing but the ratio tells the shape (C-ratio). */
export function checkRatio(mode: Mode, ratio: CreateBody['ratio']): void {
  if (mode !== 'text') return
  if (ratio === undefined) throw missing('ratio')
  if (ratio === 'adaptive')
    throw invalid('ratio', `adaptive is not supported with text alone, ${oneOf(ratios)}`)
}

const inputSeconds = { min: 2, max: 15, tolerance: 0.2 }
const megabyte = 1024 * 1024

const imageLimits: MediaLimits = {
  formats: ['jpeg', 'png', 'webp', 'heic', 'heif'],
  maxBytes: 30 * megabyte,
  sidePx: { min: 256, max: 5760 },
  aspect: { min: 0.4, max: 2.5 },
}
const videoLimits: MediaLimits = {
  formats: ['mp4', 'mov'],
  maxBytes: 50 * megabyte,
  videoCodecs: ['h264', 'hevc'],
  audioCodecs: ['aac', 'mp3'],
}
const referenceVideoLimits: MediaLimits = {
  ...videoLimits,
  seconds: inputSeconds,
  fps: { min: 23.976, max: 60, tolerance: 0.05 },
}
const audioLimits: MediaLimits = { formats: ['mp3', 'wav'], maxBytes: 15 * megabyte, seconds: inputSeconds }

/** What upstream allows of one input file, by role (C-media). */
export function limitsOf({ sort, role }: MediaItem): MediaLimits {
  switch (sort) {
    case 'image':
      return imageLimits
    case 'video':
      return role === 'base_video' ? videoLimits : referenceVideoLimits
    case 'audio':
      return audioLimits
  }
}

/** The lengths of all reference videos, and of all reference audios, together. */
export function checkTotals({ media }: Content, facts: readonly MediaFacts[]): void {
  for (const role of ['reference_video', 'reference_audio'] as const) {
    const found = facts.filter((_, index) => media[index]?.role === role)
    const problem = checkTotalSeconds(found, { max: inputSeconds.max, tolerance: inputSeconds.tolerance })
    if (problem) throw invalid('content', `${role}: ${limitReason(problem)}`)
  }
}

const [widestPx, highestPx] = pixels['768P']['16:9']
const mostBasePixels = widestPx * highestPx

/**
 * Spec, C-special `video_regeneration`: "The source video must satisfy upstream requirements for audio track, 24 fps, dimensions
 * divisible by 32 and frame count" (C-base-video). What was not read is not held against the caller.
 */
export function checkBaseVideo(facts: MediaFacts, param: string): void {
  if (facts.origin === 'stand_in') return
  const { widthPx = 0, heightPx = 0, frames = 0 } = facts
  const { least, most, step } = baseFrames
  const broken = (what: string) => invalid(param, `base_video ${what}`)
  if (!facts.hasAudio) throw broken('has no audio track, must have one')
  if (facts.fps !== fps) throw broken(`has ${facts.fps} frames per second, must have ${fps}`)
  if (widthPx % 32 !== 0 || heightPx % 32 !== 0)
    throw broken(`is ${widthPx}x${heightPx}, width and height must be divisible by 32`)
  if (widthPx * heightPx > mostBasePixels)
    throw broken(`is ${widthPx}x${heightPx}, must have at most ${mostBasePixels} pixels a frame`)
  if (!isBaseFrames(frames))
    throw broken(`has ${frames} frames, must have ${least} to ${most} in steps of ${step}`)
}
