import { extname } from 'node:path'
import { invalid, missing } from '../../../faults/fault-error.ts'
import type { Call } from '../../../pipeline/endpoint.ts'
import { fixedCharge } from '../../../tasks/ledger.ts'
import { shown } from '../../../wording/shown.ts'
import type { MediaFacts } from '../../../worlds/media-facts.ts'
import { type Random, randomFor } from '../../../worlds/random.ts'
import type { Task } from '../../../worlds/task.ts'
import { checkLinked, notesOn, resolveMedia } from '../../input-media.ts'
import type { Order } from '../../order.ts'
import { priceOf } from '../../prices.ts'
import { admitTask } from '../admit.ts'
import { snowflake } from '../ids.ts'
import type { VoiceJob } from '../job.ts'
import { given, readOptions } from '../rules.ts'
import { findSpeakingVideo } from './find-voice.ts'
import type { VoiceBody } from './schema.ts'

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
  const [kind, orKind] = seemsVideo(call, url) ? (['video', 'audio'] as const) : (['audio', 'video'] as const)
  const [facts] = await resolveMedia(call, [{ reference: url, kind, orKind, param: 'voice_url', limits }])
  if (!facts) throw missing('voice_url')
  if (facts.kind === 'video' && facts.hasAudio === false)
    throw invalid('voice_url', 'the video has no sound to clone a voice from')
  return facts
}

/** Guesses the kind before the file is read, from the asset library or the ending of the path. */
function seemsVideo(call: Call, reference: string): boolean {
  const asset = /^asset:\/\/(.+)$/.exec(reference)?.[1]
  if (asset !== undefined) return call.world.state.assets.get(asset)?.kind === 'video'
  const ending = extname(reference.replace(/[?#].*$/, '')).toLowerCase()
  return ending === '.mp4' || ending === '.mov'
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
