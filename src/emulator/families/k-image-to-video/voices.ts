import type { FromSchema } from 'json-schema-to-ts'
import { invalid, missing } from '../../faults/fault.ts'
import type { Schema } from '../../http/validate.ts'
import type { Call, Endpoint } from '../../pipeline/endpoint.ts'
import { type Seen, tasksOf } from '../../tasks/commands.ts'
import { fixedCharge } from '../../tasks/ledger.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import { shown } from '../../wording/shown.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import { type Random, randomFor } from '../../worlds/random.ts'
import { exactly, link, text } from '../../worlds/record-values.ts'
import type { Task } from '../../worlds/task.ts'
import { checkLinked, notesOn, resolveMedia } from '../input-media.ts'
import { priceOf } from '../models.ts'
import type { Order } from '../order.ts'
import { resultLink } from '../result-link.ts'
import { files, type ImageToVideoJob, type VoiceJob } from './job.ts'
import { legacyCreated, legacyTask, succeed } from './present.ts'
import { admitTask, given, pollNamed, readOptions, replyWith, snowflake } from './rules.ts'
import { envelope, legacyCreateReply, legacyTaskSchema, optional, taskOptions } from './schema.ts'

/** Upstream's published shape: the specification refers to the submission without showing it (K-beyond). */
export const voiceBody = {
  type: 'object',
  required: ['voice_name'],
  properties: {
    voice_name: { type: 'string', minLength: 1, maxLength: 20 },
    voice_url: optional({
      type: 'string',
      description: 'A link to MP3, WAV, MP4 or MOV, 5 to 30 s; exactly one of voice_url and video_id.',
    }),
    video_id: optional({ type: 'string', description: 'The id of a video with sound made earlier.' }),
    ...taskOptions,
  },
} as const satisfies Schema

type VoiceBody = FromSchema<typeof voiceBody>

/** Spec, "Family K: objects" 2. */
const voiceReply: Schema = envelope(
  legacyTaskSchema(
    'voices',
    exactly({ voice_id: text, voice_name: text, owned_by: text }, { trial_url: link }),
  ),
)

/**
 * The account's finished voice task with this voice id; undefined for unknown voices, other accounts' voices and unfinished
 * tasks.
 */
export function findVoice(call: Call, voiceId: string): Task | undefined {
  return findMade(call, job => job.kind === 'voice' && job.voiceId === voiceId)
}

/** The account's finished task that made a video with sound, found by the id of the output. */
function findSpeakingVideo(call: Call, videoId: string): Task | undefined {
  return findMade(call, job => job.kind === 'video' && job.audio && job.outputId === videoId)
}

function findMade(
  { world, account, now }: Call,
  isWanted: (job: ImageToVideoJob) => boolean,
): Task | undefined {
  return tasksOf(world, { family: 'k', account: account.id }).findLast(
    task => isWanted(task.job as ImageToVideoJob) && viewAt(task, now).status === 'succeeded',
  )
}

const limits = { formats: ['mp3', 'wav', 'mp4', 'mov'], seconds: { min: 5, max: 30, tolerance: 0.1 } }

/** Checks a voice after its shape was checked. A voice is made from a recording or from an earlier video. */
export function createVoice(call: Call): Order<MediaFacts[]> {
  const body = call.body as VoiceBody
  const { externalId } = readOptions(call, body)
  const [url, videoId] = [given(body.voice_url), given(body.video_id)]
  if (url !== undefined && videoId !== undefined)
    throw invalid('voice_url', 'voice_url and video_id are mutually exclusive')
  if (videoId !== undefined) {
    if (!findSpeakingVideo(call, videoId))
      throw invalid('video_id', `the video ${shown(videoId)} is not found or has no sound`)
    return { admit: () => store(call, body.voice_name, externalId, []) }
  }
  if (url === undefined) throw missing('voice_url')
  checkLinked('voice_url', url)
  return {
    read: async () => [await measured(call, url)],
    admit: (facts = []) => store(call, body.voice_name, externalId, facts),
  }
}

/** A recording may be a sound file or a video with sound. The link need not show which of the two it is. */
async function measured(call: Call, url: string): Promise<MediaFacts> {
  const recording = { reference: url, kind: 'audio', orKind: 'video', param: 'voice_url', limits } as const
  const [facts] = await resolveMedia(call, [recording])
  if (!facts) throw missing('voice_url')
  if (facts.kind === 'video' && facts.hasAudio === false)
    throw invalid('voice_url', 'the video has no sound to clone a voice from')
  return facts
}

function store(
  call: Call,
  voiceName: string,
  externalId: string | undefined,
  facts: readonly MediaFacts[],
): Task {
  return admitTask(call, externalId, random => ({
    kind: 'k.voice',
    model: 'voice',
    job: voiceJob(call, voiceName, random),
    // Measured upstream: about 9 s.
    runningMs: [6000, 12_000],
    charge: fixedCharge(priceOf(call, 'k.voice.per_call')),
    notes: notesOn(facts),
  }))
}

function voiceJob({ world, account, now }: Call, voiceName: string, random: Random): VoiceJob {
  const { seed } = world.state.head.opening
  return {
    kind: 'voice',
    voiceId: snowflake(random, now),
    voiceName,
    // Upstream shows the creator as a number.
    ownedBy: String(randomFor(seed, `creator ${account.id}`, 0).integer(10_000_000, 99_999_999)),
    trialSeconds: random.integer(3, 6),
  }
}

const path = '/general/custom-voices'

const create: Endpoint = {
  operation: 'k.voice.create',
  method: 'POST',
  paths: [path],
  summary: 'Clone a voice',
  beyondSpecification: true,
  body: voiceBody,
  reads: { prompts: [], model: () => undefined, models: [] },
  tasksIn: { body: '/video_id' },
  replies: { 200: legacyCreateReply },
  handle: call => replyWith(call, createVoice, legacyCreated),
}

const get: Endpoint = {
  operation: 'k.voice.get',
  method: 'GET',
  paths: [`${path}/:task_id`],
  summary: 'Query a voice-clone task',
  replies: { 200: voiceReply },
  handle(call) {
    const seen = pollNamed(call, 'k.voice')
    return succeed(call, legacyTask(seen, seen.view.status === 'succeeded' ? resultOf(call, seen) : {}))
  },
}

function resultOf(call: Call, seen: Seen) {
  const job = seen.task.job as ImageToVideoJob
  if (job.kind !== 'voice') throw new Error(`The task ${seen.task.id} has no voice`)
  const trial = resultLink(call, files, seen, 'trial')
  return {
    voices: [
      {
        voice_id: job.voiceId,
        voice_name: job.voiceName,
        ...(trial !== undefined && { trial_url: trial }),
        owned_by: job.ownedBy,
      },
    ],
  }
}

export const voiceEndpoints = [create, get]
