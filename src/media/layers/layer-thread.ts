import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Job, Parts } from './take-apart.ts'

/** Takes a picture apart in a thread of its own, so that other requests are answered meanwhile. Its pixels move there. */
export function takeApartElsewhere(job: Job): Promise<Parts> {
  return new Promise((resolve, reject) => {
    const thread = openThread({
      workerData: job,
      transferList: [job.picture.bytes.buffer as ArrayBuffer, job.copy.bytes.buffer as ArrayBuffer],
    })
    thread.once('message', resolve).once('error', reject)
    thread.once('exit', code =>
      reject(new Error(`the thread ended with code ${code} before it had answered`)),
    )
  })
}

/** Beside the compiled file lies a compiled thread; run from the sources, as tests do, it needs tsx. */
function openThread(options: { workerData: Job; transferList: ArrayBuffer[] }): Worker {
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./layer-worker.js', import.meta.url), options)
  const found = pathToFileURL(createRequire(import.meta.url).resolve('tsx/esm/api'))
  const loader = new URL('./index.mjs', found).href
  const entry = new URL('./layer-worker.ts', import.meta.url).href
  return new Worker(`import('${loader}').then(tsx => tsx.tsImport('${entry}', '${entry}'))`, {
    ...options,
    eval: true,
  })
}
