import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { fixturePath } from '../../emulator/ground.ts'
import { GivenUp, InputError, type InputErrorReason } from '../inputs/errors.ts'
import { PackageMissingError } from '../render/tools.ts'
import type { WorkerAnswer, WorkerJob } from './job.ts'
import { endGroup, hasGroup } from './work-watch.ts'

/** A process that does one job after another. */
export interface Worker {
  readonly pid: number | undefined
  /**
   * Does a job. Rejects with the error that the job threw (InputError, GivenUp and PackageMissingError stay what they are), and with WorkerDied when
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
  hold(child, 'unref')
  return {
    pid: child.pid,
    isAlive: () => isAlive,
    async run(job) {
      hold(child, 'ref')
      try {
        const answer = await Promise.race([ask(child, job), ended])
        if ('isSpent' in answer && answer.isSpent) {
          endGroup(child)
          await ended
        }
        return resultOf(answer)
      } finally {
        hold(child, 'unref')
      }
    },
    async kill() {
      if (!isAlive) return
      hold(child, 'ref')
      endGroup(child)
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
      endGroup(child)
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
  if (name === 'PackageMissingError') throw new PackageMissingError(message)
  throw Object.assign(new Error(message), {
    name,
    ...(stack !== undefined && { stack }),
    ...(code && { code }),
  })
}

type Handle = { ref?(): void; unref?(): void } | null | undefined

/** Keeps the host program alive, or lets it end. */
function hold(child: ChildProcess, how: 'ref' | 'unref'): void {
  for (const handle of [child, child.channel, child.stderr] as Handle[]) handle?.[how]?.()
}

/** A file to run in a process of its own, with the arguments that Node needs for it. */
interface WorkerEntry {
  path: string
  execArgv: string[]
}

/** A worker's heap is small. Threads that clear it would take the cores from drawing and encoding: a tenth of a video's processor time. */
export const collection = '--single-threaded-gc'

/** The compiled worker is beside the compiled file. Run from the sources, as in tests, the worker needs tsx to read TypeScript. */
function workerEntry(): WorkerEntry {
  if (!import.meta.url.endsWith('.ts'))
    return { path: fileURLToPath(new URL('./render-worker.js', import.meta.url)), execArgv: [collection] }
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return {
    path: fileURLToPath(new URL('./render-worker.ts', import.meta.url)),
    execArgv: [collection, '--import', loader],
  }
}

/** Options by which a package manager finds packages (Yarn's Plug'n'Play). */
const resolution = /\.pnp\.(?:c?js|loader\.mjs)/

/**
 * The environment of a worker. Of the host program's NODE_OPTIONS only those that find packages are kept: `--inspect` would ask for
 * a port that is taken, `--import` and `--require` would run the host's set-up again, and coverage or profiles would be written.
 * Certificates are left out, since a worker opens no connection and Node needs some 40 ms to read those of a system.
 * The fonts and the settings for drawing type are our own, so that each machine draws the same bytes.
 */
export function workerEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: options = '', ...others } = environment
  for (const name of [
    'NODE_EXTRA_CA_CERTS',
    'NODE_V8_COVERAGE',
    'NODE_UNIQUE_ID',
    'NODE_CHANNEL_FD',
    'FONTCONFIG_PATH',
    'FONTCONFIG_SYSROOT',
  ])
    delete others[name]
  const kept = options.match(/--(?:require|import|loader|experimental-loader)[= ]\S+/g) ?? []
  const needed = kept.filter(option => resolution.test(option))
  const drawing = { FONTCONFIG_FILE: fixturePath('font/fonts.conf') }
  return { ...others, ...drawing, ...(needed.length > 0 && { NODE_OPTIONS: needed.join(' ') }) }
}
