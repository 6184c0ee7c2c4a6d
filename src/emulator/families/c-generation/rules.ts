import type { MediaLimits } from '../../../media/index.ts'
import { invalid, missing } from '../../faults/fault.ts'
import { oneOf } from '../../wording/shown.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import { withinTotals } from '../input-media.ts'
import type { Content, MediaItem, Mode } from './content.ts'
import type { CreateBody } from './schema.ts'
import { baseFrames, fps, isBaseFrames, pixels, ratios, type Variant } from './variants.ts'

/** Without media, only `ratio` can decide the shape of the video (C-ratio). */
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

/** Limits of one input file, by role (C-media). */
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

/**
 * Checks the total length of the reference videos, and of the reference audios. Returns the inputs; invented lengths are
 * shortened to fit. Throws `invalid_parameter` when a total is above its limit.
 */
export function checkTotals({ media }: Content, facts: readonly MediaFacts[]): MediaFacts[] {
  const { min: least, max: most } = inputSeconds
  return withinTotals(facts, ['reference_video', 'reference_audio'], index => media[index]?.role, {
    least,
    most,
  })
}

const [widestPx, highestPx] = pixels['768P']['16:9']
const mostBasePixels = widestPx * highestPx

/**
 * Spec, C-special `video_regeneration`: "The source video must satisfy upstream requirements for audio track, 24 fps, dimensions
 * divisible by 32 and frame count" (C-base-video). It adds that "arbitrary video is not assumed compatible", so C-special refuses
 * a video that was not read. Standard C has no such sentence and accepts it.
 */
export function checkBaseVideo(facts: MediaFacts, param: string, variant: Variant): void {
  if (facts.origin === 'stand_in' && variant.assumesBaseVideo) return
  if (facts.origin === 'stand_in')
    throw invalid(
      param,
      'base_video was not read, so it is not known to be compatible: start the emulator with --inputs all, or send a data URI, a sample of the emulator or a result of an earlier task',
    )
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
