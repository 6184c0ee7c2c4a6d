import type { Trace } from '../../client/types.ts'
import { control } from '../store/api.ts'

/** The run of the world's clients, or of one task. Rejects with EmulatorError. */
export function readTrace(task?: string): Promise<Trace> {
  return control('GET', `/trace${task === undefined ? '' : `?task=${encodeURIComponent(task)}`}`)
}
