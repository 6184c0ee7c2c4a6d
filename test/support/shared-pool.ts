import { inject } from 'vitest'
import type { Demand } from '../../src/media/ahead.ts'
import type { Results, WorkerJob } from '../../src/media/workers/job.ts'
import { createWorkerPool, type WorkerPool } from '../../src/media/workers/pool.ts'
import { startBuiltWorker } from './built-worker.ts'
import { answeredOnce } from './job-answers.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Whether the emulators of a process share their render workers, or each has its own. */
    pool: 'shared' | 'own'
  }
}

/** The workers of all emulators of this process. Each emulator would start its own, which takes longer than most renderings of tests. */
const shared = createWorkerPool({ idleMs: 60_000, start: startBuiltWorker })

/**
 * The pool of an emulator that a test assembles. It gives answers that are known in this run of the tests (`answeredOnce`), except in
 * files that have a process of their own. Jobs of an emulator end when it closes, as with a pool of its own; the workers stay.
 * What a pool does with its workers is tested in `test/unit/worker-pool.test.ts` and on running programs.
 */
export function poolForTest(): WorkerPool {
  if (inject('pool') === 'own') return createWorkerPool({ start: startBuiltWorker })
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  return {
    async run<J extends WorkerJob>(
      job: J,
      signal?: AbortSignal,
      demand?: Demand,
    ): Promise<Results[J['kind']]> {
      closing.signal.throwIfAborted()
      const both = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      const work = answeredOnce(job, same => shared.run(same, both, demand)) as Promise<Results[J['kind']]>
      const ended = work.catch(() => undefined).finally(() => running.delete(ended))
      running.add(ended)
      return await work
    },
    // The next job may need no worker, because its answer is known.
    warm: () => undefined,
    pids: () => [],
    async close() {
      closing.abort()
      await Promise.all(running)
    },
  }
}
