import { controlPath } from '../store/api.ts'

/** The address of a task's file in the control API. A read from there does not count as a download. */
export function bytesOfMedia(id: string, name: string): string {
  return controlPath(`/tasks/${encodeURIComponent(id)}/media/${encodeURIComponent(name)}`)
}
