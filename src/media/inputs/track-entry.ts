import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Starts a thread that measures tracks. The compiled thread is beside the compiled file. */
export function openTrackThread(options: WorkerOptions): Worker {
  const isSource = import.meta.url.endsWith('.ts')
  if (isSource) return new Worker(sourceLoader(), { ...options, eval: true })
  return new Worker(new URL('./track-worker.js', import.meta.url), options)
}

/** When the emulator runs from its sources, the thread needs tsx to read TypeScript; `--import tsx` has no effect on a thread's entry. */
function sourceLoader(): string {
  const found = pathToFileURL(createRequire(import.meta.url).resolve('tsx/esm/api'))
  const loader = new URL('./index.mjs', found).href
  const entry = new URL('./track-worker.ts', import.meta.url).href
  return `import('${loader}').then(tsx => tsx.tsImport('${entry}', '${entry}'))`
}
