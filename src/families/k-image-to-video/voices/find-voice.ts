import type { Call } from '../../../pipeline/endpoint.ts'
import { tasksOf } from '../../../tasks/commands.ts'
import { viewAt } from '../../../tasks/lifecycle.ts'
import type { Task } from '../../../worlds/task.ts'
import type { ImageToVideoJob } from '../job.ts'

/**
 * The account's finished voice task with this voice id; undefined for unknown voices, other accounts' voices and unfinished
 * tasks.
 */
export function findVoice(call: Call, voiceId: string): Task | undefined {
  return findMade(call, job => job.kind === 'voice' && job.voiceId === voiceId)
}

/** The account's finished task that made a video with sound, found by the id of the output. */
export function findSpeakingVideo(call: Call, videoId: string): Task | undefined {
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
