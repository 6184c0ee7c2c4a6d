import { setFlagsFromString } from 'node:v8'
import { GivenUp, isShortage } from '../inputs/errors.ts'
import { createFfmpegAhead } from '../render/ffmpeg-ahead.ts'
import type { WorkerAnswer, WorkerJob } from './job.ts'
import { perform } from './perform.ts'
import { isSpent } from './processor-time.ts'

// The V8 of Node 20 optimizes a function after it has run for so long; the default is a fifteenth of that. Few functions of a worker
// run long enough to pay for it: the first six videos take a sixth less processor time. Later ones wait longer by themselves.
if (process.version.startsWith('v20.')) setFlagsFromString('--interrupt-budget=1000000')

const ahead = createFfmpegAhead()

/** The worker's side of worker.ts: one job, one answer. ffmpeg for the next job starts after the answer was sent. */
process.on('message', async (job: WorkerJob) => {
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

async function answerTo(job: WorkerJob): Promise<WorkerAnswer> {
  try {
    return { kind: 'done', result: await perform(job, ahead.run) }
  } catch (thrown) {
    const error = asGivenUp(thrown instanceof Error ? thrown : new Error(String(thrown)))
    const { name, message, stack } = error
    const reason = 'reason' in error ? String(error.reason) : undefined
    const code = 'code' in error ? String(error.code) : undefined
    const known = { ...(stack && { stack }), ...(reason !== undefined && { reason }), ...(code && { code }) }
    return { kind: 'failed', name, message, ...known, isSpent: isSpent() }
  }
}

/** What the machine is short of is not a fault of the work. */
function asGivenUp(error: Error): Error {
  return isShortage(error) ? new GivenUp(error.message) : error
}
