import { setFlagsFromString } from 'node:v8'
import { createFfmpegAhead } from '../ffmpeg-ahead.ts'
import type { Answer, Job } from './job.ts'
import { lowerPriority } from './low-priority.ts'
import { perform } from './perform.ts'

lowerPriority()
// V8 optimizes a function after it has run for so long; the default is a fifteenth of that. Few functions of a worker run long
// enough to pay for it: the first six videos take a sixth less processor time, and a first picture a fifth.
setFlagsFromString('--interrupt-budget=1000000')

const ahead = createFfmpegAhead()

/** The worker's side of worker.ts: one job, one answer. ffmpeg for the next job starts after the answer was sent. */
process.on('message', async (job: Job) => {
  const answer = await answerTo(job)
  process.send?.(answer, () => ahead.startNext())
})

// The channel closes when the server has ended, in any way. The processes that this worker started end with it.
process.on('disconnect', () => {
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    process.exit(0) // Windows knows no process groups.
  }
})

async function answerTo(job: Job): Promise<Answer> {
  try {
    return { kind: 'done', result: await perform(job, ahead.run) }
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    const { name, message, stack } = error
    const reason = 'reason' in error ? String(error.reason) : undefined
    return { kind: 'failed', name, message, ...(stack && { stack }), ...(reason !== undefined && { reason }) }
  }
}
