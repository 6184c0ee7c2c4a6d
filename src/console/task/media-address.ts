import { controlPath } from '../store/api.ts'

/** Where the bytes of a task's file are, beside its link: no download is counted. */
export function bytesOfMedia(id: string, name: string): string {
  return controlPath(`/tasks/${encodeURIComponent(id)}/media/${encodeURIComponent(name)}`)
}
