import { signal } from '@preact/signals'
import type { Failure } from '../../explore/catalogue/failure.ts'
import { about, control } from './api.ts'
import { notify, report } from './notices.ts'
import type { Listed } from './shapes.ts'

/** The failures of each operation; empty until they are read. */
export const failures = signal<readonly Failure[]>([])

export async function readFailures(): Promise<void> {
  if (failures.value.length > 0) return
  await report(async () => {
    failures.value = (await about<Listed<Failure>>('GET', '/failures')).items
  })
}

/** Makes the next call of an operation fail, once. */
export async function breakNext({ operation, then, title }: Failure): Promise<void> {
  await report(async () => {
    await control('POST', '/inject', { operation, nth: 1, then })
    notify('done', `The next ${operation}: ${title}`)
  })
}

export async function mendNext(id: string): Promise<void> {
  await report(() => control('DELETE', `/inject/${encodeURIComponent(id)}`))
}
