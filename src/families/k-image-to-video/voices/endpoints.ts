import type { Call, Endpoint } from '../../../pipeline/endpoint.ts'
import type { Seen } from '../../../tasks/commands.ts'
import { resultLink } from '../../result-link.ts'
import { replyWith } from '../admit.ts'
import { files, type ImageToVideoJob } from '../job.ts'
import { legacyCreated, legacyTask, succeed } from '../present.ts'
import { legacyCreateReply } from '../schema.ts'
import { pollNamed } from '../tasks.ts'
import { createVoice } from './create.ts'
import { voiceBody, voiceReply } from './schema.ts'

const path = '/general/custom-voices'

const create: Endpoint = {
  operation: 'k.voice.create',
  method: 'POST',
  paths: [path],
  summary: 'Clone a voice',
  beyondSpecification: true,
  body: voiceBody,
  reads: { prompts: [], model: () => undefined },
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
