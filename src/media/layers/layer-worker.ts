import { parentPort, workerData } from 'node:worker_threads'
import { takeApart } from './take-apart.ts'

/** The thread's side of layer-thread.ts: one picture, then it ends. */
const parts = takeApart(workerData)
const buffers = [parts.base, ...parts.layers.map(layer => layer.pixels)].map(
  ({ bytes }) => bytes.buffer as ArrayBuffer,
)
parentPort?.postMessage(parts, buffers)
