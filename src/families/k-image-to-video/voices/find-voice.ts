import type { Call } from '../../../http/endpoint.ts'
import { all } from '../../../tasks/commands.ts'
import { viewAt } from '../../../tasks/lifecycle.ts'
import type { Task } from '../../../tasks/task.ts'
import type { Job } from '../job.ts'

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

function findMade({ world, account, now }: Call, isWanted: (job: Job) => boolean): Task | undefined {
  return all(world, { family: 'k', account: account.id }).findLast(
    task => isWanted(task.job as Job) && viewAt(task, now).status === 'succeeded',
  )
}
