import { join } from 'node:path'
import { collection, startWorker, type Worker } from '../../src/media/workers/worker.ts'
import { root } from './fresh-build.ts'

/** For the `start` of a pool that a test makes: the compiled worker starts in a tenth of the time of its source. */
export function startBuiltWorker(): Worker {
  return startWorker({ path: join(root, 'dist', 'render-worker.js'), execArgv: [collection] })
}
