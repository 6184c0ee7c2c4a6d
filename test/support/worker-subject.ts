import { Worker } from 'node:worker_threads'
import { crashLineIn } from '../../src/explore/crash.ts'
import type { End, Subject } from '../../src/explore/run.ts'

/** A Node program to explore, run in a thread, which takes half the time of a process. */
export function workerSubject(file: string, environment: Record<string, string> = {}): Subject {
  return {
    async run({ baseUrl, apiKey, id }, { limitMs }) {
      const startedMs = performance.now()
      const worker = new Worker(file, {
        env: {
          ...environment,
          GATEWAY_EMULATOR_URL: baseUrl,
          GATEWAY_EMULATOR_KEY: apiKey,
          GATEWAY_EMULATOR_WORLD: id,
        },
        stdout: true,
        stderr: true,
      })
      let output = ''
      for (const stream of [worker.stdout, worker.stderr]) stream.on('data', text => (output += text))
      const end = await endOf(worker, limitMs)
      return { end, output, ms: Math.round(performance.now() - startedMs) }
    },
  }
}

function endOf(worker: Worker, limitMs: number): Promise<End> {
  return new Promise(resolve => {
    const limit = setTimeout(() => {
      resolve({ kind: 'limit', ms: limitMs })
      worker.terminate()
    }, limitMs)
    worker.once('error', error => {
      const line = crashLineIn(`${error.stack}\n\nNode.js v20`)
      resolve(line === undefined ? { kind: 'ended', code: 1 } : { kind: 'crashed', line })
    })
    worker.once('exit', code => {
      clearTimeout(limit)
      resolve({ kind: 'ended', code })
    })
  })
}
