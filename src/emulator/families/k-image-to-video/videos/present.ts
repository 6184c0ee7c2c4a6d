import type { Call } from '../../../pipeline/endpoint.ts'
import type { Seen } from '../../../tasks/commands.ts'
import type { Task } from '../../../worlds/task.ts'
import { resultLink } from '../../result-link.ts'
import { words } from '../facts.ts'
import { durationText, files, type ImageToVideoJob } from '../job.ts'

/** The `data` of a create reply: the task starts `submitted` (Spec, "Family K: objects" 1). */
export function created(task: Task) {
  return {
    id: task.id,
    status: 'submitted',
    create_time: task.createdAt,
    update_time: task.createdAt,
    ...(task.externalId !== undefined && { external_id: task.externalId }),
  }
}

/** Addresses of a succeeded task's files. One is absent when it was not requested, or when a scenario leaves it out. */
export interface VideoLinks {
  video: string | undefined
  watermark: string | undefined
}

export function linksOf(call: Call, seen: Seen): VideoLinks {
  return { video: resultLink(call, files, seen), watermark: resultLink(call, files, seen, 'watermark') }
}

/** One item of the batch query (Spec, "Family K: objects" 3). */
export function batchItem({ task, view }: Seen, links: VideoLinks) {
  return {
    id: task.id,
    status: words(task)[view.status],
    ...(view.error && { message: view.error.message }),
    create_time: task.createdAt,
    update_time: view.since,
    ...(task.externalId !== undefined && { external_id: task.externalId }),
    outputs: view.status === 'succeeded' ? [videoOutput(task, links, 'video')] : [],
  }
}

/** A video in outputs and in avatar results; only outputs have a `type`. */
export function videoOutput(task: Task, { video, watermark }: VideoLinks, type?: 'video') {
  const job = task.job as ImageToVideoJob
  if (job.kind !== 'video') throw new Error(`The task ${task.id} has no video`)
  return {
    ...(type && { type }),
    id: job.outputId,
    ...(video !== undefined && { url: video }),
    ...(watermark !== undefined && { watermark_url: watermark }),
    duration: durationText(job),
  }
}
