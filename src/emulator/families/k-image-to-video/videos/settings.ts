import { invalid, missing } from '../../../faults/fault-error.ts'
import { oneOf } from '../../../wording/shown.ts'
import type { Account } from '../../../worlds/world.ts'
import { checkGroup } from '../../create-rules.ts'
import type { Resolution } from '../job.ts'
import { given } from '../rules.ts'
import type { Contents } from './contents.ts'
import type { Audio, Model } from './models.ts'
import type { Settings } from './schema.ts'

/** Settings with every default filled in (K-settings). */
export interface ChosenSettings {
  resolution: Resolution
  seconds: number
  audio: Audio
  aspectRatio?: string
  orientation?: 'image' | 'video'
}

/** Fills in defaults and checks what depends on the model or on the account's group. */
export function readSettings(settings: Settings, model: Model, account: Account): ChosenSettings {
  const resolution = given(settings.resolution) ?? '720p'
  checkResolution(resolution, model, account)
  const aspectRatio = given(settings.aspect_ratio)
  return {
    resolution,
    seconds: given(settings.duration) ?? 5,
    audio: readAudio(settings, model),
    ...(aspectRatio !== undefined && { aspectRatio }),
    ...(settings.character_orientation && { orientation: settings.character_orientation }),
  }
}

/** Spec, "Errors" rule 1: "Resolution not allowed for the model or group gives 400 and no charge". */
function checkResolution(resolution: Resolution, model: Model, account: Account): void {
  const param = 'settings.resolution'
  if (!model.resolutions.includes(resolution))
    throw invalid(param, `${resolution} is not supported by ${model.title}, ${oneOf(model.resolutions)}`)
  checkGroup({ param, resolution, offered: model.resolutions }, account)
}

/** Turbo has no audio setting and always has sound, so the key is ignored there. */
function readAudio(settings: Settings, { audio, title }: Model): ChosenSettings['audio'] {
  if (audio === null) return 'native'
  const chosen = given(settings.audio) ?? audio[0]
  if (!audio.includes(chosen))
    throw invalid('settings.audio', `${chosen} is not supported by ${title}, ${oneOf(audio)}`)
  return chosen
}

/** An omni video without a first frame and without a video needs `settings.aspect_ratio` (K-beyond). */
export function checkShapeIsGiven({ aspectRatio }: ChosenSettings, { media }: Contents): void {
  const decides = media.some(
    ({ type, kind }) => type === 'first_frame' || type === 'image' || kind === 'video',
  )
  if (!decides && aspectRatio === undefined) throw missing('settings.aspect_ratio')
}
