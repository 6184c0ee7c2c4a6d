import type { Status } from '../../worlds/task.ts'

export function isOver(state: Status): boolean {
  return state !== 'queued' && state !== 'running'
}
