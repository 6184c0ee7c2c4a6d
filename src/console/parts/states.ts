import type { Status } from '../../emulator/words.ts'

export function isOver(state: Status): boolean {
  return state !== 'queued' && state !== 'running'
}
