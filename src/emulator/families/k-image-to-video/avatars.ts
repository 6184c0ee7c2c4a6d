import type { FromSchema } from 'json-schema-to-ts'
import { invalid, missing } from '../../faults/fault.ts'
import type { Schema } from '../../http/validate.ts'
import type { Call, Endpoint } from '../../pipeline/endpoint.ts'
import { fixedCharge } from '../../tasks/ledger.ts'
import { shown } from '../../wording/shown.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import { exactly, link, text } from '../../worlds/record-values.ts'
import type { Task } from '../../worlds/task.ts'
import { checkGroup } from '../create-rules.ts'
import { type MediaReference, notesOn } from '../input-media.ts'
import { priceOf } from '../models.ts'
import { mediaOrder, type Order } from '../order.ts'
import { carried, picturesFrom, runningMs } from '../video-recipe.ts'
import { fps, type Resolution, sizeOf, type VideoJob } from './job.ts'
import { legacyCreated, legacyTask, linksOf, succeed, videoOutput } from './present.ts'
import {
  admitTask,
  type Chosen,
  given,
  imageLimits,
  pollNamed,
  readOptions,
  replyWith,
  snowflake,
} from './rules.ts'
import {
  envelope,
  legacyCreateReply,
  legacyTaskSchema,
  optional,
  secondsText,
  taskOptions,
} from './schema.ts'
import { findVoice } from './voices.ts'

/** Upstream's published shape: the specification refers to the submission without showing it (K-beyond). */
export const avatarBody = {
  type: 'object',
  required: ['image'],
  properties: {
    image: {
      type: 'string',
      minLength: 1,
      description: 'A link or plain base64 of a JPEG or PNG, at most 10 MB.',
    },
    audio_id: optional({
      type: 'string',
      description: 'A voice_id; exactly one of audio_id and sound_file.',
    }),
    sound_file: optional({
      type: 'string',
      description: 'A link or plain base64 of MP3, WAV, M4A or AAC, 2 to 300 s, at most 5 MB.',
    }),
    prompt: { type: 'string', maxLength: 2500 },
    mode: optional({
      type: 'string',
      enum: ['std', 'pro'],
      description: 'std (default) is 720p, pro 1080p.',
    }),
    ...taskOptions,
  },
} as const satisfies Schema

type AvatarBody = FromSchema<typeof avatarBody>

/** Spec, "Family K: objects" 2. */
const avatarReply: Schema = envelope(
  legacyTaskSchema(
    'videos',
    exactly({ id: text, duration: secondsText }, { url: link, watermark_url: link }),
  ),
)

const soundLimits = {
  formats: ['mp3', 'wav', 'm4a', 'aac'],
  maxBytes: 5 * 1024 * 1024,
  seconds: { min: 2, max: 300, tolerance: 0.1 },
}

/** The resolution of each mode. */
const resolutions = { std: '720p', pro: '1080p' } as const

/** Checks an avatar after its shape was checked. An avatar is a picture that speaks for as long as its audio lasts. */
export function createAvatar(call: Call): Order<readonly MediaFacts[]> {
  const body = call.body as AvatarBody
  const chosen = readOptions(call, body)
  const resolution = resolutions[given(body.mode) ?? 'std']
  checkGroup({ param: 'mode', resolution, offered: Object.values(resolutions) }, call.account)
  const soundFile = soundFileOf(call, body)
  const references: MediaReference[] = [
    { reference: body.image, kind: 'image', param: 'image', limits: imageLimits(10), rawBase64: true },
    ...(soundFile === undefined
      ? []
      : [
          {
            reference: soundFile,
            kind: 'audio',
            param: 'sound_file',
            limits: soundLimits,
            keepSound: true,
            rawBase64: true,
          } as const,
        ]),
  ]
  return mediaOrder(call, references, ([picture, sound]) => {
    if (!picture) throw missing('image')
    return store(call, { body, chosen, resolution, picture, sound })
  })
}

/** The sound file, or undefined when a cloned voice speaks. The caller must send exactly one of the two. */
function soundFileOf(call: Call, body: AvatarBody): string | undefined {
  const [audioId, soundFile] = [given(body.audio_id), given(body.sound_file)]
  if (audioId !== undefined && soundFile !== undefined)
    throw invalid('audio_id', 'audio_id and sound_file are mutually exclusive')
  if (audioId === undefined && soundFile === undefined) throw missing('audio_id')
  // Spec, "Family K: objects" 2: "a voice_id is usable as the avatar's audio_id".
  if (audioId !== undefined && !findVoice(call, audioId))
    throw invalid('audio_id', `the audio ${shown(audioId)} is not found`)
  return soundFile
}

interface Avatar {
  body: AvatarBody
  chosen: Chosen
  resolution: Resolution
  picture: MediaFacts
  sound: MediaFacts | undefined
}

function store(call: Call, { body, chosen, resolution, picture, sound }: Avatar): Task {
  const { widthPx = 16, heightPx = 9 } = picture
  return admitTask(call, chosen.externalId, random => {
    // The length of a cloned voice's speech is drawn.
    const seconds = sound?.seconds ?? random.integer(3, 8)
    const job: VideoJob = {
      kind: 'video',
      prompt: given(body.prompt) ?? '',
      resolution,
      size: sizeOf(resolution, widthPx / heightPx),
      frames: Math.round(seconds * fps),
      audio: true,
      sound: carried(sound),
      watermark: chosen.watermark,
      outputId: snowflake(random, call.now),
      pictures: picturesFrom({ first: picture.poster, last: picture.poster }),
      about: [resolution],
    }
    return {
      kind: 'k.avatar',
      model: 'avatar',
      job,
      runningMs: runningMs({ size: job.size, seconds: job.frames / fps }),
      charge: fixedCharge(priceOf(call, 'k.avatar.per_second') * seconds),
      notes: notesOn(sound ? [picture, sound] : [picture]),
    }
  })
}

const path = '/videos/avatar/image2video'

const create: Endpoint = {
  operation: 'k.avatar.create',
  method: 'POST',
  paths: [path, `/v1${path}`],
  summary: 'Create an avatar: a picture that speaks',
  beyondSpecification: true,
  body: avatarBody,
  reads: { prompts: ['/prompt'], model: () => undefined, models: [] },
  replies: { 200: legacyCreateReply },
  handle: call => replyWith(call, createAvatar, legacyCreated),
}

/** Spec: "avatar tasks are queried only here, not through `GET /tasks`". */
const get: Endpoint = {
  operation: 'k.avatar.get',
  method: 'GET',
  paths: [`${path}/:task_id`, `/v1${path}/:task_id`],
  summary: 'Query an avatar task',
  replies: { 200: avatarReply },
  handle(call) {
    const seen = pollNamed(call, 'k.avatar')
    if (seen.view.status !== 'succeeded') return succeed(call, legacyTask(seen, {}))
    return succeed(call, legacyTask(seen, { videos: [videoOutput(seen.task, linksOf(call, seen))] }))
  },
}

export const avatarEndpoints = [create, get]
