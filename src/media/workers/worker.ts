import { type ChildProcess, fork } from 'node:child_process'
import { setImmediate as turn } from 'node:timers/promises'
import { GivenUp } from '../given-up.ts'
import { InputError, type InputErrorReason } from '../input-error.ts'
import type { WorkerAnswer, WorkerJob } from './job.ts'
import { workerEntry, workerEnvironment } from './worker-entry.ts'

/** A process that does one job after another. */
export interface Worker {
  readonly pid: number | undefined
  /**
   * Does a job. Rejects with the error that the job threw (an InputError and GivenUp stay what they are), and with WorkerDied when
   * the process ended before. The host program stays alive during a job, but not between jobs.
   */
  run(job: WorkerJob): Promise<unknown>
  isAlive(): boolean
  /** Ends the process and the processes that it started at once. Resolves when it has ended; the host program stays alive until then. */
  kill(): Promise<void>
}

/** The process of a worker could not be started, or ended in the middle of a job. */
class WorkerDied extends GivenUp {}

/** Characters of a worker's standard error that are kept for the message of its death. */
const lastWordsLength = 2000

/** A worker has its own process group, so that ffmpeg ends with it, and Ctrl-C in the terminal reaches only the server. */
const hasGroup = process.platform !== 'win32'

/** Starts a worker. It ends by itself when this process has ended, because its channel closes then. */
export function startWorker(entry = workerEntry()): Worker {
  const child = fork(entry.path, [], {
    execArgv: entry.execArgv,
    env: workerEnvironment(),
    detached: hasGroup,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const words = lastWordsOf(child)
  const ended = endOf(child, words)
  let isAlive = true
  ended.then(() => {
    isAlive = false
  })
  rest(child)
  return {
    pid: child.pid,
    isAlive: () => isAlive,
    async run(job) {
      stir(child)
      try {
        const answer = await Promise.race([ask(child, job), ended])
        if ('isSpent' in answer && answer.isSpent) {
          end(child)
          await ended
        }
        return resultOf(answer)
      } finally {
        rest(child)
      }
    },
    async kill() {
      if (!isAlive) return
      stir(child)
      end(child)
      await ended
    },
  }
}

function lastWordsOf(child: ChildProcess): () => string {
  let words = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-lastWordsLength)
  })
  return () => words.trim()
}

/** Resolves with the reason when the process has ended or could not be started; never rejects. */
function endOf(child: ChildProcess, words: () => string): Promise<WorkerDied> {
  return new Promise(resolve => {
    child.once('error', error => resolve(new WorkerDied(`no render worker can be started: ${error.message}`)))
    child.once('exit', async (code, signal) => {
      // An ffmpeg that it started must not continue without it.
      end(child)
      // The last lines that it wrote may not have arrived yet.
      await turn()
      const how = signal === null ? `with code ${code}` : `by ${signal}`
      resolve(new WorkerDied(`the render worker ended ${how}${words() && `: ${words()}`}`))
    })
  })
}

function ask(child: ChildProcess, job: WorkerJob): Promise<WorkerAnswer> {
  return new Promise(resolve => {
    child.once('message', answer => resolve(answer as WorkerAnswer))
    // When the channel is closed already, the end of the process gives the reason.
    child.send(job, () => undefined)
  })
}

function resultOf(answer: WorkerAnswer | WorkerDied): unknown {
  if (answer instanceof WorkerDied) throw answer
  if (answer.kind === 'done') return answer.result
  const { name, message, stack, reason, code } = answer
  if (name === 'InputError') throw new InputError(reason as InputErrorReason, message)
  if (name === 'GivenUp') throw new GivenUp(message)
  throw Object.assign(new Error(message), {
    name,
    ...(stack !== undefined && { stack }),
    ...(code && { code }),
  })
}

function end(child: ChildProcess): void {
  try {
    if (hasGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    else child.kill('SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}

type Handle = { ref?(): void; unref?(): void } | null | undefined

/** Keeps the host program alive. */
function stir(child: ChildProcess): void {
  for (const handle of [child, child.channel, child.stderr] as Handle[]) handle?.ref?.()
}

/** Lets the host program end. */
function rest(child: ChildProcess): void {
  for (const handle of [child, child.channel, child.stderr] as Handle[]) handle?.unref?.()
}
