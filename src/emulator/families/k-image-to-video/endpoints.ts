import { checkShape } from '../../http/validate.ts'
import type { Call } from '../../pipeline/endpoint.ts'
import type { Family } from '../family.ts'
import { avatarBody, avatarEndpoints, createAvatar } from './avatars.ts'
import { facts, imageToVideo, motionControl, omni, type VideoOperation, words } from './facts.ts'
import { files, presetJobSchema, videoJobSchema, voiceJobSchema } from './job.ts'
import { dialect, failureOf } from './present.ts'
import { listPresets, makePreset } from './presets.ts'
import { createVideo } from './videos/create.ts'
import { videoEndpoints } from './videos/endpoints.ts'
import { imageToVideoBody, motionBody, omniBody } from './videos/schema.ts'
import { createVoice, voiceBody, voiceEndpoints } from './voices.ts'

type Body = Readonly<Record<string, unknown>>

/**
 * The functions that make a task of each kind from a call of the control API. Such
 * a request may leave out any field: required inputs then come from the emulator's own samples.
 */
const makers: Family['makers'] = {
  k: call => makeVideo(call, imageToVideo, imageToVideoBody, { contents: [sampleFrame(call)] }),
  'k.omni': call => makeVideo(call, omni, omniBody, { contents: [sampleFrame(call)] }),
  'k.motion': call => makeVideo(call, motionControl, motionBody, motionDefaults(call)),
  'k.avatar'(call) {
    const completed = withBody(call, { image: sample(call, 'portrait.jpg'), ...defaultSound(call) })
    checkShape(avatarBody, completed.body)
    return createAvatar(completed)
  },
  'k.voice'(call) {
    const completed = withBody(call, { voice_name: 'Cloned voice', ...defaultRecording(call) })
    checkShape(voiceBody, completed.body)
    return createVoice(completed)
  },
  'k.preset': makePreset,
}

/** The schema of the job of each kind. */
const jobs: Family['jobs'] = {
  k: videoJobSchema,
  'k.omni': videoJobSchema,
  'k.motion': videoJobSchema,
  'k.avatar': videoJobSchema,
  'k.voice': voiceJobSchema,
  'k.preset': presetJobSchema,
}

function makeVideo(
  call: Call,
  operation: VideoOperation,
  schema: Parameters<typeof checkShape>[0],
  defaults: Body,
) {
  const { model = call.params.model ?? operation.standardModel, ...body } = bodyOf(call)
  const completed = {
    ...withBody({ ...call, body }, defaults),
    params: { ...call.params, model: String(model) },
  }
  checkShape(schema, completed.body)
  return createVideo(completed, operation)
}

function motionDefaults(call: Call): Body {
  return {
    settings: { character_orientation: 'video' },
    contents: [
      { type: 'image', url: sample(call, 'portrait.jpg') },
      { type: 'video', url: sample(call, 'clip-720p-5s.mp4') },
    ],
  }
}

function defaultSound(call: Call): Body {
  const { audio_id: audioId, sound_file: soundFile } = bodyOf(call)
  return audioId || soundFile ? {} : { sound_file: sample(call, 'voice-8s.mp3') }
}

function defaultRecording(call: Call): Body {
  const { voice_url: url, video_id: videoId } = bodyOf(call)
  return url || videoId ? {} : { voice_url: sample(call, 'voice-8s.mp3') }
}

function sampleFrame(call: Call): Body {
  return { type: 'first_frame', url: sample(call, 'landscape.jpg') }
}

function sample({ baseUrl }: Call, name: string): string {
  return `${baseUrl}/__emulator/samples/${name}`
}

function withBody(call: Call, defaults: Body): Call {
  return { ...call, body: { ...defaults, ...bodyOf(call) } }
}

function bodyOf({ body }: Call): Body {
  return typeof body === 'object' && body !== null ? (body as Body) : {}
}

/** Family K: image-to-video, avatars, voice clones, preset subjects and the batch query. `/v1` is optional where the specification states it (K-paths). */
export const k: Family = {
  ...facts,
  endpoints: [...videoEndpoints, ...avatarEndpoints, ...voiceEndpoints, listPresets],
  dialect,
  words,
  makers,
  jobs,
  failure: failureOf,
  ...files,
  recorded: {
    undecided: Object.keys(makers).filter(kind => kind !== 'k'),
    otherLists: [listPresets.operation],
    emptyIsUnset: 'K-empty',
  },
}
