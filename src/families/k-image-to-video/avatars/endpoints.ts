import type { Endpoint } from '../../../pipeline/endpoint.ts'
import { resultLink } from '../../result-link.ts'
import { replyWith } from '../admit.ts'
import { files } from '../job.ts'
import { legacyCreated, legacyTask, succeed } from '../present.ts'
import { legacyCreateReply } from '../schema.ts'
import { pollNamed } from '../tasks.ts'
import { videoOutput } from '../videos/present.ts'
import { createAvatar } from './create.ts'
import { avatarBody, avatarReply } from './schema.ts'

const path = '/videos/avatar/image2video'

const create: Endpoint = {
  operation: 'k.avatar.create',
  method: 'POST',
  paths: [path, `/v1${path}`],
  summary: 'Create an avatar: a picture that speaks',
  beyondSpecification: true,
  body: avatarBody,
  reads: { prompts: ['/prompt'], model: () => undefined },
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
    const links = {
      video: resultLink(call, files, seen),
      watermark: resultLink(call, files, seen, 'watermark'),
    }
    return succeed(call, legacyTask(seen, { videos: [videoOutput(seen.task, links)] }))
  },
}

export const avatarEndpoints = [create, get]
