import { signal } from '@preact/signals'
import { EmulatorError } from '../../client/call.ts'

/** A short message at the edge of the page, read out by screen readers. */
export interface Notice {
  id: number
  kind: 'done' | 'fault'
  text: string
}

export const notices = signal<readonly Notice[]>([])
let nextId = 1
const lifeMs = { done: 3500, fault: 9000 }

export function notify(kind: Notice['kind'], text: string): void {
  const notice = { id: nextId++, kind, text }
  notices.value = [...notices.value.slice(-3), notice]
  setTimeout(() => dismiss(notice.id), lifeMs[kind])
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter(notice => notice.id !== id)
}

/** Does something and shows what was refused; undefined then. */
export async function report<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act()
  } catch (error) {
    notify('fault', complaint(error))
    return undefined
  }
}

/** What went wrong, in a sentence. */
export function complaint(error: unknown): string {
  if (error instanceof EmulatorError && error.status === 0)
    return 'The emulator does not answer. Is it still running?'
  return error instanceof Error ? error.message : String(error)
}
