import { inject } from 'vitest'
import type { Demand } from '../../src/media/render/ahead.ts'
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
 * The pool of an emulator that a test assembles, as busy as a pool may be: files that no request waits for have to wait, since one for
 * each create would take most of the suite's time. It gives answers that are known in this run of the tests (`answeredOnce`), except in
 * files that have a process of their own. Jobs of an emulator end when it closes, as with a pool of its own; the workers stay.
 * What a pool does with its workers is tested in `test/unit/worker-pool.test.ts` and on running programs.
 */
export function poolForTest(): WorkerPool {
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  const own = inject('pool') === 'own' ? createWorkerPool({ start: startBuiltWorker }) : undefined
  const work = async <J extends WorkerJob>(job: J, signal?: AbortSignal, demand?: Demand) => {
    closing.signal.throwIfAborted()
    const both = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
    await wanted(demand, both)
    if (own) return await own.run(job, signal, demand)
    return (await answeredOnce(job, same => shared.run(same, both, demand))) as Results[J['kind']]
  }
  return {
    async run(job, signal, demand) {
      const result = work(job, signal, demand)
      const ended = result.catch(() => undefined).finally(() => running.delete(ended))
      running.add(ended)
      return await result
    },
    // With shared workers, the next job may need none, because its answer is known.
    warm: () => own?.warm(),
    pids: () => own?.pids() ?? [],
    async close() {
      closing.abort()
      await own?.close()
      await Promise.all(running)
    },
  }
}

/** Resolves when somebody waits for the work, at once when nothing is said of that. Rejects when the signal comes first. */
async function wanted(demand: Demand | undefined, signal: AbortSignal): Promise<void> {
  if (!demand || demand.isThere()) return
  await new Promise<void>((resolve, reject) => {
    demand.whenThere(resolve)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
