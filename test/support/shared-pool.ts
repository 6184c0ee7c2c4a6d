import { inject } from 'vitest'
import type { Job, Results } from '../../src/media/workers/job.ts'
import { createWorkerPool as createRealPool, type WorkerPool } from '../../src/media/workers/pool.ts'
import { answeredOnce } from './job-answers.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Whether the emulators of a process share their render workers, or each has its own. */
    pool: 'shared' | 'own'
  }
}

export type { WorkerPool }

/** The workers of all emulators of this process. Each emulator would start its own, which takes longer than most renderings of tests. */
const shared = createRealPool({ idleMs: 60_000 })

/**
 * Replaces the pool of an emulator in tests, except in files that have a process of their own. Jobs of an emulator end when it
 * closes, as with a pool of its own; the workers stay.
 * What a pool does with its workers is tested in `test/unit/worker-pool.test.ts` and on running programs.
 */
export function createWorkerPool(): WorkerPool {
  if (inject('pool') === 'own') return createRealPool()
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  return {
    async run<J extends Job>(job: J, signal?: AbortSignal): Promise<Results[J['kind']]> {
      closing.signal.throwIfAborted()
      const both = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      const work = answeredOnce(job, same => shared.run(same, both)) as Promise<Results[J['kind']]>
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
